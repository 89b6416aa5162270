import GRDB
package import Model

extension Readable {
  /// The quotas of moments that a profile has reached, as far as known.
  package func reachedMomentLimits(profile: String) throws -> ReachedMomentLimits {
    try reader.first("SELECT * FROM moment_marks WHERE profile = ?", [profile]) {
      ReachedMomentLimits($0)
    } ?? .none
  }

  /// The same for every profile that has reached any.
  func allReachedMomentLimits() throws -> [String: ReachedMomentLimits] {
    let limits: [(String, ReachedMomentLimits)] = try reader.rows("SELECT * FROM moment_marks") {
      ($0["profile"], ReachedMomentLimits($0))
    }
    return Dictionary(limits) { _, last in last }
  }

  /// The number of moments that a profile logged, without rejected ones.
  ///
  /// From `start` (inclusive) to `end` (exclusive); nil bounds are open.
  package func momentsCount(
    profile: String, from start: Instant? = nil, to end: Instant? = nil
  ) throws -> Int {
    try reader.count(
      """
      SELECT count(*) FROM outbox
      WHERE kind = 'moment' AND profile = ?1 AND state <> 'rejected'
        AND (?2 IS NULL OR created_at >= ?2) AND (?3 IS NULL OR created_at < ?3)
      """, [profile, start?.microseconds, end?.microseconds])
  }
}

extension ReachedMomentLimits {
  fileprivate init(_ row: Row) {
    self = .none
    (dailyLimitDay, dailyLimit) = (row["daily_limit_day"], row["daily_limit"])
    (isTotalLimitReached, totalLimit) = (row["is_total_limit_reached"], row["total_limit"])
    (dailyMessage, totalMessage) = (row["daily_message"], row["total_message"])
  }
}

extension Writer {
  /// Stores which quotas of moments a profile has reached; `.none` deletes the row.
  package func setReachedMomentLimits(_ reached: ReachedMomentLimits, profile: String) throws {
    guard reached != .none else {
      try run("DELETE FROM moment_marks WHERE profile = ?", [profile])
      return
    }
    try insert(
      into: "moment_marks",
      [
        ("profile", profile), ("daily_limit_day", reached.dailyLimitDay),
        ("daily_limit", reached.dailyLimit),
        ("is_total_limit_reached", reached.isTotalLimitReached),
        ("total_limit", reached.totalLimit), ("daily_message", reached.dailyMessage),
        ("total_message", reached.totalMessage),
      ], orReplace: true)
  }
}
