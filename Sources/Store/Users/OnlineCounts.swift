import GRDB
package import Model

extension Readable {
  /// Users last seen within the window of `OnlineCount` before `now`.
  package func usersOnline(at now: Instant) throws -> Int {
    try reader.count(
      """
      SELECT count(*) FROM OnlineUsers
      WHERE user_last_time_seen > ? AND user_last_time_seen < ''
      """, [(now - OnlineCount.window).unixSeconds])
  }

  /// The counts from `start` (inclusive) on, oldest first.
  package func onlineCounts(from start: Instant) throws -> [OnlineCount] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: "SELECT at, online, is_sample, is_minimum FROM online_counts WHERE at >= ? ORDER BY at",
      arguments: [start.microseconds])
    return try Array(rows.map { OnlineCount($0) })
  }

  /// The newest count up to an instant; nil when users were not loaded without a filter until then.
  package func newestOnlineCount(until now: Instant) throws -> OnlineCount? {
    try Row.fetchOne(
      reader.database,
      sql: """
        SELECT at, online, is_sample, is_minimum FROM online_counts
        WHERE at <= ? ORDER BY at DESC LIMIT 1
        """, arguments: [now.microseconds]
    ).map { OnlineCount($0) }
  }
}

extension OnlineCount {
  fileprivate init(_ row: Row) {
    self.init(
      at: Instant(microseconds: row[0]), online: row[1], isSample: row[2], isMinimum: row[3])
  }
}

extension Writer {
  /// Adds the count of a load, or replaces that of the same job and instant.
  package func record(_ count: OnlineCount, job: String) throws {
    try run(
      "INSERT OR REPLACE INTO online_counts VALUES (?, ?, ?, ?, ?)",
      [count.at.microseconds, job, count.online, count.isSample, count.isMinimum])
  }
}
