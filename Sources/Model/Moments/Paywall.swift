/// What the paywall shows; docs/moments.md#paywall.
package struct Paywall: Hashable, Sendable {
  package enum Trigger: String, CaseIterable, Codable, Sendable {
    case dailyLimitReached = "daily_limit_reached"
    case totalLimitReached = "total_limit_reached"
    case timelineRestricted = "timeline_restricted"
    case manual
  }

  package var trigger: Trigger
  /// The reached limit as a sentence; nil when none is.
  package var banner: String?
  /// The service's message when it refused a moment; nil without one.
  package var serverMessage: String?
  package var header: String
  package var premiumDescription: String
  package var freeDescription: String
  /// The advantages of an upgrade, in the order of the list.
  package var benefits: [String]

  /// The title of the card that a subscriber sees instead of the offer.
  package static let thanks = "Thank you for going premium!"

  package init(_ trigger: Trigger, allowance: MomentAllowance, serverMessage: String? = nil) {
    self.trigger = trigger
    self.serverMessage = serverMessage
    let premium = Self.moments(allowance.premiumPerDay)
    banner = Self.banner(trigger, allowance)
    header = "Unlock up to \(premium) per day"
    premiumDescription = "Up to \(premium) per day, unlimited history"
    freeDescription = "\(Self.moments(allowance.freePerDay)) per day, \(allowance.freeTotal) total"
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

  /// Why the app shows a profile the paywall without being asked; nil when it does not.
  ///
  /// Limits count before the restricted timeline, which stops nobody from logging moments.
  package static func dueTrigger(
    tier: Tier, reached: ReachedMomentLimits, today: LocalDay, isTimelineRestricted: Bool = false
  ) -> Trigger? {
    switch MomentQuotaRule.block(tier: tier, reached: reached, today: today) {
    case .total: .totalLimitReached
    case .daily: .dailyLimitReached
    case nil: isTimelineRestricted && !tier.isSubscribed ? .timelineRestricted : nil
    }
  }
}
