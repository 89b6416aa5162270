package import Model

/// Which quota of moments a profile has reached, as far as the service has said so;
/// docs/rules.md#moments.
package enum MomentQuotaRule {
  /// The limit that forbids a new moment; nil when it may be queued.
  ///
  /// A subscribed profile is never held up. Our own counts decide nothing.
  package static func block(tier: Tier, marks: MomentMarks, today: LocalDay) -> MomentLimit? {
    tier.isSubscribed ? nil : known(tier: tier, marks: marks, today: today)
  }

  /// The limit that a delivery would meet; nil when the service is to be asked.
  ///
  /// The total comes first, since no day resets it. It says nothing about a subscribed profile,
  /// whose upgrade the service may hear of any moment.
  package static func known(tier: Tier, marks: MomentMarks, today: LocalDay) -> MomentLimit? {
    if marks.isTotalLimitReached, !tier.isSubscribed { return .total }
    return marks.dailyLimitDay == today.text ? .daily : nil
  }

  /// The marks after the service has refused a moment; `limit` is the number it named.
  package static func marks(
    _ marks: MomentMarks, reaching reached: MomentLimit, of limit: Int?, today: LocalDay
  ) -> MomentMarks {
    var marks = marks
    switch reached {
    case .daily:
      marks.dailyLimitDay = today.text
      marks.dailyLimit = limit
    case .total:
      marks.isTotalLimitReached = true
      marks.totalLimit = limit
    }
    return marks
  }

  /// Why a moment waits, as a sentence with the number that the service named.
  package static func reason(_ limit: MomentLimit, marks: MomentMarks) -> String {
    switch limit {
    case .daily:
      "The moments service takes no more today"
        + (marks.dailyLimit.map { " (\($0) a day)" } ?? "") + "; it waits for the next day."
    case .total:
      "The moments service takes no more"
        + (marks.totalLimit.map { " (\($0) in all)" } ?? "") + "; it waits for an upgrade."
    }
  }
}
