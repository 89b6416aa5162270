import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

/// Days of Lord Howe Island, whose clocks change by half an hour: docs/counts.md.
@Suite struct HalfHourDayTests {
  private let folder: TemporaryStore
  private let store: Store
  private static let zone = "Australia/Lord_Howe"

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  /// A day after the 28 before it.
  private func days(until day: String) throws -> [Range<Instant>] {
    let noon = try #require(Instant(iso8601: "\(day)T01:00:00Z"))
    return LocalDay.days(
      touching: noon - .seconds(28 * 86_400)..<noon + .seconds(1), in: Self.zone
    ).map { $0.start..<$0.end }
  }

  /// What `usage_hour` says of the taps of each hour of the last day.
  private func taps(of days: [Range<Instant>], usesCounts: Bool) throws -> [String] {
    let context = ReportContext(
      appName: "ChatHub", now: days[28].upperBound, timeZone: Self.zone,
      start: days[28].lowerBound, end: days[28].upperBound)
    return try store.read { reader in
      try reader.withRelations {
        let facts = try reader.dayFacts(days, at: context.now)
        let pass = try reader.ledgerPass(context, days: facts, changes: [], usesCounts: usesCounts)
        #expect((pass.keptDays != nil) == usesCounts)
        let usage = try reader.usageData(pass)
        try reader.fill(ReportRelations(context, usage, runs: .none), of: pass)
        return try reader.values(
          """
          SELECT day.date || ' ' || hour || ': ' || taps FROM usage_hour JOIN day USING (day)
          WHERE day.start = \(days[28].lowerBound.microseconds) ORDER BY hour
          """)
      }
    }
  }

  @Test(arguments: [
    ("2026-04-05", 98, "2026-04-05 1: 6"), ("2026-10-04", 94, "2026-10-04 2: 2"),
    ("2026-07-01", 96, "2026-07-01 1: 4"),
  ])
  func `events stay in the hours of the clock`(day: String, quarters: Int, hour: String) throws {
    let days = try days(until: day)
    #expect(days.count == 29)
    let start = days[28].lowerBound
    #expect(days[28].upperBound - start == .seconds(900 * quarters))
    let events = (0..<quarters).map { quarter in
      Event(
        name: "ios_refresh_button_tapped", at: start + .seconds(900 * quarter + 60),
        userId: "ada", parameters: ["ios_user_type": .string("free_user")])
    }
    _ = try store.write { try $0.append(events, source: "test") }
    try store.keepCounts(of: days, in: Self.zone, on: nil)
    let counted = try taps(of: days, usesCounts: true)
    #expect(counted == (try taps(of: days, usesCounts: false)))
    #expect(counted.contains(hour), "\(counted)")
  }
}
