import CCurl
import Glibc
import Platform
import Synchronization

/// Sends requests over libcurl and keeps connections open for reuse.
///
/// One client serves any number of concurrent requests, from any task. The first `send` starts its
/// thread. It uses HTTP/2 over TLS where the server supports it, and requests and unpacks gzip.
/// Libcurl reads proxies from the environment (`https_proxy`, `no_proxy`, ...); loopback and
/// link-local addresses never go through a proxy.
package final class HTTPClient: Sendable {
  package struct Configuration: Sendable {
    package var timeouts: HTTPTimeouts
    /// The maximum size of a decoded response body in bytes; `docs/firestore.md#limits`.
    package let bodyLimit = 64 << 20
    /// A PEM file of certificate authorities to trust instead of the system's file; nil for that
    /// file.
    ///
    /// A libcurl built with a folder of certificates, such as Debian's, trusts that folder as well.
    package var caFile: String?
    /// Google's servers compress only when this contains the word `gzip`.
    package var userAgent = "firetally (gzip)"
    /// Is called after each request, redirects included; nil for no log.
    package var trace: (@Sendable (HTTPTrace) -> Void)?

    package init(timeouts: HTTPTimeouts = HTTPTimeouts(), caFile: String? = nil) {
      self.timeouts = timeouts
      self.caFile = caFile
    }

    /// The value of `CURL_CA_BUNDLE`, else of `SSL_CERT_FILE`; nil when both are unset or empty.
    package static func caFile(in environment: [String: String]) -> String? {
      [environment["CURL_CA_BUNDLE"], environment["SSL_CERT_FILE"]]
        .compactMap(\.self).first { !$0.isEmpty }
    }
  }

  /// The maximum number of redirects that one `send` follows.
  package static let redirectLimit = 5

  package let configuration: Configuration
  private let loop = CurlLoop()

  package init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit {
    loop.stop()
  }

  /// Sends the request and waits for the complete response.
  ///
  /// Follows redirects (301, 302, 303, 307, 308 with a `Location`) of GET and HEAD; secret headers
  /// go along only to the same scheme, host and port. A redirect of another method is an error. A
  /// POST or PATCH is never sent twice, not even when a kept-alive connection breaks. Throws only
  /// `HTTPError`; cancelling the task ends the transfer at once.
  package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var exchange = try HTTPExchange(request)
    for _ in 0...Self.redirectLimit {
      let response = try await perform(exchange)
      guard let next = try exchange.next(after: response) else { return response }
      exchange = next
    }
    throw HTTPError.tooManyRedirects(host: exchange.address.host, limit: Self.redirectLimit)
  }

  /// The libcurl in use, with the libraries that it uses: `libcurl/7.88.1 OpenSSL/3.0.17 ...`.
  package static var libraryVersion: String { String(cString: curl_version()) }

  /// Whether a request to this URL could be read on its way.
  ///
  /// Plain http is for this machine, and for the metadata servers of clouds, whose link-local
  /// addresses no router passes on: SECURITY.md.
  package static func isPlain(toAnotherMachine url: String) throws(HTTPError) -> Bool {
    let address = try ParsedURL(url)
    return address.scheme == "http" && !address.isNear
  }

  private func perform(_ exchange: HTTPExchange) async throws -> HTTPResponse {
    guard let trace = configuration.trace else { return try await transfer(exchange) }
    do {
      let response = try await transfer(exchange)
      trace(HTTPTrace(exchange, .success(response)))
      return response
    } catch {
      trace(HTTPTrace(exchange, .failure(error)))
      throw error
    }
  }

  func transfer(_ exchange: HTTPExchange) async throws -> HTTPResponse {
    if let file = configuration.caFile, let special = SpecialFile(path: file) {
      throw HTTPError.tls(
        host: exchange.address.host,
        reason: "\(file) is \(special.rawValue), not a file of certificates: correct --cacert, "
          + "firestore.ca_file, CURL_CA_BUNDLE or SSL_CERT_FILE")
    }
    let request = TransferRequest(exchange, configuration)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        loop.start(request, continuation)
      }
    } onCancel: {
      loop.cancel(request)
    }
  }
}

/// One request to one address; each redirect adds another exchange.
struct HTTPExchange: Sendable {
  let request: HTTPRequest
  let address: ParsedURL
  /// The mail that is handed over, with the request's body; nil for HTTP.
  var mail: MailDelivery?

  /// Throws `HTTPError.invalidRequest` for an invalid URL or header.
  init(_ request: HTTPRequest) throws {
    try request.checkHeaders()
    self.request = request
    address = try ParsedURL(request.url)
  }

  /// Throws `HTTPError.invalidRequest` for an invalid URL.
  init(_ mail: MailDelivery) throws(HTTPError) {
    request = HTTPRequest(.post, mail.url, body: mail.message, timeouts: MailDelivery.timeouts)
    address = try ParsedURL(mail.url, schemes: MailDelivery.schemes)
    self.mail = mail
  }

  private init(_ request: HTTPRequest, _ address: ParsedURL) {
    self.request = request
    self.address = address
  }

  /// The exchange that the response redirects to; nil when the response is final.
  ///
  /// Throws `HTTPError.redirectRefused` for a redirect that must not be followed.
  func next(after response: HTTPResponse) throws -> HTTPExchange? {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["Location"]
    else { return nil }
    guard request.method.followsRedirects else {
      throw HTTPError.redirectRefused(
        host: address.host, reason: "a \(request.method.rawValue) is not sent elsewhere")
    }
    let target = try target(of: location)
    var redirected = request
    redirected.url = target.url
    if !target.hasOrigin(of: address) { redirected.headers = request.headers.withoutSecrets }
    return HTTPExchange(redirected, target)
  }

  private func target(of location: String) throws -> ParsedURL {
    do {
      return try address.resolving(location)
    } catch {
      throw HTTPError.redirectRefused(
        host: address.host, reason: "its Location is not an http or https URL")
    }
  }
}

/// What the loop's thread needs to make a transfer, and by which the transfer is cancelled.
final class TransferRequest: Sendable {
  let exchange: HTTPExchange
  let configuration: HTTPClient.Configuration
  private let cancelled = Atomic(false)

  init(_ exchange: HTTPExchange, _ configuration: HTTPClient.Configuration) {
    self.exchange = exchange
    self.configuration = configuration
  }

  var host: String { exchange.address.host }

  /// Once true, it stays true.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  fileprivate func cancel() { cancelled.store(true, ordering: .releasing) }
}

/// Sends commands to the one thread that makes and drives all transfers of a client.
///
/// The thread starts with the first request and ends with `stop`.
final class CurlLoop: Sendable {
  typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

  enum LoopCommand: Sendable {
    case start(TransferRequest, Continuation)
    case cancel(TransferRequest)
    case stop
  }

  private struct Inbox {
    var commands: [LoopCommand] = []
    /// The multi handle of the running thread; only `curl_multi_wakeup` may touch it from here.
    var multi: UnsafeMutableRawPointer?

    mutating func post(_ command: LoopCommand) {
      commands.append(command)
      if let multi { curl_multi_wakeup(multi) }
    }
  }

  private let inbox = Mutex(Inbox())

  func start(_ request: TransferRequest, _ continuation: Continuation) {
    let isRunning = inbox.withLock { inbox in
      guard inbox.multi != nil || launch(&inbox) else { return false }
      inbox.post(.start(request, continuation))
      return true
    }
    guard !isRunning else { return }
    continuation.resume(
      throwing: HTTPError.other(
        host: request.host, code: Int(ENOMEM), message: "no thread or memory for the request"))
  }

  /// Cancels the request, started or not; has no effect on a finished one.
  func cancel(_ request: TransferRequest) {
    request.cancel()
    inbox.withLock { $0.post(.cancel(request)) }
  }

  /// Ends the thread; no transfer may be in flight.
  func stop() {
    inbox.withLock { $0.post(.stop) }
  }

  func takeCommands() -> [LoopCommand] {
    inbox.withLock { inbox in
      defer { inbox.commands.removeAll() }
      return inbox.commands
    }
  }

  /// Stops wake-ups from touching the multi handle; the thread calls it before it cleans up.
  func detach() {
    inbox.withLock { $0.multi = nil }
  }

  private func launch(_ inbox: inout Inbox) -> Bool {
    guard let multi = curl_multi_init() else { return false }
    let thread = Unmanaged.passRetained(CurlThread(multi: multi, loop: self))
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, thread.toOpaque())
    guard status == 0 else {
      thread.release()
      curl_multi_cleanup(multi)
      return false
    }
    pthread_detach(id)
    inbox.multi = multi
    return true
  }
}

/// The thread of a `CurlLoop`; makes every call on the multi handle except `curl_multi_wakeup`.
final class CurlThread {
  private let multi: UnsafeMutableRawPointer
  private let loop: CurlLoop
  /// The transfers in flight, by their easy handles.
  private var active: [UnsafeMutableRawPointer: Transfer] = [:]

  init(multi: UnsafeMutableRawPointer, loop: CurlLoop) {
    self.multi = multi
    self.loop = loop
  }

  func run() {
    blockSignals()
    while executeCommands() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishCompleted()
      curl_multi_poll(multi, nil, 0, Self.longestWaitMilliseconds, nil)
    }
    for transfer in active.values { end(transfer) }
    loop.detach()
    curl_multi_cleanup(multi)
  }

  /// Any large number: wake-ups and libcurl's own timeouts end the wait earlier.
  private static let longestWaitMilliseconds: Int32 = 60_000

  /// Leaves signals to the main thread; blocking SIGPIPE turns a broken pipe into an error code.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Executes the pending commands; false after `stop`.
  private func executeCommands() -> Bool {
    for command in loop.takeCommands() {
      switch command {
      case .start(let request, let continuation): begin(request, continuation)
      case .cancel(let request): cancel(request)
      case .stop: return false
      }
    }
    return true
  }

  private func begin(_ request: TransferRequest, _ continuation: CurlLoop.Continuation) {
    guard !request.isCancelled else {
      return continuation.resume(throwing: HTTPError.cancelled(host: request.host))
    }
    let transfer: Transfer
    do {
      transfer = try Transfer(request, continuation)
    } catch {
      return continuation.resume(throwing: error)
    }
    active[transfer.easy] = transfer
    let code = curl_multi_add_handle(multi, transfer.easy)
    guard code != CURLM_OK else { return }
    active[transfer.easy] = nil
    transfer.fail(code: Int(code.rawValue), message: String(cString: curl_multi_strerror(code)))
  }

  private func cancel(_ request: TransferRequest) {
    guard let transfer = active.values.first(where: { $0.origin === request }) else { return }
    active[transfer.easy] = nil
    end(transfer)
  }

  /// Resumes the caller first: removing a transfer may wait for its name resolution.
  private func end(_ transfer: Transfer) {
    // It owns the easy handle.
    withExtendedLifetime(transfer) {
      transfer.cancel()
      curl_multi_remove_handle(multi, transfer.easy)
    }
  }

  private func finishCompleted() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left)?.pointee {
      guard message.msg == CURLMSG_DONE, let easy = message.easy_handle,
        let transfer = active.removeValue(forKey: easy)
      else { continue }
      curl_multi_remove_handle(multi, easy)
      transfer.finish(message.data.result)
    }
  }
}

/// One request that was sent, for a log; without headers, body, user, password and query, since
/// any may hold secrets.
package struct HTTPTrace: Sendable {
  package let method: String
  package let address: String
  /// Scheme, host and port alone, for addresses whose path is a secret.
  package let origin: String
  /// Nil when no response came.
  package let status: Int?
  /// Why no response came; nil otherwise.
  package let failure: String?
  /// From the start to the last byte; nil without a response.
  package let duration: Duration?
  package let sentBytes: Int
  /// On the wire, without headers.
  package let receivedBytes: Int

  init(_ exchange: HTTPExchange, _ outcome: Result<HTTPResponse, any Error>) {
    method = exchange.request.method.rawValue
    address = "\(exchange.address)"
    origin = "\(exchange.address.scheme)://\(exchange.address.host)"
    sentBytes = exchange.request.body.count
    switch outcome {
    case .success(let response):
      (status, failure, duration) = (response.status, nil, response.duration)
      receivedBytes = response.receivedBytes
    case .failure(let error):
      (status, failure, duration) = (nil, "\(error)", nil)
      receivedBytes = 0
    }
  }

  /// `POST https://host/path: 200 in 0.034 s, 120 bytes sent, 4096 received`.
  package var line: String { line(naming: address) }

  package var lineWithoutPath: String { line(naming: origin) }

  private func line(naming address: String) -> String {
    guard let status, let duration else { return "\(method) \(address): \(failure ?? "failed")" }
    let milliseconds = Int(duration / .milliseconds(1))
    return "\(method) \(address): \(status) in \(milliseconds) ms, \(sentBytes) bytes sent, "
      + "\(receivedBytes) received"
  }
}
