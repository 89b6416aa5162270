/// Which quotas of moments a profile has reached, as the service said; docs/moments.md#moments.
package enum MomentQuotaRule {
  /// The limit that forbids a new moment; nil when it may be queued.
  ///
  /// A subscribed profile is never blocked, and our own counts never block.
  package static func block(tier: Tier, reached: ReachedMomentLimits, today: LocalDay)
    -> MomentLimit?
  {
    tier.isSubscribed ? nil : known(tier: tier, reached: reached, today: today)
  }

  /// The limit that a delivery is known to meet; nil when only the service knows.
  ///
  /// The total comes first, since no new day resets it. It does not count for a subscribed profile:
  /// the service may already know of the upgrade.
  package static func known(tier: Tier, reached: ReachedMomentLimits, today: LocalDay)
    -> MomentLimit?
  {
    if reached.isTotalLimitReached, !tier.isSubscribed { return .total }
    return reached.dailyLimitDay == today.text ? .daily : nil
  }

  /// The reached limits after the service refused a moment.
  ///
  /// The service may give neither the limit's number nor words of its own.
  package static func reached(
    _ reached: ReachedMomentLimits, reaching new: MomentLimit, of limit: Int?,
    message: String? = nil, today: LocalDay
  ) -> ReachedMomentLimits {
    var reached = reached
    switch new {
    case .daily:
      reached.dailyLimitDay = today.text
      reached.dailyLimit = limit
      reached.dailyMessage = message
    case .total:
      reached.isTotalLimitReached = true
      reached.totalLimit = limit
      reached.totalMessage = message
    }
    return reached
  }

  /// Why a moment waits: a sentence with the service's number and its own words.
  package static func reason(_ limit: MomentLimit, reached: ReachedMomentLimits) -> String {
    sentence(limit, reached) + (reached.message(of: limit).map { " It says: \($0)" } ?? "")
  }

  private static func sentence(_ limit: MomentLimit, _ reached: ReachedMomentLimits) -> String {
    switch limit {
    case .daily:
      "The moments service accepts no more today"
        + (reached.dailyLimit.map { " (\($0) a day)" } ?? "")
        + "; the moment waits for the next day."
    case .total:
      "The moments service accepts no more"
        + (reached.totalLimit.map { " (\($0) in all)" } ?? "")
        + "; the moment waits for an upgrade."
    }
  }
}
