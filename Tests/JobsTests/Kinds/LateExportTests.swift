import Fixtures
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Model

/// Lost and late exports, from the rows of the database to the days of a report.
struct LateExportTests {
  private static let midnight = Instant(unixSeconds: 1_767_571_200)

  private static func at(_ hours: Double) -> Instant { midnight + .seconds(hours * 3_600) }

  /// Ten lines an hour from some days ago to `end`, some more in an hour of yesterday, and imports
  /// at 6:30 of the last ten days.
  private func yesterday(
    linesUntil end: Int, importsToday: Bool, also: [Double] = [], now: Double, days: Int = 22,
    strays: Int = 0
  ) throws -> (coverage: DayFacts.Coverage?, gaps: Int) {
    let folder = try TemporaryFolder()
    let store = try NewDatabase.open(path: folder.path + "/firetally.sqlite")
    func lines(_ count: Int, _ hour: Int) -> [Event] {
      (0..<count).map {
        Event(name: "app_events", at: Self.at(Double(hour)) + .seconds(60 * $0), userId: "u")
      }
    }
    let events = (-days * 24..<end).flatMap { lines(10, $0) } + lines(strays, -20)
    let imports = (-10...(importsToday ? 0 : -1)).map { Double($0) * 24 + 6.5 } + also
    try store.write { writer in
      _ = try writer.append(events, source: "a.json")
      for start in imports {
        _ = try writer.begin(
          Run(
            job: "events", kind: "import-events", trigger: .scheduled, startedAt: Self.at(start),
            outcome: .ok, counts: RunCounts(inserted: 240)))
      }
    }
    let now = Self.at(now)
    let data = try store.read { reader in
      var data = try LedgerDays(
        reader.dayFacts(DayHistory.spans(at: now, in: "UTC"), at: now),
        ledgerBeginsAt: reader.ledgerBeginsAt())
      try data.judgeCoverage(reader, at: now, in: "UTC")
      return data
    }
    return (data.history.days.dropLast().last?.coverage, data.exportGaps.count)
  }

  @Test func `an outage until midnight is told when the export has come`() throws {
    let found = try yesterday(linesUntil: -14, importsToday: true, now: 7)
    #expect(found.coverage == .partial && found.gaps == 1)
  }

  @Test(arguments: [(6.4, DayFacts.Coverage.awaited), (6.45, .none), (9, .none)])
  func `a day without lines is late until the usual time, and then lost`(
    now: Double, coverage: DayFacts.Coverage
  ) throws {
    let found = try yesterday(linesUntil: -24, importsToday: false, now: now)
    #expect(found.coverage == coverage && found.gaps == (coverage == .awaited ? 0 : 1))
  }

  @Test(arguments: [(24, DayFacts.Coverage.none), (25, .partial)])
  func `of a lost day a tenth of its lines may come with other days`(
    strays: Int, coverage: DayFacts.Coverage
  ) throws {
    let found = try yesterday(
      linesUntil: -24, importsToday: true, now: 7, days: 36, strays: strays)
    #expect(found.coverage == coverage && found.gaps == 1)
  }

  @Test func `an import by hand in the afternoon makes no lost export late`() throws {
    let found = try yesterday(linesUntil: -24, importsToday: false, also: [-10], now: 6.6)
    #expect(found.coverage == DayFacts.Coverage.none && found.gaps == 1)
  }
}
