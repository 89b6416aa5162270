import GRDB
package import Model

extension Readable {
  /// The quotas of moments that the profile is known to have reached.
  package func momentMarks(profile: String) throws -> MomentMarks {
    let row = try Row.fetchOne(
      reader.database, sql: "SELECT * FROM moment_marks WHERE profile = ?", arguments: [profile])
    return row.map(MomentMarks.init) ?? .none
  }

  /// The same of every profile that has reached any.
  func allMomentMarks() throws -> [String: MomentMarks] {
    let rows = try Row.fetchAll(reader.database, sql: "SELECT * FROM moment_marks")
    return Dictionary(rows.map { ($0["profile"], MomentMarks($0)) }) { _, last in last }
  }

  /// How many moments the profile has logged, without those that were rejected.
  ///
  /// The start is inside the span, the end is not; nil for both counts all.
  package func momentsCount(
    profile: String, from start: Instant? = nil, to end: Instant? = nil
  ) throws -> Int {
    try Int.fetchOne(
      reader.database,
      sql: """
        SELECT count(*) FROM outbox
        WHERE kind = 'moment' AND profile = ?1 AND state <> 'rejected'
          AND (?2 IS NULL OR created_at >= ?2) AND (?3 IS NULL OR created_at < ?3)
        """,
      arguments: [profile, start?.microseconds, end?.microseconds]) ?? 0
  }
}

extension MomentMarks {
  fileprivate init(_ row: Row) {
    self.init(
      dailyLimitDay: row["daily_limit_day"], dailyLimit: row["daily_limit"],
      isTotalLimitReached: row["is_total_limit_reached"], totalLimit: row["total_limit"])
  }
}
