import Dispatch
import Foundation
import Synchronization

/// Calls a function when a time and the grace after it have passed, on a thread of its own.
///
/// The grace begins when the time is over, also for a process that was stopped meanwhile.
///
/// Tasks share as many threads as there are processors, and work that computes may leave none of
/// them for a pause to end in.
final class Deadline: Sendable {
  private let isCalledOff = DispatchSemaphore(value: 0)
  /// Whether it has passed or was called off, whichever came first.
  private let isOver = Mutex(false)

  init(after time: Duration, grace: Duration, _ passed: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [isCalledOff, weak self] in
      for part in [time, grace] {
        let seconds = Double(part.components.seconds) + Double(part.components.attoseconds) * 1e-18
        guard isCalledOff.wait(timeout: .now() + seconds) == .timedOut else { return }
      }
      self?.isOver.withLock { isOver in
        guard !isOver else { return }
        isOver = true
        passed()
      }
    }
  }

  /// Nothing is called any more; waits for the end of what was called already.
  func callOff() {
    isOver.withLock { $0 = true }
    isCalledOff.signal()
  }
}
