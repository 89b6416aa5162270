import GRDB
package import Model

/// What the store knows of the app's users, for the users report.
package struct UsersData: Sendable {
  /// The number of rows in `OnlineUsers`.
  package var total: Int
  /// The most frequent country; nil when no user has one, and when several are equal.
  package var topCountry: String?
  /// Users last seen within the last hour, day, week and 30 days; each contains the one before.
  package var seenWithinHour: Int
  package var seenWithinDay: Int
  package var seenWithinWeek: Int
  package var seenWithinMonth: Int
  /// When any profile last fetched the users successfully; nil when none ever did.
  package var refreshedAt: Instant?
  /// The count of the last load before the report; nil when users were never loaded without a
  /// filter.
  package var newestOnlineCount: OnlineCount?

  /// Whether the users are only those whom a load with a most number of documents found.
  package var isSample: Bool { total > 0 && newestOnlineCount?.isSample == true }
  /// People who come back, and what they look for; nil when not asked for.
  package var activity: ActivityData?
  package var demand: DemandData?
}

extension Readable {
  /// What the users report needs.
  ///
  /// A user last seen after `now` counts as seen just now, one whose time is no number as never
  /// seen.
  package func usersData(at now: Instant) throws -> UsersData {
    UsersData(
      total: try usersCount(),
      topCountry: try topCountry(),
      seenWithinHour: try seenWithin(hours: 1, of: now),
      seenWithinDay: try seenWithin(hours: 24, of: now),
      seenWithinWeek: try seenWithin(hours: 24 * 7, of: now),
      seenWithinMonth: try seenWithin(hours: 24 * 30, of: now),
      refreshedAt: try usersRefreshedAt(at: now),
      newestOnlineCount: try newestOnlineCount(until: now))
  }

  /// When the users were last fetched with success: by the ledger, or by any profile's refresh
  /// time; a time too far after `now` does not count.
  package func usersRefreshedAt(at now: Instant) throws -> Instant? {
    try reader.instant(
      """
      SELECT max(at) FROM (
        SELECT max(users_refreshed_at) AS at FROM profiles WHERE users_refreshed_at <= ?1
        UNION ALL
        SELECT max(ended_at) FROM sync_runs
        WHERE kind = '\(JobKindName.syncUsers.rawValue)' AND outcome IN ('ok', 'partial')
          AND ended_at <= ?1
      )
      """, [now.latestCounted.microseconds])
  }

  /// Nil where two have as many users.
  private func topCountry() throws -> String? {
    try reader.first(
      """
      WITH country AS (
        SELECT user_country AS name, count(*) AS users FROM OnlineUsers WHERE user_country <> ''
        GROUP BY user_country
      )
      SELECT name FROM country WHERE users = (SELECT max(users) FROM country)
      GROUP BY users HAVING count(*) = 1
      """
    ) { $0.wholeText(0) }
  }

  /// The table, as the app's own, takes texts where a number should be; they lie above all numbers.
  private static var isNumber: String { "user_last_time_seen < ''" }

  private func seenWithin(hours: Int, of now: Instant) throws -> Int {
    try reader.count(
      "SELECT count(*) FROM OnlineUsers WHERE user_last_time_seen > ? AND \(Self.isNumber)",
      [now.unixSeconds - Int64(hours) * 3600])
  }
}
