package import Model

/// How long an outbox item waits after a failed attempt; see `docs/outbox.md`.
///
/// The wait doubles with every attempt. Jitter spreads items that failed together.
package struct OutboxBackoff: Hashable, Sendable {
  /// The longest `Retry-After` that is honoured: a longer one may be a slip, and would keep the
  /// item for good.
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
  /// `Retry-After`, of which `longestRequested` counts at most.
  ///
  /// - Parameters:
  ///   - now: when the attempt failed.
  ///   - attempts: failed attempts so far, this one included.
  ///   - retryAfter: the server's `Retry-After`; nil when it named none.
  ///   - random: from 0 up to 1, the source of the jitter.
  /// - Returns: the first instant at which the item is due again.
  package func nextAttempt(
    after now: Instant, attempts: Int, retryAfter: Duration?, random: Double
  ) -> Instant {
    let wait = wait(afterAttempts: attempts) * (0.5 + random)
    return now + max(wait, min(retryAfter ?? .zero, Self.longestRequested))
  }
}
