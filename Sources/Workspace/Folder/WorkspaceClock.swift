package import Model

/// The clock of one command.
package struct WorkspaceClock: Sendable {
  /// The instant at which the command began.
  package let start: Instant
  /// The time since the command began, from a monotonic clock.
  package let elapsed: @Sendable () -> Duration
  /// Sleeps; throws when its task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// Returns a new random number from 0 up to 1 at each call.
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

  /// The start of the command plus the elapsed time.
  package var now: Instant { start + elapsed() }
}
