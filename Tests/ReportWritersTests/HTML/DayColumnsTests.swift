import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// Checks `docs/reports.md#columns-by-day`.
@Suite struct DayColumnsTests {
  /// `count` days from Saturday, 31 January 2026.
  private static func days(_ count: Int) -> [CivilDay] {
    let start = SampleReports.at("2026-01-31T00:00:00Z")
    return ReportCalendar(timeZone: "UTC").days(from: start, to: start + .seconds(count * 86_400))
  }

  @Test(arguments: [0, 1, 7, 62, 91, 92])
  func `up to 92 days each has a column`(count: Int) {
    let columns = DayColumns(Self.days(count))
    #expect(!columns.isWeekly)
    #expect(columns.days == (0..<count).map { $0..<($0 + 1) })
    #expect(columns.words == "Columns by day.")
  }

  @Test(arguments: [(93, 14), (94, 15), (100, 15), (101, 16), (366, 53), (367, 54), (1_000, 144)])
  func `beyond 92 days each week has one, from Monday, and none is lost`(count: Int, weeks: Int) {
    let days = Self.days(count)
    let columns = DayColumns(days)
    #expect(columns.isWeekly)
    #expect(columns.days.count == weeks)
    #expect(columns.days.flatMap { Array($0) } == Array(0..<count))
    #expect(columns.days.first == 0..<2)
    #expect(columns.days.dropFirst().allSatisfy { days[$0.lowerBound].weekday == 1 })
    #expect(columns.days.dropFirst().dropLast().allSatisfy { $0.count == 7 })
    #expect(columns.words == "Columns by week.")
  }

  @Test func `a first Monday and a last Sunday cut no week short`() {
    let days = Array(Self.days(100).dropFirst(2))
    #expect(DayColumns(days).days.allSatisfy { $0.count == 7 })
    #expect(DayColumns(days).days.count == 14)
  }

  /// A chart of days that count 1, 2, 3 and so on.
  private static func chart(_ count: Int) -> Chart {
    let days = days(count)
    return Chart(
      form: .columns([Chart.Series("n", "Taps", .main)]), labels: days.map(\.short),
      unit: "taps a day", weekUnit: "taps a week", alternative: "Some taps.",
      table: Table(
        id: "t", title: "T",
        columns: [
          Table.ColumnHead(id: "day", title: "Day"), Table.ColumnHead(id: "n", title: "Taps"),
        ],
        rows: days.enumerated().map { Table.Row(cells: [.day($1), .count($0 + 1)]) }))
  }

  private static func figure(_ chart: Chart) throws -> HTMLNode {
    try #require(try ChartPage.root(of: chart).all("figure").first)
  }

  @Test
  func `the unit, the description and the hints say what a column is; the table keeps the days`()
    throws
  {
    for (count, unit, words, hints) in [
      (92, "taps a day", "Some taps. Columns by day.", ["31 Jan: taps 1", "2 May: taps 92"]),
      (
        93, "taps a week", "Some taps. Columns by week.",
        ["31 Jan – 1 Feb: taps 3", "27 Apr – 3 May: taps 630"]
      ),
      (
        94, "taps a week", "Some taps. Columns by week.",
        ["31 Jan – 1 Feb: taps 3", "4 May: taps 94"]
      ),
    ] {
      let figure = try Self.figure(Self.chart(count))
      let span = try #require(figure.all("span").first { $0.attributes["class"] == "unit" })
      #expect(span.text == unit)
      #expect(span.attributes["data-day"] == "taps a day")
      #expect(span.attributes["data-week"] == "taps a week")
      let svg = try #require(figure.all("svg").first)
      #expect(svg.all("desc").first?.text == words)
      let titles = svg.all("rect").flatMap { $0.all("title") }.map(\.text)
      #expect([titles.first, titles.last] == hints)
      #expect(figure.all("tbody").first?.all("tr").count == count)
    }
  }

  @Test(arguments: [
    (10, nil, ["31 Jan: before 10", "9 Feb: before 19"], 10),
    (10, 3, ["31 Jan: before 10", "9 Feb: before 19"], 9),
    (93, nil, ["31 Jan – 1 Feb: before 21", "27 Apr – 3 May: before 693"], 14),
    // A week of which a day is unknown has none.
    (93, 0, ["2 Feb – 8 Feb: before 105", "27 Apr – 3 May: before 693"], 13),
  ])
  func `a dash across each column is what the period before had, where all of it is known`(
    count: Int, unknown: Int?, hints: [String], dashes: Int
  ) throws {
    var chart = Self.chart(count)
    chart.table.columns.append(Table.ColumnHead(id: "before", title: "Before"))
    for row in chart.table.rows.indices {
      chart.table.rows[row].cells.append(row == unknown ? .missing : .count(row + 10))
    }
    chart.previous = "before"
    let figure = try Self.figure(chart)
    let drawn = try #require(figure.all("svg").first).all("rect").filter {
      $0.attributes["class"] == "previous"
    }
    let titles = drawn.flatMap { $0.all("title") }.map(\.text)
    #expect([titles.first, titles.last] == hints && drawn.count == dashes)
    #expect(figure.all("span").contains { $0.attributes["class"] == "swatch previous" })
    #expect(
      figure.all("th").filter { $0.attributes["data-previous"] != nil }.map(\.text) == ["Before"])
  }

  @Test func `every chart by day of the reports has a unit for weeks`() {
    for report in SampleReports.reports() {
      for case .chart(let chart) in report.sections.flatMap(\.blocks) where chart.isDaily {
        #expect(chart.unit.hasSuffix(" a day"))
        #expect(chart.weekUnit == chart.unit.dropLast(3) + "week")
      }
    }
  }
}
