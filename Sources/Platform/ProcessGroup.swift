import Glibc
import Synchronization

/// The process group of a shell, which may still have to begin.
final class ProcessGroup: Sendable {
  private struct State {
    var id: pid_t?
    var hasEnded = false
  }

  /// How long processes may take to end after they were asked to.
  static let grace = Duration.seconds(1)
  private static let pollInterval = Duration.milliseconds(10)

  private let state = Mutex(State())

  /// Notes the group, or kills it when it was ended before it began.
  func begin(_ id: pid_t) {
    let hasEnded = state.withLock { state in
      state.id = id
      return state.hasEnded
    }
    if hasEnded { kill(-id, SIGKILL) }
  }

  /// Asks all processes of the group to end, and kills those that have not after the grace.
  func end() async {
    let id = state.withLock { state in
      state.hasEnded = true
      return state.id
    }
    guard let id else { return }
    // In a task of its own, since this one may be cancelled.
    _ = await Task {
      kill(-id, SIGTERM)
      var waited = Duration.zero
      while waited < Self.grace, kill(-id, 0) == 0 {
        try await Task.sleep(for: Self.pollInterval)
        waited += Self.pollInterval
      }
      kill(-id, SIGKILL)
    }.result
  }
}
