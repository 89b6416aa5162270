import CCurl
import Glibc

/// What runs on the thread of a `CurlLoop`: every call into the multi handle but its wake-up.
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
    leaveSignalsToOthers()
    while obeyCommands() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishCompleted()
      curl_multi_poll(multi, nil, 0, Self.longestWaitMilliseconds, nil)
    }
    for transfer in active.values { cancel(transfer) }
    loop.detach()
    curl_multi_cleanup(multi)
  }

  /// A wake-up ends the wait and libcurl knows its own timeouts: any large number will do.
  private static let longestWaitMilliseconds: Int32 = 60_000

  /// A signal of the process interrupts its main thread; a broken pipe is an error code, not one.
  private func leaveSignalsToOthers() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// False when the last command said to stop.
  private func obeyCommands() -> Bool {
    for command in loop.takeCommands() {
      switch command {
      case .start(let transfer, let continuation): begin(transfer, continuation)
      case .cancel(let transfer): cancel(transfer)
      case .stop: return false
      }
    }
    return true
  }

  private func begin(_ transfer: Transfer, _ continuation: CurlLoop.Continuation) {
    transfer.continuation = continuation
    guard !transfer.isCancelled else { return transfer.cancel() }
    active[transfer.easy] = transfer
    let code = curl_multi_add_handle(multi, transfer.easy)
    guard code != CURLM_OK else { return }
    active[transfer.easy] = nil
    transfer.fail(code: Int(code.rawValue), message: String(cString: curl_multi_strerror(code)))
  }

  /// Answers the caller first: taking a transfer out may wait for its resolver.
  private func cancel(_ transfer: Transfer) {
    // Without our reference the caller's would be the last, and its end that of the easy handle.
    withExtendedLifetime(transfer) {
      transfer.cancel()
      guard active.removeValue(forKey: transfer.easy) != nil else { return }
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
