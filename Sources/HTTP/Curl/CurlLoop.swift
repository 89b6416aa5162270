import CCurl
import Glibc
import Synchronization

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

/// The process-wide state of libcurl.
enum CurlLibrary {
  /// Initializes libcurl, once a process.
  private static let started = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// Initializes libcurl; must be called before any other libcurl function.
  static func start() throws(HTTPError) {
    guard started == CURLE_OK else {
      let reason = String(cString: curl_easy_strerror(started))
      throw .invalidRequest(reason: "libcurl did not start: \(reason)")
    }
  }

  /// Its version and those of its own libraries: `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13 ...`.
  static var version: String { String(cString: curl_version()) }
}

/// What libcurl's result codes mean.
enum CurlFailure {
  /// `text` is libcurl's, which never contains a header or a query, empty for the code's own;
  /// `systemError` is the `errno` of the failed call, 0 when unknown.
  static func error(
    _ code: CURLcode, text: String = "", systemError: Int = 0, host: String
  ) -> HTTPError {
    let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    return switch code {
    case CURLE_URL_MALFORMAT: .invalidRequest(reason: reason)
    case CURLE_COULDNT_RESOLVE_HOST: .resolveFailed(host: host)
    case CURLE_COULDNT_RESOLVE_PROXY: .resolveFailed(host: "the proxy for \(host)")
    case CURLE_COULDNT_CONNECT: .refused(host: host)
    case CURLE_SSL_CONNECT_ERROR where systemError == Int(ECONNRESET):
      .cutShort(host: host, reason: reason)
    case _ where tlsCodes.contains(code.rawValue): .tls(host: host, reason: reason)
    case _ where cutCodes.contains(code.rawValue): .cutShort(host: host, reason: reason)
    case _ where malformedCodes.contains(code.rawValue): .malformed(host: host, reason: reason)
    default: .other(host: host, code: Int(code.rawValue), message: reason)
    }
  }

  private static let tlsCodes = codes(
    CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
    CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
    CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
    CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
    CURLE_USE_SSL_FAILED)

  private static let cutCodes = codes(
    CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
    CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND)

  private static let malformedCodes = codes(
    CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING)

  private static func codes(_ codes: CURLcode...) -> Set<CURLcode.RawValue> {
    Set(codes.map(\.rawValue))
  }
}
