import CCurl
import Glibc

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
