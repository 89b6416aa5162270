import CCurl
import Glibc
import Synchronization

/// The way into the one thread that drives every transfer of a client.
///
/// The thread starts with the first transfer and ends with `stop`. Commands are taken in the order
/// they were given, so a cancel that comes before its start is not lost.
final class CurlLoop: Sendable {
  typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

  enum Command: Sendable {
    case start(Transfer, Continuation)
    case cancel(Transfer)
    case stop
  }

  private struct Inbox {
    var commands: [Command] = []
    /// The multi handle of the running thread; only `curl_multi_wakeup` may touch it from here.
    var multi: UnsafeMutableRawPointer?

    mutating func post(_ command: Command) {
      commands.append(command)
      if let multi { curl_multi_wakeup(multi) }
    }
  }

  private let inbox = Mutex(Inbox())

  func start(_ transfer: Transfer, _ continuation: Continuation) {
    let isRunning = inbox.withLock { inbox in
      guard inbox.multi != nil || launch(&inbox) else { return false }
      inbox.post(.start(transfer, continuation))
      return true
    }
    guard !isRunning else { return }
    continuation.resume(
      throwing: HTTPError.other(
        host: transfer.host, code: Int(ENOMEM), message: "no thread or memory for the request"))
  }

  /// Ends the transfer whether or not it has started; one that is over stays as it is.
  func cancel(_ transfer: Transfer) {
    inbox.withLock { $0.post(.cancel(transfer)) }
  }

  /// Ends the thread; nothing may be in flight.
  func stop() {
    inbox.withLock { $0.post(.stop) }
  }

  func takeCommands() -> [Command] {
    inbox.withLock { inbox in
      defer { inbox.commands.removeAll() }
      return inbox.commands
    }
  }

  /// Takes the multi handle out of reach of wake-ups; called by the thread before it cleans up.
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
