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
