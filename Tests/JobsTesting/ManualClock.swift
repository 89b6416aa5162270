package import Model
import Synchronization
package import Workspace

/// Time that passes only when a test says so.
package final class ManualClock: Sendable {
  private struct Sleeper {
    let wakesAt: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var elapsed = Duration.zero
    var sleepers: [Int: Sleeper] = [:]
    var sleeps = 0
  }

  package let start: Instant
  /// Whether a pause takes its time at once, instead of lasting until the test moves the clock.
  private let skipsPauses: Bool
  private let state = Mutex(State())

  package init(start: Instant, skipsPauses: Bool = false) {
    self.start = start
    self.skipsPauses = skipsPauses
  }

  package var elapsed: Duration { state.withLock(\.elapsed) }

  /// Pauses that were begun, also those that are over.
  package var sleeps: Int { state.withLock(\.sleeps) }

  /// Moves the time on and wakes whose pause is over.
  package func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.elapsed += duration
      let over = state.sleepers.filter { $0.value.wakesAt <= state.elapsed }
      for number in over.keys { state.sleepers[number] = nil }
      return over.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// As jobs get it; `random` is always one half.
  package var jobClock: WorkspaceClock {
    WorkspaceClock(
      start: start, elapsed: { [self] in elapsed },
      sleep: { [self] in try await sleep(for: $0) }, random: { 0.5 })
  }

  private func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    let number = state.withLock { state in
      state.sleeps += 1
      return state.sleeps
    }
    guard !skipsPauses else { return advance(by: duration) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.sleepers[number] = Sleeper(
            wakesAt: state.elapsed + duration, continuation: continuation)
        }
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
