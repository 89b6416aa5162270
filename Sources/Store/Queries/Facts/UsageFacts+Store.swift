import GRDB
package import Model

extension Readable {
  /// What the usage report needs: of the frame's period, and of the one before it.
  ///
  /// The frame's start should lie on a quarter of an hour: a bucket that it cuts counts events of
  /// both periods. Each question is one pass over the index `events_usage`, which holds all that it
  /// asks for, in the order of the groups.
  package func usageFacts(_ frame: ReportFrame, heaviest: Int) throws -> UsageFacts {
    let usage = UsageQuestion(reader: reader)
    return UsageFacts(
      buckets: try usage.buckets(from: frame.previousStart, to: frame.end),
      activeUsers: try usage.activeUsers(from: frame.start, to: frame.end),
      previousActiveUsers: try usage.activeUsers(from: frame.previousStart, to: frame.start),
      heaviestUsers: try usage.heaviestUsers(from: frame.start, to: frame.end, limit: heaviest),
      newestEventAt: try newestEventAt())
  }
}

/// The questions of the usage report; every period is from `start` (inclusive) to `end` (exclusive).
private struct UsageQuestion {
  let reader: Reader

  /// Bound with `period`; names the quarters too, because they lead the index.
  private static let inPeriod = """
    feature IS NOT NULL AND quarter BETWEEN ?1 AND ?2 AND at >= ?3 AND at < ?4
    """

  private static let quarterMicroseconds: Int64 = 900_000_000

  private func period(_ start: Instant, _ end: Instant) -> StatementArguments {
    [
      start.microseconds / Self.quarterMicroseconds, end.microseconds / Self.quarterMicroseconds,
      start.microseconds, end.microseconds,
    ]
  }

  func buckets(from start: Instant, to end: Instant) throws -> [UsageFacts.Bucket] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT quarter * 900 AS starts_at, feature, kind, user_type, count(*) AS events
        FROM events WHERE \(Self.inPeriod)
        GROUP BY quarter, feature, kind, user_type ORDER BY quarter, feature, kind, user_type
        """,
      arguments: period(start, end))
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
