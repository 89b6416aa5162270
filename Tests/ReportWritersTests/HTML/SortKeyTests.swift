import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

/// The attributes of cells for the script that sorts them.
@Suite struct SortKeyTests {
  @Test(arguments: [
    (Cell.ratio(Ratio(1, of: 3)), "0.333333"), (.ratio(Ratio(3, of: 3)), "1"),
    (.mean(Mean(total: 7, count: 2)), "3.5"), (.seconds(0.25), "0.25"), (.seconds(7200), "7200"),
    (.money(0.000151, currency: "USD"), "0.000151"), (.level(.pass, "a"), "0"),
    (.level(.error, "b"), "3"), (.stars(4), "4"), (.countdown(remaining: 30, of: 60), "30"),
    (.change(PeriodChange(from: 100, to: 150)), "0.5"),
    (.change(PeriodChange(from: 100, to: 50)), "-0.5"),
    (.change(PeriodChange(from: 5, to: 5)), "0"), (.change(PeriodChange(from: 0, to: 0)), "0"),
  ])
  func `a number whose words round or name it otherwise has a key`(cell: Cell, key: String) {
    #expect(cell.sortKey == key)
  }

  @Test func `growth from 0 sorts above any other`() throws {
    let fromNothing = try #require(
      Cell.change(PeriodChange(from: 0, to: 1)).sortKey.flatMap(Double.init))
    let most = try #require(
      Cell.change(PeriodChange(from: 1, to: 9_999_999)).sortKey.flatMap(Double.init))
    #expect(fromNothing > most)
  }

  @Test func `a cell of 0, and a cell that sorts by words or time, has no key`() {
    let cells: [Cell] = [
      .ratio(Ratio(0, of: 0)), .mean(Mean()), .missing, .text("a"), .code("a"), .count(5),
      .trend([1]),
      .day(CivilDay(year: 2026, month: 3, day: 2)),
    ]
    #expect(cells.allSatisfy { $0.sortKey == nil })
  }

  @Test func `only a chart by day marks its columns`() throws {
    let reports = SampleReports.reports()
    func page(_ name: Report.Name) throws -> HTMLNode {
      let report = try #require(reports.first { $0.name == name })
      return try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    }
    let figure = try #require(
      try page(.runs).all("figure").first { $0.attributes["class"] == "chart daily" })
    let heads = figure.all("thead").flatMap { $0.all("th") }
    #expect(heads.map { $0.attributes["data-tone"] } == [nil, "main", nil, nil, nil])
    #expect(heads.map { $0.attributes["data-sum"] } == [nil, "", nil, nil, nil])
    for node in try page(.ratings).all {
      #expect(node.attributes["class"] != "chart daily" && node.attributes["data-sum"] == nil)
    }
  }

  @Test func `feedback has the attributes that its search filters by, and no empty ones`() throws {
    var data = SampleReports.ratings
    data.feedback = [SampleReports.feedback("A", stars: 2)]
    data.feedback[0].feedback.country = "\"><script>"
    data.feedback[0].feedback.appVersion = ""
    let report = RatingsReport.make(data, context: SampleReports.context)
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let entry = try #require(
      root.all("ol").last { $0.attributes["class"] == "feedback" }?.children.first)
    #expect(entry.attributes == ["data-stars": "2", "data-country": "\"><script>"])
  }
}
