import GRDB
import Model

/// The questions of the usage report; every period is from `start` (inclusive) to `end` (exclusive).
struct UsageQuestion {
  let reader: Reader

  /// Bound with `period`; names the quarters too, because they lead the index.
  private static let inPeriod = """
    feature IS NOT NULL AND quarter BETWEEN ?1 AND ?2 AND at >= ?3 AND at < ?4
    """

  private func period(_ start: Instant, _ end: Instant) -> StatementArguments {
    [
      EventRow.quarter(of: start), EventRow.quarter(of: end), start.microseconds,
      end.microseconds,
    ]
  }

  static let bucketsQuery = """
    SELECT quarter * 900 AS starts_at, feature, kind, user_type, count(*) AS events
    FROM events WHERE \(inPeriod)
    GROUP BY quarter, feature, kind, user_type ORDER BY quarter, feature, kind, user_type
    """

  func buckets(from start: Instant, to end: Instant) throws -> [UsageFacts.Bucket] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: Self.bucketsQuery, arguments: period(start, end))
    return try Array(rows.map { try UsageFacts.Bucket($0) })
  }

  func activeUsers(from start: Instant, to end: Instant) throws -> Int {
    try reader.count(
      """
      SELECT count(DISTINCT user_id) FROM events WHERE \(Self.inPeriod) AND user_id <> ''
      """, period(start, end))
  }

  func heaviestUsers(
    from start: Instant, to end: Instant, limit: Int
  ) throws -> [UsageFacts.HeavyUser] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT heavy.user_id, known.user_name, taps, performed, blocked FROM (
          SELECT user_id, sum(kind = 'button_tapped') AS taps,
            sum(kind = 'performed') AS performed,
            sum(kind IN ('blocked_limit_reached', 'blocked_cooldown')) AS blocked
          FROM events WHERE \(Self.inPeriod) AND user_id <> '' GROUP BY user_id
          ORDER BY taps DESC, performed DESC, user_id LIMIT ?5
        ) AS heavy LEFT JOIN OnlineUsers AS known ON known.user_id = heavy.user_id
        ORDER BY taps DESC, performed DESC, heavy.user_id
        """,
      arguments: period(start, end) + [limit])
    return try Array(
      rows.map { row in
        UsageFacts.HeavyUser(
          userId: row.wholeText(0), name: (row[1] as WholeText?)?.string, taps: row[2],
          performed: row[3], blocked: row[4])
      })
  }
}

extension UsageFacts.Bucket {
  fileprivate init(_ row: Row) throws {
    let userType: String? = row["user_type"]
    self.init(
      startsAtSeconds: row["starts_at"], feature: try row.choice("feature", of: "events"),
      kind: try row.choice("kind", of: "events"),
      userType: userType == nil ? nil : try row.choice("user_type", of: "events"),
      count: row["events"])
  }
}
