import ReportsTesting
import Testing

@testable import Model
@testable import ReportWriters
@testable import Reports

/// The way of queries onto pages: docs/figures.md#place.
@Suite struct QuerySectionsTests {
  private static let columns = [
    QueryColumn("name", "Name", .text), QueryColumn("taps", "Taps", .count),
  ]

  private static let result = SQLResult(
    columns: ["name", "taps", "check 1"], rows: [["one", 12, 1]])

  private static func query(
    _ name: String, _ place: SectionQuery.Place, page: Report.Name = .usage
  ) -> SectionQuery {
    var query = SampleQueries.query(columns, page: page, place: place)
    query.name = name
    query.id = name.replacing("/", with: "-")
    query.title = name
    return query
  }

  private static func page(_ name: Report.Name, _ reports: [Report]) throws -> Report {
    try #require(reports.first { $0.name == name })
  }

  private static func names(_ section: Section) -> [String] {
    section.blocks.map { block in
      switch block {
      case .table(let table): table.id
      case .chart(let chart): chart.table.id
      case .text(let text): "text \(text)"
      default: "other"
      }
    }
  }

  @Test(arguments: [(false, ["first"]), (true, ["first", "second"])])
  func `where no query of a section tells of anybody, the first says so alone`(
    hasRow: Bool, shown: [String]
  ) throws {
    let none = SQLResult(columns: ["name", "taps", "check 1"], rows: [])
    let queries = ["first", "second"].enumerated().map { index, name in
      var query = Self.query(name, .init("own-numbers", index + 1))
      query.isOfEverybody = true
      return (query, hasRow && index == 1 ? Self.result : none)
    }
    let page = try Self.page(.usage, SampleQueries.reports(queries))
    let section = try #require(page.sections.first { $0.id == "own-numbers" })
    #expect(Self.names(section) == shown)
  }

  @Test(arguments: [("own-numbers", false), ("own-numbers", true), ("funnel", false)])
  func `what is optional is left out without a row, with the section that it would make`(
    id: String, hasRow: Bool
  ) throws {
    var query = Self.query("second", .init(id))
    query.isOptional = true
    let none = SQLResult(columns: ["name", "taps", "check 1"], rows: [])
    let reports = SampleQueries.reports([(query, hasRow ? Self.result : none)])
    let section = try Self.page(.usage, reports).sections.first { $0.id == id }
    let isThere = section.map { Self.names($0).contains("second") }
    #expect(isThere == (hasRow ? true : id == "funnel" ? false : nil))
  }

  @Test(
    arguments: [("It is so.", ["text It is so.", "one"]), (nil, ["one"])]
      as [(SQLValue, [String])])
  func `what a query says stands above its table`(said: SQLValue, names: [String]) throws {
    let query = Self.query("one", .init("own-numbers", 1))
    let result = SQLResult(
      columns: ["name", "taps", "check 1", "says"],
      rows: [["one", 12, 1, said], ["two", 3, 1, "Nobody reads this."]])
    let page = try Self.page(.usage, SampleQueries.reports([(query, result)]))
    let section = try #require(page.sections.first { $0.id == "own-numbers" })
    #expect(Self.names(section) == names)
  }

  @Test(arguments: [
    (60, "text So: a higher, b lower; higher, lower, not known."),
    (33, "text So: no difference is proven; not proven, not proven, not known."),
  ])
  func `what a query says has what its verdicts prove`(part: Int64, words: String) throws {
    var query = Self.query("one", .init("own-numbers", 1))
    query.columns = [QueryColumn("name", "Name", .text), QueryColumn("v", "Verdict", .verdict)]
    let says: SQLValue = "So: {verdicts}; {verdict 1}, {verdict 2}, {verdict 3}."
    let result = SQLResult(
      columns: [
        "name", "v_from_part", "v_from_whole", "v_to_part", "v_to_whole", "check 1", "says",
      ],
      rows: [
        ["a", 30, 100, .integer(part), 100, 0, says],
        ["b", .integer(part), 100, 30, 100, 0, nil], ["c", 0, 0, 0, 0, 0, nil],
      ])
    let page = try Self.page(.usage, SampleQueries.reports([(query, result)]))
    let section = try #require(page.sections.first { $0.id == "own-numbers" })
    #expect(Self.names(section) == [words, "one"])
  }

  @Test func `figures count with the block that follows them, since some days have none`() throws {
    let before = try Self.page(.ratings, SampleQueries.reports([]))
    let section = try #require(before.sections.first { $0.id == "themes" })
    guard case .figures = section.blocks.first else {
      Issue.record("the section has no figures")
      return
    }
    let query = Self.query("second", .init("themes", 2), page: .ratings)
    let page = try Self.page(.ratings, SampleQueries.reports([(query, Self.result)]))
    let names = Self.names(try #require(page.sections.first { $0.id == "themes" }))
    #expect(names.prefix(3) == ["other", "themes", "second"])
  }

  @Test func `a query stands at its place among the blocks of a section`() throws {
    let before = try Self.page(.usage, SampleQueries.reports([]))
    let section = try #require(before.sections.first { $0.id == "funnel" })
    let old = Self.names(section)
    #expect(old.count > 1)
    var second = Self.query("b", .init("funnel", 2))
    second.lead = "Why."
    let reports = SampleQueries.reports([
      (Self.query("z", .init("funnel")), Self.result), (second, Self.result),
      (Self.query("c", .init("funnel", 2)), Self.result),
      (Self.query("a", .init("funnel", 1)), Self.result),
      (Self.query("y", .init("funnel", 999)), Self.result),
    ])
    let page = try Self.page(.usage, reports)
    #expect(page.sections.map(\.id) == before.sections.map(\.id))
    let now = try #require(page.sections.first { $0.id == "funnel" })
    #expect(now.lead == section.lead)
    #expect(Self.names(now) == ["a", "c", "text Why.", "b"] + old + ["y", "z"])
  }

  @Test func `an unknown section is new, with title and lead of its first query`() throws {
    var first = Self.query("b", .init("mine", 1))
    first.lead = "Lead. {comparison}"
    var second = Self.query("a", .init("mine", 2))
    second.lead = "Second."
    var after = Self.query("d", .init("behind"))
    after.after = "days"
    after.sectionTitle = "Behind"
    let page = try Self.page(
      .usage,
      SampleQueries.reports([
        (second, Self.result), (first, Self.result), (after, Self.result),
      ]))
    let mine = try #require(page.sections.last)
    #expect((mine.id, mine.title) == ("mine", "b"))
    #expect(mine.lead == "Lead. " + ComparisonWords(SampleReports.context).sentence)
    #expect(Self.names(mine) == ["b", "text Second.", "a"])
    let place = try #require(page.sections.firstIndex { $0.id == "days" })
    #expect(page.sections[place + 1].title == "Behind" && page.sections[place + 1].lead == "")
  }

  @Test func `the reader's own page is there with one query or fault, and else not`() throws {
    #expect(!SampleReports.reports().contains { $0.name == .own })
    #expect(!SampleQueries.reports([]).contains { $0.name == .own })
    let own = Self.query("a", .init("a"), page: .own)
    let reports = SampleQueries.reports([(own, Self.result)])
    #expect(reports.map(\.name) == Report.Name.pages)
    #expect(try Self.page(.own, reports).sections.map(\.id) == ["a"])
    let fault = QueryFault(file: "reports/x.sql", line: 3, "is wrong")
    let broken = try Self.page(.own, SampleQueries.reports([], broken: [fault]))
    #expect(Self.names(broken.sections[0]) == ["text reports/x.sql:3: is wrong"])
    #expect(
      broken.findings.map(\.sentence) == ["A section file is wrong. reports/x.sql:3: is wrong"])
  }

  @Test(arguments: [(nil, false, 1), ("Mine", false, 2), (nil, true, 2)] as [(String?, Bool, Int)])
  func `a section and its only table of one title show it once`(
    title: String?, isFolded: Bool, count: Int
  ) throws {
    var query = Self.query("Busy people", .init("busy"), page: .own)
    query.id = "busy"
    query.sectionTitle = title
    query.isFolded = isFolded
    func own(_ queries: [SectionQuery]) throws -> Report {
      try Self.page(.own, SampleQueries.reports(queries.map { ($0, Self.result) }))
    }
    func headings(_ queries: [SectionQuery]) throws -> Int {
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: try own(queries))))
      return root.all("h2").count + root.all("h3").count
    }
    let text = String(decoding: TextWriter.bytes(of: try own([query])), as: UTF8.self)
    let lines = text.split(separator: "\n").count { $0 == "Busy people" }
    #expect(lines == (title == nil ? count : 1))
    #expect(try headings([query]) == count)
    var chart = query
    chart.chart = QueryChart(
      form: .bars, series: [.init("taps", "Taps", .main)], unit: "taps", labels: "name")
    #expect(try headings([chart]) == count)
    var other = query
    other.id = "other"
    #expect(try headings([query, other]) == 3)
  }

  @Test func `checks are findings of the page and of the index`() throws {
    var query = Self.query("a", .init("features"))
    query.checks = [RowCheck(when: "1", level: .error, say: "{name} has {taps}.")]
    let reports = SampleQueries.reports([(query, Self.result)])
    let finding = try #require(try Self.page(.usage, reports).findings.first)
    #expect((finding.sentence, finding.section) == ("one has 12.", "features"))
    #expect(reports[0].attention.contains(finding))
  }

  @Test func `a tile stands on the index with a link to its section, three at most`() throws {
    let queries = ["a", "b", "c", "d"].map { name in
      var query = Self.query(name, .init("features"))
      query.tile = "taps"
      return (query, Self.result)
    }
    let index = SampleQueries.reports(queries)[0]
    let tiles = index.headline.suffix(QuerySections.mostTiles)
    #expect(index.headline.count == SampleQueries.reports([])[0].headline.count + 3)
    #expect(tiles.map(\.label) == ["a", "b", "c"])
    #expect(tiles.allSatisfy { $0.value == .count(12) && $0.report == .usage })
    #expect(tiles.allSatisfy { $0.section == "features" })
  }

  @Test func `a query that fails has a sentence in its place, and costs no other`() throws {
    let wrong = SQLResult(columns: ["name", "taps"], rows: [["one", "many"]])
    let old = try Self.page(.usage, SampleQueries.reports([])).sections.flatMap(Self.names)
    let taken = try #require(old.first { $0 != "other" && !$0.hasPrefix("text ") })
    let reports = SampleQueries.reports([
      (Self.query("a", .init("mine", 1)), wrong),
      (Self.query("b", .init("mine", 2)), Self.result),
      (Self.query("b", .init("mine", 3)), Self.result),
      (Self.query(taken, .init("mine", 4)), Self.result),
    ])
    let page = try Self.page(.usage, reports)
    let names = Self.names(try #require(page.sections.last))
    let words = "reports/sample.sql:1: row 1, column 'taps': must be a whole number, not the text"
    #expect(names[0].hasPrefix("text \(words)") && names[1] == "b")
    for (name, id) in [(names[2], "b"), (names[3], taken)] {
      #expect(name.contains("the page has a table '\(id)' already; set another 'id'"))
    }
    #expect(page.findings.count { $0.sentence.hasPrefix("A query failed.") } == 3)
  }

  @Test func `an anonymous report says where a query failed, and not why`() throws {
    let wrong = SQLResult(columns: ["name", "taps"], rows: [["one", "ann"]])
    let reports = SampleQueries.reports(
      [(Self.query("a", .init("mine", 1)), wrong)], context: SampleQueries.anonymous,
      pseudonymizer: SampleQueries.pseudonymizer)
    let page = try Self.page(.usage, reports)
    #expect(
      Self.names(try #require(page.sections.last)) == [
        "text reports/sample.sql:1: row 1, column 'taps': failed."
      ])
  }
}
