import Model
import Testing

@testable import Reports

/// What cells carry for the script that sorts them.
@Suite struct SortKeyTests {
  @Test(
    "a number whose words round or name it otherwise has a key",
    arguments: [
      (Cell.ratio(Ratio(1, of: 3)), "0.333333"), (.ratio(Ratio(3, of: 3)), "1"),
      (.mean(Mean(total: 7, count: 2)), "3.5"), (.seconds(0.25), "0.25"), (.seconds(7200), "7200"),
      (.money(0.000151, currency: "USD"), "0.000151"), (.level(.pass, "a"), "0"),
      (.level(.error, "b"), "3"), (.stars(4), "4"), (.countdown(remaining: 30, of: 60), "30"),
      (.change(Change(from: 100, to: 150)), "0.5"), (.change(Change(from: 100, to: 50)), "-0.5"),
      (.change(Change(from: 5, to: 5)), "0"), (.change(Change(from: 0, to: 0)), "0"),
    ])
  func keys(cell: Cell, key: String) {
    #expect(cell.sortKey == key)
  }

  @Test("what grew from nothing grew more than anything else")
  func growth() throws {
    let fromNothing = try #require(Cell.change(Change(from: 0, to: 1)).sortKey.flatMap(Double.init))
    let most = try #require(
      Cell.change(Change(from: 1, to: 9_999_999)).sortKey.flatMap(Double.init))
    #expect(fromNothing > most)
  }

  @Test("of nothing, and where words or times sort themselves, there is none")
  func none() {
    let cells: [Cell] = [
      .ratio(Ratio(0, of: 0)), .mean(Mean()), .missing, .text("a"), .code("a"), .count(5),
      .trend([1]),
      .day(CivilDay(year: 2026, month: 3, day: 2, weekday: 1)),
    ]
    #expect(cells.allSatisfy { $0.sortKey == nil })
  }

  @Test("a chart by day marks its columns, another one does not")
  func daily() throws {
    let reports = SampleFacts.reports()
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

  @Test("feedback carries what its search chooses by, and no empty choice")
  func choices() throws {
    var facts = SampleFacts.ratings
    facts.feedback = [SampleFacts.feedback("A", stars: 2)]
    facts.feedback[0].feedback.country = "\"><script>"
    facts.feedback[0].feedback.appVersion = ""
    let report = RatingsReport.make(facts, frame: SampleFacts.frame)
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let entry = try #require(
      root.all("ol").last { $0.attributes["class"] == "feedback" }?.children.first)
    #expect(entry.attributes == ["data-stars": "2", "data-country": "\"><script>"])
  }
}
