import Foundation
import ReportsTesting
import Testing

@testable import Model
@testable import ReportWriters
@testable import Reports

/// "How is this counted?" in every format: docs/figures.md#on-the-page.
@Suite struct QuerySourceTests {
  private static let hostile =
    "SELECT '</code></pre><script>alert(1)</script>' \u{202E}\n-- <b>&amp;"

  private static func query(sql: String = hostile) -> SectionQuery {
    var query = SampleQueries.query(
      [QueryColumn("name", "Name", .text), QueryColumn("taps", "Taps", .count)], sql: sql)
    query.definitions = [Definition("Tap <i>", "A press.")]
    return query
  }

  private static let result = SQLResult(columns: ["name", "taps"], rows: [["one", 12]])

  private static func page(
    _ query: SectionQuery, _ result: SQLResult = result,
    context: ReportContext = SampleReports.context
  ) throws -> HTMLNode {
    let reports = SampleQueries.reports([(query, result)], context: context)
    let usage = try #require(reports.first { $0.name == query.page })
    return try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: usage)))
  }

  /// What tables say; the list of the figures has no paragraph.
  private static func details(_ page: HTMLNode) -> [HTMLNode] {
    lists(page).filter { !$0.all("p").isEmpty }
  }

  private static func lists(_ page: HTMLNode) -> [HTMLNode] {
    page.all("details").filter { $0.attributes["class"] == "how" }
  }

  @Test func `a table has its query under it, closed, escaped and reached by the keyboard`() throws
  {
    let page = try Self.page(Self.query())
    let how = try #require(Self.details(page).first)
    #expect(Self.details(page).count == 1 && how.attributes["open"] == nil)
    #expect(how.all("summary").map(\.text) == ["How is this counted?"])
    #expect(how.all("dt").map(\.text) == ["Tap <i>"])
    #expect(how.all("dd").map(\.text) == ["A press."])
    let pre = try #require(how.all("pre").first)
    #expect(pre.attributes["tabindex"] == "0" && pre.attributes["aria-label"] != nil)
    #expect(pre.all("code").map(\.text) == [VisibleText.of(Self.hostile)])
    #expect(pre.text.contains("⟨U+202E⟩") && how.all("script").isEmpty && how.all("b").isEmpty)
    #expect(how.all("p").map(\.text) == ["The query usage/sample, with :start = 5."])
  }

  @Test func `a chart has it once`() throws {
    var chart = Self.query()
    chart.chart = QueryChart(
      form: .bars, series: [.init("taps", "Taps", .main)], unit: "taps", labels: "name")
    #expect(Self.details(try Self.page(chart)).count == 1)
  }

  @Test func `the index says in one closed list what its tiles count, and where`() throws {
    var query = Self.query()
    query.tile = "taps"
    let index = SampleQueries.reports([(query, Self.result)])[0]
    #expect(index.headline.last?.source != nil)
    #expect(index.headline.allSatisfy { $0.definition != nil })
    let html = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: index)))
    let how = try #require(Self.lists(html).first)
    #expect(Self.lists(html).count == 1 && how.attributes["open"] == nil)
    #expect(how.all("dt").map(\.text) == index.headline.map(\.label))
    #expect(how.all("dd").map(\.text) == index.headline.compactMap(\.definition))
    #expect(how.all("a").last?.attributes["href"] == "usage.html#own-numbers")
    #expect(how.all("pre").isEmpty)
    let json = String(decoding: try JSONWriter.bytes(of: index), as: UTF8.self)
    #expect(json.matches(of: /"definition" : "/).count == index.headline.count)
  }

  @Test func `each page says in one closed list what its figures count`() throws {
    let reports = SampleReports.reports().filter { $0.name != .index && !$0.headline.isEmpty }
    #expect(reports.map(\.name) == [.usage, .money, .limits, .ratings, .users, .runs])
    for report in reports {
      #expect(report.headline.allSatisfy { $0.definition != nil }, "\(report.name)")
      let html = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let how = try #require(Self.lists(html).first)
      #expect(how.attributes["open"] == nil && how.all("p").isEmpty)
      #expect(how.all("dd").map(\.text) == report.headline.compactMap(\.definition))
    }
  }

  @Test func `a reader's own query is left out of anonymous reports`() throws {
    var own = Self.query(sql: "SELECT 'ann'")
    #expect(
      Self.details(try Self.page(own, context: SampleQueries.anonymous))[0].text.contains("ann"))
    own.isOwn = true
    let how = try #require(
      Self.details(try Self.page(own, context: SampleQueries.anonymous)).first)
    #expect(how.all("pre").isEmpty && !how.text.contains("ann'"))
    #expect(how.text.contains("left out of anonymous reports"))
    #expect(Self.details(try Self.page(own))[0].text.contains("ann"))
  }

  @Test func `JSON has query and parameters beside a table`() throws {
    let reports = SampleQueries.reports([(Self.query(), Self.result)])
    let usage = try #require(reports.first { $0.name == .usage })
    let text = String(decoding: try JSONWriter.bytes(of: usage), as: UTF8.self)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let sections = try #require(object["sections"] as? [[String: Any]])
    let blocks = sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
    let table = try #require(
      blocks.compactMap { $0["table"] as? [String: Any] }.first {
        $0["id"] as? String == "usage-sample"
      })
    #expect(table["query"] as? String == Self.hostile)
    #expect(table["parameters"] as? [String: Int] == ["start": 5])
    let others = blocks.compactMap { $0["table"] as? [String: Any] }.count { $0["query"] != nil }
    #expect(others == 1)
  }

  @Test func `parameters are written as SQL writes them`() {
    let source = QuerySource(
      name: "x", sql: "x",
      parameters: [
        BoundParameter("a", .text("it's")), BoundParameter("b", .null),
        BoundParameter("c", .real(1.5)), BoundParameter("d", .blob([0, 255])),
      ], definitions: [])
    #expect(source.parameterWords == ":a = 'it''s', :b = NULL, :c = 1.5, :d = x'00ff'")
  }
}
