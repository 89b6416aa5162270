import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

/// Lines by hours of UTC: docs/counts.md.
@Suite struct ImportLinesTests {
  private let folder: TemporaryStore
  private let store: Store
  /// Three days of a zone that is 5 hours and 45 minutes ahead of UTC.
  private static let days = (0..<3).map { day in
    let start = Instant(unixSeconds: 1_767_225_600 + 900 + Int64(day) * 86_400)
    return start..<start + .seconds(86_400)
  }
  private static let first = days[0].lowerBound.microseconds
  private static let hour: Int64 = 3_600_000_000

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func append(_ minutes: [Int], source: String = "a.json") throws {
    let events = minutes.map { minute in
      Event(
        name: "app_events", at: Self.days[0].lowerBound + .seconds(60 * minute), userId: "ada")
    }
    _ = try store.write { try $0.append(events, source: source) }
  }

  private func keep() throws {
    try store.keepCounts(of: Self.days, in: "Asia/Kathmandu", on: "ios")
  }

  private func counts(between minutes: [Int64]) throws -> [Int] {
    try store.read {
      try ImportLines($0).counts(between: minutes.map { Self.first + $0 * 60_000_000 })
    }
  }

  @Test func `a day has the parts of 25 hours where it begins within one`() {
    let day = Self.first..<Self.first + 24 * Self.hour
    let parts = ImportLines.hours(of: day)
    #expect(parts.count == 25)
    #expect(parts[0] == day.lowerBound)
    #expect(parts[1] == day.lowerBound + 2_700_000_000)
    #expect(parts[24] == day.upperBound - 900_000_000)
    let whole = ImportLines.hours(of: 0..<24 * Self.hour)
    #expect(whole == (0..<24).map { $0 * Self.hour })
    #expect(ImportLines.hours(of: -900_000_000..<0) == [-900_000_000])
  }

  @Test func `kept lines are read for hours, days and what both leave over`() throws {
    try append([0, 44, 45, 104, 105, 24 * 60 - 1, 24 * 60, 3 * 24 * 60 - 1, 3 * 24 * 60])
    try append([50, 51], source: Event.ownSource)
    try keep()
    #expect(try store.read { try $0.count("SELECT sum(lines) FROM fact_import") } == 8)
    // Hours of UTC, of which the first begins before the day.
    #expect(try counts(between: [-15, 45, 105, 165]) == [2, 2, 1])
    #expect(try counts(between: [0, 24 * 60, 48 * 60, 72 * 60]) == [6, 1, 1])
    // Over the midnight of the zone.
    #expect(try counts(between: [23 * 60 + 45, 24 * 60 + 45]) == [2])
    #expect(try counts(between: [1, 45, 45, 46, 72 * 60, 72 * 60 + 1]) == [1, 0, 1, 5, 1])
  }

  @Test func `a day whose counts do not hold is counted`() throws {
    try append([10, 30 * 60])
    try keep()
    try store.write { try $0.database.execute(sql: "UPDATE fact_import SET lines = lines + 100") }
    let wrong = try counts(between: [0, 24 * 60, 48 * 60])
    #expect(wrong == [2_501, 2_501])
    try append([31 * 60])
    #expect(try counts(between: [0, 24 * 60, 48 * 60]) == [2_501, 2])
  }
}
