/// Sends requests over libcurl, keeping connections open for the next one.
///
/// One client serves any number of requests at a time, from any task. Nothing is started before
/// the first `send`. HTTP/2 is used over TLS where the server has it; gzip is asked for and
/// unpacked. Proxies come from the environment as libcurl reads it (`https_proxy`, `no_proxy`, ...),
/// except that loopback addresses are always reached directly.
package final class HTTPClient: Sendable {
  package struct Configuration: Sendable {
    package var timeouts: HTTPTimeouts
    /// The most bytes of a decoded response body; `docs/firestore.md#limits`.
    package var bodyLimit: Int
    /// PEM file of the certificate authorities to trust instead of the system's file of them; nil
    /// means that file.
    ///
    /// The system's folder of certificates, where libcurl was built with one as Debian's is, counts
    /// in both cases.
    package var caFile: String?
    /// Google's servers send gzip only when this contains the word `gzip`.
    package var userAgent: String

    package init(
      timeouts: HTTPTimeouts = HTTPTimeouts(), bodyLimit: Int = 64 << 20, caFile: String? = nil,
      userAgent: String = "firetally/0.1 (gzip)"
    ) {
      self.timeouts = timeouts
      self.bodyLimit = bodyLimit
      self.caFile = caFile
      self.userAgent = userAgent
    }

    /// The CA file that the environment names: `CURL_CA_BUNDLE`, else `SSL_CERT_FILE`, else nil.
    package static func caFile(in environment: [String: String]) -> String? {
      [environment["CURL_CA_BUNDLE"], environment["SSL_CERT_FILE"]]
        .compactMap(\.self).first { !$0.isEmpty }
    }
  }

  /// Redirects followed for one `send`.
  package static let redirectLimit = 5

  package let configuration: Configuration
  private let loop = CurlLoop()

  package init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit {
    loop.stop()
  }

  /// Sends the request and waits for the whole answer.
  ///
  /// A redirect (301, 302, 303, 307, 308 with a `Location`) of a GET or HEAD is followed; headers
  /// marked secret go along only to the same scheme, host and port. A redirect of any other method
  /// is an error. A POST or PATCH is never sent twice, also when a kept-alive connection dies.
  /// Throws `HTTPError` and nothing else; cancelling the task ends the transfer at once.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var hop = try Hop(request)
    for _ in 0...Self.redirectLimit {
      let response = try await perform(hop)
      guard let next = try hop.next(after: response) else { return response }
      hop = next
    }
    throw HTTPError.tooManyRedirects(host: hop.address.host, limit: Self.redirectLimit)
  }

  private func perform(_ hop: Hop) async throws -> HTTPResponse {
    let transfer = try Transfer(hop, configuration)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        loop.start(transfer, continuation)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
  }
}
