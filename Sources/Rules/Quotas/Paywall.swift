import Model

/// What the paywall shows; docs/rules.md#paywall.
package struct Paywall: Hashable, Sendable {
  /// Why it is shown.
  package enum Trigger: String, CaseIterable, Codable, Sendable {
    case dailyLimitReached = "daily_limit_reached"
    case totalLimitReached = "total_limit_reached"
    case timelineRestricted = "timeline_restricted"
    case manual
  }

  package var trigger: Trigger
  /// What has happened; nil where no limit was reached.
  package var banner: String?
  package var header: String
  package var premiumDescription: String
  package var freeDescription: String
  /// What an upgrade brings, in the order to list it.
  package var benefits: [String]

  package init(_ trigger: Trigger, allowance: MomentAllowance) {
    self.trigger = trigger
    let premium = Self.moments(allowance.premiumPerDay)
    banner = Self.banner(trigger, allowance)
    header = "Unlock up to \(premium) per day"
    premiumDescription = "Up to \(premium) per day, unlimited history"
    freeDescription =
      "\(Self.moments(allowance.freePerDay)) per day, \(allowance.freeTotal) total"
    benefits = ["up to \(premium) a day", "unlimited total moments", "full journey history"]
  }

  private static func banner(_ trigger: Trigger, _ allowance: MomentAllowance) -> String? {
    switch trigger {
    case .totalLimitReached:
      "You've logged \(moments(allowance.freeTotal)). Go premium to keep celebrating your wins."
    case .dailyLimitReached:
      "Daily limit reached. Go premium to continue without interruptions."
    case .timelineRestricted, .manual: nil
    }
  }

  private static func moments(_ count: Int) -> String {
    count == 1 ? "1 moment" : "\(count) moments"
  }
}
