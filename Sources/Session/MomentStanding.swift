package import Model
package import Rules

/// Where a profile stands with its moments.
package struct MomentStanding: Hashable, Sendable {
  package var tier: Tier
  /// The day by the profile's calendar.
  package var today: LocalDay
  /// Logged here today and not rejected; shown, and never a reason to refuse.
  package var countToday: Int
  package var countTotal: Int
  package var allowance: MomentAllowance
  /// What the service has said.
  package var marks: MomentMarks
  package var paywall: PaywallRule.Decision
}

/// What became of a new moment.
package enum MomentAnswer: Hashable, Sendable {
  case queued(Moment, outboxId: Int64)
  /// A limit that is known to be reached forbids it; nothing was stored.
  case blocked(Paywall)
  /// Nothing was stored; the verdict's `problem` says why.
  case refused(MomentTextRule.Verdict)
}
