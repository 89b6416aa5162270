import GRDB
import Model

/// The moments of all profiles, counted in one pass each for the totals and the days.
struct MomentTallies {
  /// Moments that were not rejected, by profile.
  let totals: [String: Int]
  /// When those of the last days were logged, by profile.
  let recent: [String: [Instant]]
  let reached: [String: ReachedMomentLimits]

  /// The longest that a day began before now, in any time zone and across any change of clocks.
  fileprivate static let longestDay: Duration = .seconds(26 * 3_600)

  func usage(of profile: Profile, now: Instant) -> LimitsData.MomentUsage {
    let today = LocalDay(of: now, in: profile.timeZone)
    return LimitsData.MomentUsage(
      today: today,
      countToday: recent[profile.name, default: []].count { $0 >= today.start && $0 < today.end },
      countTotal: totals[profile.name, default: 0], reached: reached[profile.name] ?? .none)
  }
}

extension Readable {
  /// The moments of all profiles, as their quotas count them at `now`.
  func momentTallies(now: Instant) throws -> MomentTallies {
    let since = now - MomentTallies.longestDay
    var totals: [String: Int] = [:]
    var recent: [String: [Instant]] = [:]
    let counts = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT profile, count(*) FROM outbox WHERE kind = 'moment' AND state <> 'rejected'
        GROUP BY profile
        """)
    while let row = try counts.next() { totals[row[0]] = row[1] }
    let logged = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT profile, created_at FROM outbox
        WHERE kind = 'moment' AND state <> 'rejected' AND created_at >= ?
        """,
      arguments: [since.microseconds])
    while let row = try logged.next() {
      recent[row[0], default: []].append(Instant(microseconds: row[1]))
    }
    return MomentTallies(totals: totals, recent: recent, reached: try allReachedMomentLimits())
  }
}
