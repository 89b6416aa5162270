package import Model

/// How many moments the settings allow; docs/rules.md#moments.
package struct MomentAllowance: Hashable, Sendable {
  package var freePerDay: Int
  package var premiumPerDay: Int
  package var freeTotal: Int

  package init(_ settings: Settings) {
    freePerDay = settings.value(.freeMomentsPerDay) ?? 0
    premiumPerDay = settings.value(.premiumMomentsPerDay) ?? 0
    freeTotal = settings.value(.freeMomentsTotal) ?? 0
  }

  package func perDay(for tier: Tier) -> Int { tier.isSubscribed ? premiumPerDay : freePerDay }

  /// Nil: without a total limit.
  package func total(for tier: Tier) -> Int? { tier.isSubscribed ? nil : freeTotal }
}
