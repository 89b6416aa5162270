import GRDB
import Model

/// The questions of the usage report; every period is from `start` (inclusive) to `end` (exclusive).
struct UsageQuestion {
  let reader: Reader

  private static let inPeriod = "feature IS NOT NULL AND at >= ?1 AND at < ?2"

  private func period(_ start: Instant, _ end: Instant) -> StatementArguments {
    [start.microseconds, end.microseconds]
  }

  static let bucketsQuery = """
    SELECT at, feature, kind, user_type FROM events WHERE \(inPeriod) ORDER BY at
    """

  func buckets(from start: Instant, to end: Instant) throws -> [UsageFacts.Bucket] {
    let events = try RawStatement(reader.database, sql: Self.bucketsQuery)
    defer { events.reset() }
    try events.bind(start.microseconds, at: 1)
    try events.bind(end.microseconds, at: 2)
    var count = UsageCount()
    while try events.step() {
      try count.add(
        at: events.integer(column: 0), events.text(column: 1), events.text(column: 2),
        events.text(column: 3))
    }
    return count.buckets()
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
          ORDER BY taps DESC, performed DESC, user_id LIMIT ?3
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
