package import Model

/// Whether a profile meets the paywall, and why; docs/rules.md#paywall.
package enum PaywallRule {
  package struct Decision: Hashable, Sendable {
    /// Whether a limit puts the paywall in the way.
    package var shouldShow: Bool
    /// `manual` when nothing does.
    package var trigger: Paywall.Trigger
  }

  package static func decide(tier: Tier, marks: MomentMarks, today: LocalDay) -> Decision {
    switch MomentQuotaRule.block(tier: tier, marks: marks, today: today) {
    case .total: Decision(shouldShow: true, trigger: .totalLimitReached)
    case .daily: Decision(shouldShow: true, trigger: .dailyLimitReached)
    case nil: Decision(shouldShow: false, trigger: .manual)
    }
  }
}
