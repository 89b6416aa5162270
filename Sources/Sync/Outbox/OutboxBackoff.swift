package import Model
import Store

/// The delay before an outbox item is retried; see `docs/outbox.md`.
///
/// The delay doubles with each attempt. Jitter spreads items that failed together.
package struct OutboxBackoff: Hashable, Sendable {
  /// The longest `Retry-After` that is honoured: a longer one may be a mistake and would delay the
  /// item indefinitely.
  package static let longestRequested = OutboxItem.longestWait

  package var first: Duration = .seconds(60)
  package var cap: Duration = .seconds(6 * 3600)

  /// Returns the delay after `attempts` failed attempts (1 or more), before jitter.
  package func wait(afterAttempts attempts: Int) -> Duration {
    var wait = first
    for _ in 1..<max(attempts, 1) {
      wait = wait * 2
      guard wait < cap else { return cap }
    }
    return min(wait, cap)
  }

  /// Returns the time of the next attempt: after 0.5 to 1.5 times the delay, and not before the
  /// server's `Retry-After`, of which at most `longestRequested` counts.
  ///
  /// `attempts` is the number of failed attempts, including this one; `random`, from 0 up to 1,
  /// determines the jitter.
  package func nextAttempt(
    after now: Instant, attempts: Int, retryAfter: Duration?, random: Double
  ) -> Instant {
    let wait = wait(afterAttempts: attempts) * (0.5 + random)
    return now + max(wait, min(retryAfter ?? .zero, Self.longestRequested))
  }
}

/// The rate limit of writes according to the 500/50/5 rule; see `docs/firestore.md#ramp`.
///
/// Writes are spread evenly: a batch is sent once the time of the batches before it is over.
package struct WriteRamp: Hashable, Sendable {
  /// Writes per second at the start.
  package static let startingRate = 500.0
  /// The factor by which the rate grows with each step.
  package static let growth = 1.5
  package static let step = Duration.seconds(5 * 60)

  /// The time of the first write; nil before it is sent.
  private var start: Duration?
  /// The earliest time of the next write.
  private var free = Duration.zero

  package init() {}

  /// Returns the rate, in writes per second, this long after the first write.
  package static func rate(after elapsed: Duration) -> Double {
    let steps = min(Int(elapsed / step), longestClimb)
    return (0..<max(steps, 0)).reduce(startingRate) { rate, _ in rate * growth }
  }

  /// Returns how long the next batch has to wait, zero when it may be sent at once; its writes then
  /// count as sent.
  ///
  /// `count` is the size of the batch; `now` is the time of a monotonic clock.
  package mutating func pause(before count: Int, at now: Duration) -> Duration {
    let leaves = max(now, free)
    let start = start ?? leaves
    self.start = start
    free = leaves + .seconds(1) * (Double(count) / Self.rate(after: leaves - start))
    return leaves - now
  }

  /// The last step that is calculated: its rate is beyond what any client sends.
  private static let longestClimb = 50
}
