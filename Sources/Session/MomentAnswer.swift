package import Model
package import Rules

/// What became of a new moment.
package enum MomentAnswer: Hashable, Sendable {
  case queued(Moment, outboxId: Int64)
  /// A limit that is known to be reached forbids it; nothing was stored.
  case blocked(Paywall)
  /// Nothing was stored; the verdict's `problem` says why.
  case refused(MomentTextRule.Verdict)
}
