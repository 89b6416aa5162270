import ReportsTesting
import Testing

@testable import Model
@testable import ReportWriters
@testable import Reports

/// The elements of single blocks.
@Suite struct BlockMarkupTests {
  /// A page with one section of the given blocks.
  private func page(_ blocks: [Block], of name: Report.Name = .users) throws -> HTMLNode {
    let report = Report(
      name: name, title: "T", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "S",
      sections: [Section(id: "s", title: "Section", lead: "Lead.", blocks: blocks)])
    return try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
  }

  /// What the line of a closed section answers: one that is not the first, and long.
  private func answer(_ blocks: [Block], saying says: String? = nil) throws -> String? {
    let report = Report(
      name: .users, title: "T", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "S",
      sections: [
        Section(id: "a", title: "A", lead: "", blocks: [.text("x")]),
        Section(id: "b", title: "B", lead: "", blocks: blocks, answer: says),
      ])
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let tuck = try #require(nodes(root, class: "tuck").first)
    let found = nodes(tuck, class: "answer").first?.text
    #expect(
      tuck.children.first?.attributes["aria-label"] == "Show B" + (found.map { ": \($0)" } ?? ""))
    return found
  }

  private static func rows(_ cells: [[Cell]], totals: Set<Int> = []) -> Block {
    .table(
      Table(
        id: "t", title: "t",
        columns: ["Name", "People", "Share"].map { Table.ColumnHead(id: $0, title: $0) },
        rows: cells.enumerated().map { Table.Row(cells: $1, isTotal: totals.contains($0)) },
        emptyText: "Nobody came."))
  }

  @Test func `a closed section answers by its total, its first rows, or a funnel's last share`()
    throws
  {
    let share = Cell.rate(Ratio(50, of: 100))
    let rows: [[Cell]] = (1...8).map { [.text("row \($0)"), .count($0), share] }
    #expect(
      try answer([Self.rows(rows)]) == "People: row 1 1; row 2 2; row 3 3; and 5 more.")
    let days = try (1...8).map { day -> [Cell] in
      [.day(try #require(CivilDay(iso8601: "2026-03-0\(day)"))), .count(day), share]
    }
    #expect(try answer([Self.rows(days)]) == "Sun 8 Mar 2026: People 8.")
    #expect(try answer([Self.rows(days.reversed())]) == "Sun 8 Mar 2026: People 8.")
    let twice = rows.map { [Cell.text("one name")] + $0.dropFirst() }
    #expect(try answer([Self.rows(twice)]) == nil)
    let times = (1...8).map { [Cell.instant(Instant(unixSeconds: $0)), .count(1), share] }
    #expect(try answer([Self.rows(times)]) == nil)
    #expect(try answer([Self.rows(rows, totals: [3])]) == "row 4: People 4.")
    var funnel = rows
    funnel[0][2] = .missing
    #expect(try answer([Self.rows(funnel)])?.hasPrefix("row 8: Share 50%") == true)
    let texts = Array(repeating: [Cell.text("x"), .text("y"), .missing], count: 8)
    #expect(try answer([Self.rows(texts)]) == nil)
  }

  @Test func `closed figures answer by the first three that are known, a chart by its table`()
    throws
  {
    let figures = (0..<5).map {
      Figure(id: "f\($0)", label: "F\($0)", value: $0 == 1 ? .missing : .count($0))
    }
    #expect(try answer([.figures(figures)]) == "F0: 0. F2: 2. F3: 3.")
    let unknown = (0..<4).map { Figure(id: "f\($0)", label: "F", value: .missing) }
    #expect(try answer([.figures(unknown)]) == nil)
  }

  /// A row of three columns has two lines.
  @Test(arguments: [(12, Report.Name.users, nil), (13, .users, "Show t (13)"), (13, .search, nil)])
  func `a long table of the first section is closed on a narrow page`(
    count: Int, page name: Report.Name, summary: String?
  ) throws {
    let rows = (0..<count).map { [Cell.text("row \($0)"), .count($0), .count(1)] }
    let root = try page([Self.rows(rows)], of: name)
    #expect(nodes(root, class: "tuck").first?.children.first?.text == summary)
  }

  @Test(arguments: [(160, true), (161, false)])
  func `a short text answers for its section, a long one does not`(count: Int, isAnswer: Bool)
    throws
  {
    let text = String(repeating: "x", count: count)
    let texts = Array(repeating: [Cell.text("x"), .text("y"), .missing], count: 8)
    #expect(try answer([.text(text), Self.rows(texts)]) == (isAnswer ? text : nil))
    #expect(try answer([Self.rows([]), Self.rows(texts)]) == "Nobody came.")
    // What a query says comes first, if it is short.
    let blocks = [Block.text("First."), Self.rows(texts)]
    #expect(try answer(blocks, saying: text) == (isAnswer ? text : "First."))
  }

  /// A text of more than 160 characters.
  @Test(arguments: [(158, true), (159, false)])
  func `of a long text the first sentences answer that fit a line`(count: Int, fits: Bool) throws {
    let second = String(repeating: "x", count: count - 3)
    let text = "A. \(second). And more of it that has no room on the line of a closed section."
    let texts = Array(repeating: [Cell.text("x"), .text("y"), .missing], count: 8)
    #expect(try answer([Self.rows(texts)], saying: text) == (fits ? "A. \(second)." : "A."))
  }

  @Test(arguments: [
    (8, 0, false), (9, 0, true), (8, 20, false), (6, 21, false), (7, 21, true),
  ])
  func `a table of nine columns is wide, one with a long id of seven`(
    columns: Int, id length: Int, isWide: Bool
  ) throws {
    let first = Cell.code(String(repeating: "x", count: length))
    let root = try page([
      .table(
        Table(
          id: "t", title: "t",
          columns: (0..<columns).map { Table.ColumnHead(id: "c\($0)", title: "c") },
          rows: [Table.Row(cells: [first] + Array(repeating: .count(1), count: columns - 1))]))
    ])
    #expect(nodes(root, class: "wide").isEmpty == !isWide)
  }

  @Test(arguments: [(8, nil), (9, "1 older"), (10, "2 older")])
  func `comments after the first eight are folded`(count: Int, summary: String?) throws {
    let entries = (0..<count).map { _ in
      UserComment(
        at: SampleReports.context.now, stars: 1, text: "x", userId: "u", gender: "", country: "",
        appVersion: "")
    }
    let root = try page([
      .feedback(
        FeedbackList(entries: entries, shownLimit: 24, openLimit: 8, emptyText: "None."))
    ])
    #expect(nodes(root, class: "rest").first?.children.first?.text == summary)
    #expect(root.all("li").filter { $0.all("blockquote").count == 1 }.count == count)
  }

  private func nodes(_ root: HTMLNode, class name: String) -> [HTMLNode] {
    root.all.filter {
      ($0.attributes["class"] ?? "").split(separator: " ").contains(Substring(name))
    }
  }

  private func table(_ id: String, columns: Int, _ row: [Cell] = []) -> Block {
    .table(
      Table(
        id: id, title: id,
        columns: (0..<columns).map { Table.ColumnHead(id: "c\($0)", title: "C\($0)") },
        rows: row.isEmpty ? [] : [Table.Row(cells: row)]))
  }

  @Test func `narrow tables that follow one another stand side by side, wide ones do not`() throws {
    let narrow = try page([table("a", columns: 3), table("b", columns: 2)])
    #expect(nodes(narrow, class: "pair").map(\.children.count) == [2])
    let wide = try page([table("a", columns: 3), table("b", columns: 4), table("c", columns: 3)])
    #expect(nodes(wide, class: "pair").isEmpty)
    let parted = try page([table("a", columns: 3), .text("x"), table("b", columns: 3)])
    #expect(nodes(parted, class: "pair").isEmpty)
  }

  @Test
  func `an available popup has its action and no bar, a cooling one its bar and no action`() throws
  {
    let limit = FeatureLimit(limit: 2, cooldownSeconds: 120)
    func gallery(usage: Int, remaining: Duration, price: String?) -> Block {
      let popup = Popup(
        feature: .refresh, limit: limit, usage: usage, remainingCooldown: remaining,
        appName: "ChatHub", price: price)
      return .popups(
        PopupGallery(
          id: "g", title: "G", previews: [PopupPreview("s", "C", .limit(popup, of: .refresh))]))
    }
    let available = try page([gallery(usage: 1, remaining: .zero, price: "$2.99")])
    #expect(nodes(available, class: "action").map(\.text) == ["Refresh Users1 left"])
    #expect(nodes(available, class: "subscribe").map(\.text) == ["Subscribe to Lite$2.99"])
    #expect(nodes(available, class: "countdown").isEmpty)

    let cooling = try page([gallery(usage: 2, remaining: .seconds(30), price: nil)])
    #expect(nodes(cooling, class: "action").isEmpty)
    #expect(nodes(cooling, class: "subscribe").map(\.text) == ["Subscribe to Lite"])
    let bar = try #require(nodes(cooling, class: "countdown").first)
    #expect(bar.attributes["height"] == "4")
    #expect(nodes(bar, class: "left").map { $0.attributes["width"] } == ["25%"])
    #expect(cooling.text.contains("Time remaining: 0:30"))
  }

  @Test
  func `feedback carries its stars, their colour and the app's words, in its own direction`() throws
  {
    let report = RatingsReport.make(SampleReports.ratings, context: SampleReports.context)
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let list = try #require(nodes(root, class: "feedback").last)
    let stars = try #require(nodes(list, class: "stars-1").first)
    #expect(stars.attributes["aria-label"] == "1 star" && stars.text == "★☆☆☆☆")
    #expect(list.text.contains("Not meeting your expectations. Help us improve!"))
    #expect(list.all("blockquote").first?.children.first?.attributes["dir"] == "auto")
    #expect(list.text.contains("queued"))
  }

  @Test func `long words may break, short texts keep their line, sentences their width`() throws {
    let words = String(repeating: "x", count: 33)
    let sentence = String(repeating: "word ", count: 9)
    let root = try page([table("a", columns: 3, [.text(words), .text("short"), .text(sentence)])])
    #expect(
      root.all("tbody").first?.all("bdi").map { $0.attributes["class"] } == [
        "long", "short", "prose",
      ])
  }

  @Test func `a share and its interval are whole, and may stand below each other`() throws {
    let rate = Cell.rate(Ratio(1_240, of: 2_000))
    let root = try page([table("a", columns: 2, [.text("x"), rate])])
    #expect(nodes(root, class: "range").map(\.text) == ["62% of 2,000,", "60–64"])
    #expect(root.all("td").map(\.text) == ["62% of 2,000, 60–64"])
  }

  @Test func `a row's first cell is its heading, and a repeated heading is dimmed`() throws {
    let rows = ["a", "a", "b"].map { Table.Row(cells: [.text($0), .count(1)]) }
    let root = try page([
      .table(
        Table(
          id: "t", title: "T",
          columns: [
            Table.ColumnHead(id: "c", title: "C", alignment: .leading),
            Table.ColumnHead(id: "n", title: "N"),
          ], rows: rows))
    ])
    let cells = root.all("tbody").flatMap { $0.all("th") }
    #expect(cells.map { $0.attributes["class"] } == ["leading", "leading again", "leading"])
    #expect(cells.allSatisfy { $0.attributes["scope"] == "row" })
    #expect(root.all("td").allSatisfy { $0.attributes["class"] == "trailing" })
  }

  @Test func `a bar is a part of the largest, hidden from screen readers; a total has none`() throws
  {
    let rows =
      [10, 5, 0].map { Table.Row(cells: [.count($0)]) }
      + [Table.Row(cells: [.count(15)], isTotal: true)]
    let root = try page([
      .table(
        Table(
          id: "t", title: "T", columns: [Table.ColumnHead(id: "n", title: "N", drawsBars: true)],
          rows: rows))
    ])
    let bars = nodes(root, class: "bar")
    #expect(bars.map { $0.children.first?.attributes["width"] } == ["100%", "50%", "0%"])
    #expect(bars.allSatisfy { $0.attributes["aria-hidden"] == "true" })
    #expect(nodes(root, class: "number").map(\.text) == ["10", "5", "0", "15"])
  }

  @Test(arguments: Level.allCases)
  func `a finding is a link with a word and a shape for its level`(level: Level) throws {
    let root = try page([.findings([Finding(level, "Look.", report: .users, section: "s")])])
    let item = try #require(nodes(root, class: "findings").first?.children.first)
    #expect(item.text == level.sign + level.word + "Look.")
    #expect(item.all("a").first?.attributes["href"] == "users.html#s")
  }

  @Test(arguments: [(Report.Name.index, [161, 161, 97, 97]), (.users, [200, 200, 200, 200])])
  func `sentences of the index are cut, from the third finding on to one line`(
    name: Report.Name, lengths: [Int]
  ) throws {
    let long = String(repeating: "x", count: 200)
    let findings = (0..<4).map { Finding(.warn, long, report: .users, section: "s\($0)") }
    let root = try page([.findings(findings)], of: name)
    let list = try #require(nodes(root, class: "findings").first)
    #expect(list.all("a").map(\.text.count) == lengths)
  }

  @Test func `a report without findings says so`() throws {
    #expect(try page([.findings([])]).text.contains("Nothing needs you."))
  }
}
