/// A profile's moments and quotas at one time; docs/moments.md#moments.
package struct MomentSnapshot: Hashable, Sendable {
  package var tier: Tier
  /// The day by the profile's calendar.
  package var today: LocalDay
  /// Moments that were logged here today and not rejected; shown, but never a reason to refuse.
  package var countToday: Int
  package var countTotal: Int
  package var allowance: MomentAllowance
  /// The limits that the service said are reached.
  package var reached: ReachedMomentLimits
  /// Whether the app shows the profile only the newest of its moments.
  package var isTimelineRestricted: Bool

  package init(
    tier: Tier, today: LocalDay, countToday: Int, countTotal: Int, allowance: MomentAllowance,
    reached: ReachedMomentLimits, isTimelineRestricted: Bool = false
  ) {
    self.tier = tier
    self.today = today
    self.countToday = countToday
    self.countTotal = countTotal
    self.allowance = allowance
    self.reached = reached
    self.isTimelineRestricted = isTimelineRestricted
  }

  /// Why the app shows the paywall without being asked; nil when it does not.
  package var dueTrigger: Paywall.Trigger? {
    Paywall.dueTrigger(
      tier: tier, reached: reached, today: today, isTimelineRestricted: isTimelineRestricted)
  }

  /// The paywall for a trigger, with the service's message about the reached limit.
  ///
  /// Nil means the trigger that is due, else `manual`.
  package func paywall(_ trigger: Paywall.Trigger? = nil) -> Paywall {
    let due = dueTrigger ?? .manual
    let trigger = trigger ?? due
    let isReached = trigger == due
    return Paywall(
      trigger, allowance: allowance,
      serverMessage: isReached ? block.flatMap { reached.message(of: $0) } : nil)
  }

  /// The limit that forbids a new moment; nil when it may be queued.
  package var block: MomentLimit? {
    MomentQuotaRule.block(tier: tier, reached: reached, today: today)
  }
}

/// How many moments the settings allow; docs/moments.md#moments.
package struct MomentAllowance: Hashable, Sendable {
  package var freePerDay: Int
  package var premiumPerDay: Int
  package var freeTotal: Int

  package init(_ settings: Settings) {
    freePerDay = settings.value(.freeMomentsPerDay) ?? 0
    premiumPerDay = settings.value(.premiumMomentsPerDay) ?? 0
    freeTotal = settings.value(.freeMomentsTotal) ?? 0
  }

  /// What is allowed where no source says otherwise.
  package static let builtIn = MomentAllowance(SettingsRule.resolve(fetched: []))

  package func perDay(for tier: Tier) -> Int { tier.isSubscribed ? premiumPerDay : freePerDay }

  /// Such as "3 moments per day, 10 total"; docs/moments.md#paywall.
  package func words(for tier: Tier) -> String {
    let paywall = Paywall(.manual, allowance: self)
    return tier.isSubscribed ? paywall.premiumDescription : paywall.freeDescription
  }

  /// Nil means no total limit.
  package func total(for tier: Tier) -> Int? { tier.isSubscribed ? nil : freeTotal }
}
