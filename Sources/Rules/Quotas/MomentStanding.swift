package import Model

/// Where a profile stands with its moments; docs/rules.md#moments.
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

  package init(
    tier: Tier, today: LocalDay, countToday: Int, countTotal: Int, allowance: MomentAllowance,
    marks: MomentMarks
  ) {
    self.tier = tier
    self.today = today
    self.countToday = countToday
    self.countTotal = countTotal
    self.allowance = allowance
    self.marks = marks
  }

  package var paywall: PaywallRule.Decision {
    PaywallRule.decide(tier: tier, marks: marks, today: today)
  }

  /// The limit that forbids a new moment; nil when it may be queued.
  package var block: MomentLimit? {
    MomentQuotaRule.block(tier: tier, marks: marks, today: today)
  }
}
