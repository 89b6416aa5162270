import GRDB
package import Model

extension Writer {
  /// Remembers which quotas of moments the profile has reached; `.none` forgets them.
  package func setMomentMarks(_ marks: MomentMarks, profile: String) throws {
    guard marks != .none else {
      try run("DELETE FROM moment_marks WHERE profile = ?", [profile])
      return
    }
    try run(
      """
      INSERT OR REPLACE INTO moment_marks
        (profile, daily_limit_day, daily_limit, is_total_limit_reached, total_limit)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        profile, marks.dailyLimitDay, marks.dailyLimit, marks.isTotalLimitReached,
        marks.totalLimit,
      ])
  }
}
