import ReportsTesting
import Testing

@testable import Model
@testable import Reports
@testable import Store

/// The index of a calendar month: docs/reports/form.md#a-month.
@Suite struct MonthIndexTests {
  /// 102 days of the same use up to Monday 2 March 2026, with an outage, an empty day and a
  /// release.
  private static let usage: UsageData = {
    var usage = EmptyReports.usage
    usage.activeUsers = 300
    usage.previousActiveUsers = 200
    usage.people = PeopleData()
    usage.people?.stages.active = 250
    usage.people?.stages.blocked = 50
    let last = SampleReports.at("2026-03-02T00:00:00Z")
    usage.history = DayHistory(
      days: (0..<102).map { number in
        let start = last - .seconds(86_400 * (101 - number))
        var day = DayFacts(
          start: start, end: start + .seconds(86_400), coverage: number == 101 ? .running : .whole)
        day.activeUsers = 100
        day.taps = 1_000
        day.exportLines = 4_000
        day.newSubscribers = start < SampleReports.at("2026-02-01T00:00:00Z") ? 2 : 1
        day.stars = [0, 0, 0, 1, 1]
        return day
      })
    usage.history.days[80].exportLines = 0
    usage.history.days[80].coverage = .none
    return usage
  }()

  private static let releases: [(version: String, at: String)] = [
    ("3.9", "2025-12-05T00:00:00Z"), ("3.10", "2026-02-20T00:00:00Z"),
    ("3.11", "2026-03-01T08:00:00Z"),
  ]

  private func context(_ start: String, _ end: String, scope: String? = nil) -> ReportContext {
    ReportContext(
      appName: "ChatHub", now: SampleReports.at("2026-03-02T06:30:00Z"), timeZone: "UTC",
      start: SampleReports.at(start), end: SampleReports.at(end), scope: scope)
  }

  private func index(
    _ start: String, _ end: String, scope: String? = nil, price: String = "$2.99/week",
    releases: [(version: String, at: String)] = releases, fault: ComparisonFault? = nil,
    _ change: (inout UsageData) -> Void = { _ in }
  ) throws -> Report {
    var context = context(start, end, scope: scope)
    context.comparisonFault = fault
    var ratings = EmptyReports.ratings
    ratings.versionStarts = releases.enumerated().map { number, release in
      .init(
        version: release.version, at: SampleReports.at(release.at), ratingsBefore: 20 * number)
    }
    var limits = EmptyReports.limits
    limits.price = price
    var usage = Self.usage
    change(&usage)
    let reports = ReportSet.make(
      context: context, usage: usage, limits: limits,
      ratings: ratings, users: EmptyReports.users, runs: EmptyReports.runs)
    return try #require(reports.first)
  }

  private static let missing = ComparisonFault.missingLines(
    SampleReports.at("2026-02-09T00:00:00Z"))

  @Test func `where a day is missing, months are compared by the days that both know`() throws {
    let index = try index(
      "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", fault: Self.missing
    ) { usage in
      for day in usage.history.days.indices { usage.history.days[day].blockedUsers = 3 }
      for day in 0..<72 { usage.history.days[day].subscriptionTaps = 4 }
    }
    let tiles = Dictionary(uniqueKeysWithValues: index.headline.map { ($0.id, $0) })
    #expect(tiles["new-subs"]?.change == PeriodChange(from: 54, to: 27))
    #expect(tiles["new-subs"]?.changeNote == "of 27 days each")
    #expect(tiles["subscription-taps"]?.change == PeriodChange(from: 108, to: 0))
    #expect(tiles["active-users"]?.change == PeriodChange(from: 100, to: 100))
    #expect(tiles["active-users"]?.note == "100 a day, of 27 days each")
    #expect(tiles["active-users"]?.changeNote == nil)
    #expect(tiles["limit"]?.note == "active free; 3.0 a day, 3.0 before")
    #expect(
      tiles["payments"]?.note == "at $2.99/week; of 27 days each: $80.73, $161.46 before")
    #expect(index.summary.contains("Against Jan 2026, of 27 days each: "), "\(index.summary)")
    #expect(index.summary.contains("new subscribers 27, −50% from 54"), "\(index.summary)")
    #expect(
      index.summary.hasPrefix(
        "300 people were active in Feb 2026: 100 a day on average, same as before (100). "),
      "\(index.summary)")
  }

  @Test(arguments: [(7, true), (8, false)])
  func `twenty days must be known of both`(unknown: Int, isCompared: Bool) throws {
    let index = try index(
      "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", fault: Self.missing
    ) { usage in
      // January begins with day 41.
      for day in 41..<(41 + unknown) { usage.history.days[day].coverage = .none }
    }
    let new = index.headline.first { $0.id == "new-subs" }
    #expect((new?.change != nil) == isCompared)
    #expect(new?.changeNote?.hasPrefix(isCompared ? "of 20 days" : "no comparison") == true)
  }

  @Test func `first payments say those of the month before`() throws {
    let tiles = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z").headline
    let note = try #require(tiles.first { $0.id == "payments" }?.note)
    #expect(note.contains("185.38") && note.hasSuffix(" before"), "\(note)")
  }

  /// The rows of "What happened", as words.
  private func happened(in index: Report) throws -> [[String]] {
    guard case .table(let table) = try #require(index.sections.first?.blocks.first) else {
      return []
    }
    let words = CellWords(time: TimeWords(context: index.context))
    return table.rows.map { $0.cells.map(words.words) }
  }

  @Test func `each tile is of the month and against the month before`() throws {
    let index = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    #expect(index.title == "Feb 2026, compared with Jan 2026")
    let tiles = Dictionary(uniqueKeysWithValues: index.headline.map { ($0.id, $0) })
    #expect(tiles["active-users"]?.value == .count(300))
    #expect(tiles["active-users"]?.change == PeriodChange(from: 200, to: 300))
    #expect(tiles["limit"]?.value == .count(50) && tiles["limit"]?.share == Ratio(50, of: 250))
    #expect(tiles["new-subs"]?.value == .count(28))
    #expect(tiles["new-subs"]?.change == PeriodChange(from: 62, to: 28))
    #expect(tiles["payments"]?.value == .money(83.72, currency: "$"))
    #expect(tiles["mean-stars"]?.note?.hasSuffix("4.50 before") == true)
    #expect(tiles["new-subs"]?.trend?.count == 28)
    #expect(index.headline.allSatisfy { $0.definition != nil && $0.report != nil })
    #expect(
      index.summary.hasPrefix(
        "300 people were active in Feb 2026, +50% from 200. Against Jan 2026: "), "\(index.summary)"
    )
    #expect(tiles["active-users"]?.trend?.count == 28 && tiles["limit"]?.trend == nil)
    #expect(index.summary.contains("new subscribers 28, −55% from 62"), "\(index.summary)")
  }

  @Test func `what happened in the month stands by day, and nothing of another month`() throws {
    let index = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    let words = try happened(in: index)
    #expect(words.map { $0[0] } == ["Mon 9 Feb 2026", "Fri 20 Feb 2026"])
    #expect(words.first?[1].hasPrefix("No line of the export has arrived") == true, "\(words)")
    #expect(words.last?[1] == "version 3.10 first rated")
  }

  @Test func `what happened is of the first to the last instant of the month`() throws {
    let index = try index(
      "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z",
      releases: [
        ("3.1", "2025-12-05T00:00:00Z"), ("3.2", "2026-01-31T23:59:59Z"),
        ("3.3", "2026-02-01T00:00:00Z"), ("3.4", "2026-02-28T23:59:59Z"),
        ("3.5", "2026-03-01T00:00:00Z"),
      ])
    let versions = try happened(in: index).map { $0[1] }.filter { $0.hasPrefix("version") }
    #expect(versions == ["version 3.3 first rated", "version 3.4 first rated"])
  }

  @Test(arguments: [false, true])
  func `silent hours are told once, as an outage where they are one`(isOutage: Bool) throws {
    let index = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z") { usage in
      let start = usage.history.days[85].start + .seconds(32_400)
      usage.history.days[85].silentHours = 9
      usage.exportGaps = [
        ExportGap(start: start, end: start + .seconds(32_400), expected: isOutage ? 2_000 : 200)
      ]
    }
    let words = try happened(in: index).filter { $0[0] == "Sat 14 Feb 2026" }.map { $0[1] }
    #expect(words.count == 1)
    #expect(words.first?.hasPrefix(isOutage ? "Outage on Sat 14 Feb" : "9 hours silent") == true)
  }

  @Test(arguments: [
    ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
    ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"),
  ])
  func `an incident over the end of a month is told whole in both`(start: String, end: String)
    throws
  {
    let index = try index(start, end) { usage in
      for day in [71, 72] {
        usage.history.days[day].exportLines = 0
        usage.history.days[day].coverage = .none
      }
    }
    let row = try happened(in: index).first { $0[0] == "Sat 31 Jan 2026" }
    #expect(row?[1].contains("31 Jan") == true && row?[1].contains("1 Feb") == true, "\(row ?? [])")
  }

  @Test(arguments: [
    ("2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z", Cell.count(62), true),
    ("2025-10-01T00:00:00Z", "2025-11-01T00:00:00Z", .missing, false),
  ])
  func `what the history does not hold whole is not counted`(
    start: String, end: String, subscribers: Cell, hasPayments: Bool
  ) throws {
    let tiles = try index(start, end).headline
    let new = tiles.first { $0.id == "new-subs" }
    #expect(new?.value == subscribers && new?.change == nil)
    #expect(tiles.contains { $0.id == "payments" } == hasPayments)
    #expect(tiles.first { $0.id == "mean-stars" }?.note?.contains("before") != true)
  }

  @Test(arguments: [("2.99 € a week", "€"), ("from 2.99/week", "¤")])
  func `first payments at a price without a currency have its sign`(
    price: String, currency: String
  ) throws {
    let tiles = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", price: price).headline
    let value = try #require(tiles.first { $0.id == "payments" }).value
    #expect(value == .money(83.72, currency: currency))
  }

  @Test(arguments: [(DaySeries.fewestRatings, true), (DaySeries.fewestRatings - 1, false)])
  func `stars of the month before are told from a few ratings on`(count: Int, isTold: Bool) throws {
    let index = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z") { usage in
      for day in 0..<72 { usage.history.days[day].stars = [0, 0, 0, 0, 0] }
      usage.history.days[50].stars = [0, 0, 0, 0, count]
    }
    let note = index.headline.first { $0.id == "mean-stars" }?.note
    #expect((note?.hasSuffix("5.00 before") == true) == isTold)
  }

  @Test func `the owner's own tiles stand beside those of the month`() throws {
    let span = ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    var index = try index(span.0, span.1)
    let count = index.headline.count
    MonthIndex(
      [], Self.usage, EmptyReports.limits, marks: [], context: context(span.0, span.1))?
      .write(to: &index, own: [Figure(id: "own", label: "Own", value: .count(1))])
    #expect(index.headline.last?.id == "own" && index.headline.count < count)
  }

  @Test(arguments: [
    ("2026-02-02T00:00:00Z", "2026-03-01T00:00:00Z", nil),
    ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "ann"),
  ])
  func `another period, and one profile, have the index of the newest day`(
    start: String, end: String, scope: String?
  ) throws {
    let index = try index(start, end, scope: scope)
    #expect(index.sections.first?.id == IndexAttention.id)
    #expect(!index.title.hasPrefix("Feb"))
  }
}
