/// A request.
///
/// Its description leaves out user, password and query, which may contain keys.
package struct HTTPRequest: Sendable {
  package enum Method: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether a request may be sent again on a new connection when a kept-alive one breaks.
    package var isIdempotent: Bool { self != .post && self != .patch }

    /// Whether redirects are followed.
    var followsRedirects: Bool { self == .get || self == .head }
  }

  package var method: Method
  /// An absolute `http` or `https` URL, percent-encoded.
  package var url: String
  package var headers: HTTPHeaders
  /// Sent unchanged with its length; empty means no body for methods that need none.
  package var body: [UInt8]
  /// Nil for the client's timeouts.
  package var timeouts: HTTPTimeouts?
  /// The maximum size of the decoded response body in bytes; nil for the client's limit.
  package var bodyLimit: Int?
  /// Provides the memory of the response body; nil allocates it.
  package var buffers: BodyBuffers?

  package init(
    _ method: Method = .get, _ url: String, headers: HTTPHeaders = HTTPHeaders(),
    body: [UInt8] = [], timeouts: HTTPTimeouts? = nil, bodyLimit: Int? = nil,
    buffers: BodyBuffers? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.bodyLimit = bodyLimit
    self.buffers = buffers
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible {
  package var description: String {
    do {
      return "\(method.rawValue) \(try ParsedURL(url))"
    } catch {
      return "\(method.rawValue) (not a URL)"
    }
  }

  package var debugDescription: String { description }
}

extension HTTPRequest {
  /// Throws for a name or value that could end its header line and begin another.
  func checkHeaders() throws {
    for field in headers.fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isHeaderNameByte) else {
        throw HTTPError.invalidRequest(
          reason: "a header name may only hold letters, digits and -_.!#$%&'*+^`|~")
      }
      guard !field.value.utf8.contains(where: \.isControlByte) else {
        throw HTTPError.invalidRequest(
          reason: "the value of the header '\(field.name)' holds a control character")
      }
    }
  }
}

extension UInt8 {
  /// RFC 9110 section 5.6.2, `tchar`.
  fileprivate var isHeaderNameByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
  }

  /// A control character other than the tab.
  fileprivate var isControlByte: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}

/// How long the phases of a request may take.
package struct HTTPTimeouts: Hashable, Sendable {
  /// From the start until the connection is established, name resolution and TLS included.
  package var connect: Duration
  /// Time without a byte in either direction, waiting for the response included.
  ///
  /// Rounded up to seconds; libcurl averages over five seconds and may react that much later.
  package var stall: Duration
  /// From the start to the last byte; starts anew for each redirect.
  package var total: Duration

  package init(
    connect: Duration = .seconds(10), stall: Duration = .seconds(60),
    total: Duration = .seconds(300)
  ) {
    self.connect = connect
    self.stall = stall
    self.total = total
  }
}

extension Duration {
  /// At least 1: libcurl takes 0 for no timeout.
  var curlMilliseconds: Int {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    return Int(max(1, milliseconds))
  }

  /// Rounded up, at least 1.
  var curlSeconds: Int {
    Int(max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))
  }
}
