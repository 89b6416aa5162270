package import Model
import Store

/// How long an outbox item waits after a failed attempt; see `docs/outbox.md`.
///
/// The wait doubles with every attempt. Jitter spreads items that failed together.
package struct OutboxBackoff: Hashable, Sendable {
  /// The longest `Retry-After` that is honoured: a longer one may be a slip, and would keep the
  /// item permanently.
  package static let longestRequested = OutboxItem.longestWait

  package var first: Duration = .seconds(60)
  package var cap: Duration = .seconds(6 * 3600)

  /// The wait after `attempts` failed attempts (1 or more), before jitter.
  package func wait(afterAttempts attempts: Int) -> Duration {
    var wait = first
    for _ in 1..<max(attempts, 1) {
      wait = wait * 2
      guard wait < cap else { return cap }
    }
    return min(wait, cap)
  }

  /// When to try again: after half to one and a half times the wait, and not before the server's
  /// `Retry-After`, at most `longestRequested` of it.
  ///
  /// `attempts` counts failed ones, this one included; `random`, from 0 up to 1, is the source of
  /// the jitter.
  package func nextAttempt(
    after now: Instant, attempts: Int, retryAfter: Duration?, random: Double
  ) -> Instant {
    let wait = wait(afterAttempts: attempts) * (0.5 + random)
    return now + max(wait, min(retryAfter ?? .zero, Self.longestRequested))
  }
}

/// How fast writes may leave, by the rule 500/50/5; see `docs/firestore.md#ramp`.
///
/// Writes are spread evenly: a batch leaves when the time for the batches before it is over.
package struct WriteRamp: Hashable, Sendable {
  /// Writes a second in the beginning.
  package static let startingRate = 500.0
  /// The factor by which each step raises the rate.
  package static let growth = 1.5
  package static let step = Duration.seconds(5 * 60)

  /// When the first write left; nil before it has.
  private var start: Duration?
  /// When the next write may leave.
  private var free = Duration.zero

  package init() {}

  /// The rate, in writes a second, so long after the first write.
  package static func rate(after elapsed: Duration) -> Double {
    let steps = min(Int(elapsed / step), longestClimb)
    return (0..<max(steps, 0)).reduce(startingRate) { rate, _ in rate * growth }
  }

  /// How long the next writes have to wait, zero when they may leave at once; they count as sent
  /// after that.
  ///
  /// `count` leave together, and `now` is of a monotonic clock.
  package mutating func pause(before count: Int, at now: Duration) -> Duration {
    let leaves = max(now, free)
    let start = start ?? leaves
    self.start = start
    free = leaves + .seconds(1) * (Double(count) / Self.rate(after: leaves - start))
    return leaves - now
  }

  /// The last step that counts: its rate is beyond what any client sends.
  private static let longestClimb = 50
}
