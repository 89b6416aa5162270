package import Model

/// The time of one command.
package struct JobClock: Sendable {
  /// The command's one instant.
  package let start: Instant
  /// Time since the command began, from a clock that never goes back.
  package let elapsed: @Sendable () -> Duration
  /// Pauses; throws when its task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// From 0 up to 1, new at each call.
  package let random: @Sendable () -> Double

  package init(
    start: Instant, elapsed: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.start = start
    self.elapsed = elapsed
    self.sleep = sleep
    self.random = random
  }

  /// The command's instant, moved on by the time it has taken.
  package var now: Instant { start + elapsed() }
}
