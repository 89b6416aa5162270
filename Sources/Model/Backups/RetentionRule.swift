/// How many copies of the database stay; see `docs/backup.md#retention`.
package struct RetentionPolicy: Hashable, Sendable {
  /// Days, newest first, whose last copy stays.
  package var daily: Int
  /// Weeks from Monday to Sunday whose last copy stays.
  package var weekly: Int
  /// Months whose last copy stays.
  package var monthly: Int

  package init(daily: Int, weekly: Int = 0, monthly: Int = 0) {
    self.daily = daily
    self.weekly = weekly
    self.monthly = monthly
  }

  /// Whether no copy would stay, so that none needs to be made.
  package var keepsNone: Bool { daily <= 0 && weekly <= 0 && monthly <= 0 }
}

/// Says which copies of the database stay, and why.
///
/// The last copy of a day, week or month stays while it is one of the newest that have a copy. So a
/// machine that was off for a month loses none.
package enum RetentionRule {
  package enum Reason: String, CaseIterable, Sendable {
    case daily, weekly, monthly
  }

  /// The copies made before migrations that stay, newest first.
  package static let migrationCopies = 3

  /// The copies that stay, each with its reasons; a copy that is missing here may go.
  ///
  /// An unknown time zone counts as UTC.
  package static func kept(
    _ instants: some Sequence<Instant>, by policy: RetentionPolicy, timeZone: String
  ) -> [Instant: Set<Reason>] {
    let newestFirst = Set(instants).sorted(by: >)
    let days = newestFirst.map { LocalDay(of: $0, in: timeZone).text }
    let periods: [(Reason, Int, [String])] = [
      (.daily, policy.daily, days),
      (.weekly, policy.weekly, days.map { "\(week(of: $0))" }),
      (.monthly, policy.monthly, days.map { String($0.prefix(7)) }),
    ]
    var kept: [Instant: Set<Reason>] = [:]
    for (reason, count, names) in periods {
      var seen: Set<String> = []
      for (instant, name) in zip(newestFirst, names) where seen.count < count {
        if seen.insert(name).inserted { kept[instant, default: []].insert(reason) }
      }
    }
    return kept
  }

  /// The number of a day's week; 0 has the first day of 1970, a Thursday.
  private static func week(of day: String) -> Int64 {
    let secondsOfDay: Int64 = 86_400
    let daysFromMonday: Int64 = 3
    let start = Instant(iso8601: "\(day)T00:00:00Z") ?? Instant(unixSeconds: 0)
    let days = start.unixSeconds / secondsOfDay + daysFromMonday
    return days >= 0 ? days / 7 : (days - 6) / 7
  }
}
