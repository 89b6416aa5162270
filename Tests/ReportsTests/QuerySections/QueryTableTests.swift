import ReportsTesting
import Testing

@testable import Model
@testable import Reports

/// Tables and charts of queries.
@Suite struct QueryTableTests {
  private static let columns = [
    QueryColumn("feature", "Feature", .feature), QueryColumn("taps", "Taps", .count),
  ]

  private static let result = SQLResult(
    columns: ["taps", "extra", "feature", "is_total", "total_count"],
    rows: [[4, 1, "refresh", 0, 9], [2, 1, "filter", nil, 9], [6, 1, "all", 1, 9]])

  private static func table(
    _ query: SectionQuery, _ result: SQLResult = result,
    _ context: QueryContext = SampleQueries.context()
  ) throws -> QueryTable {
    try QueryTable(query, result, in: "own-numbers", context)
  }

  private static func table(_ block: Block) -> Table? {
    guard case .table(let table) = block else { return nil }
    return table
  }

  @Test func `columns are those of the header, in its order, whatever the query's`() throws {
    var query = SampleQueries.query(Self.columns)
    query.shown = 2
    query.isFolded = true
    let table = try #require(Self.table(try Self.table(query).block))
    #expect(table.id == "usage-sample")
    #expect(table.columns.map(\.id) == ["feature", "taps"])
    #expect(table.columns.map(\.alignment) == [.leading, .trailing])
    #expect(table.rows.map(\.cells)[0] == [.text("Refresh"), .count(4)])
    #expect(table.rows.map(\.isTotal) == [false, false, true])
    #expect(table.isFolded && table.shownRows.count == 2 && table.totalCount == 9)
    #expect(table.source?.sql == "SELECT 1")
  }

  @Test(arguments: [
    (["feature", "tap"], "taps", "no such column; the header needs it. Did you mean 'tap'?"),
    (["feature", "taps", "taps"], "taps", "twice"),
  ])
  func `a result without a column, or with it twice, is refused`(
    names: [String], column: String, words: String
  ) {
    let result = SQLResult(columns: names, rows: [])
    let fault = #expect(throws: QueryFault.self) {
      try Self.table(SampleQueries.query(Self.columns), result)
    }
    #expect(fault?.column == column && fault?.message.contains(words) == true)
  }

  @Test func `an optional column is left out where no row has a value of it`() throws {
    var columns = Self.columns
    columns[1].isOptional = true
    func ids(_ rows: [[SQLValue]]) throws -> [String]? {
      let result = SQLResult(columns: ["feature", "taps"], rows: rows)
      let found = try Self.table(SampleQueries.query(columns), result)
      return Self.table(found.block)?.columns.map(\.id)
    }
    #expect(try ids([["refresh", nil], ["filter", nil]]) == ["feature"])
    #expect(try ids([["refresh", nil], ["filter", 2]]) == ["feature", "taps"])
    #expect(try ids([]) == ["feature", "taps"])
  }

  @Test func `no row says what the header says, or that the period is unknown`() throws {
    var query = SampleQueries.query(Self.columns)
    query.empty = "Nobody."
    var context = SampleReports.context
    func words() throws -> String? {
      let result = SQLResult(columns: ["feature", "taps"], rows: [])
      return Self.table(
        try Self.table(query, result, SampleQueries.context(context)).block)?.emptyText
    }
    #expect(try words() == "Nobody.")
    context.unknownDays = (0..<14).map { context.start + .seconds(86_400 * $0) }
    #expect(try words() == "The ledger has no data for this period.")
    query.basis = .records
    #expect(try words() == "Nobody.")
  }

  private static let chart = QueryChart(
    form: .columns, series: [.init("taps", "Taps", .main)], unit: "taps a day", labels: "day")

  private static func daily(_ days: [(String, SQLValue)], chart: QueryChart = chart) throws -> Chart
  {
    var query = SampleQueries.query([
      QueryColumn("day", "Day", .day), QueryColumn("taps", "Taps", .count),
    ])
    query.chart = chart
    var context = SampleReports.context
    context.unknownDays = [context.start]
    let result = SQLResult(
      columns: ["day", "taps", "is_gap"],
      rows: days.map { [.text($0.0), $0.1, $0.1 == nil ? 1 : 0] })
    let block = try table(query, result, SampleQueries.context(context)).block
    guard case .chart(let chart) = block else { throw QueryFault(file: "", "no chart") }
    return chart
  }

  @Test func `a chart by day hatches days that are unknown, and those that the query marks`() throws
  {
    let calendar = ReportCalendar(timeZone: SampleReports.context.timeZone)
    let first = calendar.day(of: SampleReports.context.start)
    let chart = try Self.daily([(first.iso8601, 1), ("2030-01-01", nil), ("2030-01-02", 7)])
    #expect(chart.uncovered == [0, 1])
    #expect(chart.labels == [first.short, "1 Jan", "2 Jan"])
    #expect(chart.alternative == "The largest is Taps, Wed 2 Jan 2030: 7.")
  }

  @Test func `columns are stacked in the order of the table, as the page's script stacks them`()
    throws
  {
    let series = ["blocked", "taps"].map { Chart.Series($0, $0, .main) }
    var query = SampleQueries.query([
      QueryColumn("day", "Day", .day), QueryColumn("taps", "Taps", .count),
      QueryColumn("other", "Other", .count), QueryColumn("blocked", "Blocked", .count),
    ])
    query.chart = QueryChart(form: .columns, series: series, unit: "taps a day", labels: "day")
    let result = SQLResult(
      columns: ["day", "taps", "other", "blocked"], rows: [["2030-01-01", 3, 2, 1]])
    guard case .chart(let chart) = try Self.table(query, result).block else {
      Issue.record("no chart")
      return
    }
    #expect(chart.series.map(\.column) == ["taps", "blocked"])
  }

  @Test func `bars that stars name have the tones of stars, others that of their series`() throws {
    func tones(_ unit: QueryUnit, _ names: [SQLValue]) throws -> [Chart.Tone]? {
      var query = SampleQueries.query([
        QueryColumn("name", "Name", unit), QueryColumn("taps", "Taps", .count),
      ])
      query.chart = QueryChart(
        form: .bars, series: [.init("taps", "Taps", .quiet)], unit: "taps", labels: "name")
      let result = SQLResult(columns: ["name", "taps"], rows: names.map { [$0, 1] })
      guard case .chart(let chart) = try Self.table(query, result).block,
        case .bars(_, let tones) = chart.form
      else { return nil }
      return tones
    }
    #expect(try tones(.stars, [5, 4, 3, 2, 1]) == [.good, .good, .middling, .poor, .poor])
    #expect(try tones(.count, [5, 4]) == [.quiet, .quiet])
  }

  @Test func `a chart refuses numbers below 0 and more rows than it can show`() throws {
    let below = #expect(throws: QueryFault.self) { try Self.daily([("2030-01-01", -1)]) }
    #expect(below?.row == 1 && below?.column == "taps")
    let many = (0...QueryChart.mostRows).map { _ in ("2030-01-01", SQLValue.integer(1)) }
    #expect(throws: QueryFault.self) { try Self.daily(many) }
    #expect(try Self.daily(Array(many.dropLast())).labels.count == QueryChart.mostRows)
  }

  @Test func `a line's axis is that of its header, or of its numbers`() throws {
    var line = Self.chart
    line.form = .line
    func range(_ value: SQLValue) throws -> ClosedRange<Double>? {
      guard case .line(_, let range) = try Self.daily([("2030-01-01", value)], chart: line).form
      else { return nil }
      return range
    }
    #expect(try range(7) == 0...8)
    #expect(try range(0) == 0...1)
    line.lower = 1
    line.upper = 5
    #expect(try range(4) == 1...5)
  }
}

/// Checks: docs/figures.md#checks.
@Suite struct RowCheckTests {
  private static var query: SectionQuery {
    var query = SampleQueries.query(
      [
        QueryColumn("feature", "Feature", .feature), QueryColumn("blocked", "Blocked", .ratio),
      ], sql: "SELECT 1 -- one; two\n ; -- end")
    query.checks = [
      RowCheck(
        when: "blocked_part > 5 -- many", level: .warn, say: "{feature}: {blocked}, {other}"),
      RowCheck(when: "blocked_part > 9", level: .error, say: "Very."),
    ]
    return query
  }

  private static func found(_ rows: [[SQLValue]]) throws -> [Finding] {
    let result = SQLResult(
      columns: ["feature", "blocked_part", "blocked_whole", "check 1", "check 2"], rows: rows)
    return try QueryTable(query, result, in: "s", SampleQueries.context()).findings
  }

  @Test func `the statement is wrapped without the comments and semicolons at its end`() {
    #expect(
      Self.query.checkedSQL == """
        SELECT *, (blocked_part > 5 -- many
        ) AS "check 1", (blocked_part > 9
        ) AS "check 2" FROM (
        SELECT 1
        )
        """)
    var plain = Self.query
    plain.checks = []
    #expect(plain.checkedSQL == plain.sql)
  }

  @Test(arguments: [
    ("SELECT ';' ; ", "SELECT ';'"), ("SELECT '--' -- x", "SELECT '--'"),
    ("SELECT \"/*\" /* ; */;", "SELECT \"/*\""), ("SELECT [;--]\n", "SELECT [;--]"),
    ("-- only\n;", ""), ("SELECT 1; SELECT 2;", "SELECT 1; SELECT 2"), ("'open", "'open"),
    ("SELECT `a;`", "SELECT `a;`"), ("SELECT 1 - 2 / 3", "SELECT 1 - 2 / 3"), ("", ""),
  ])
  func `what follows a statement is cut, quotes are not`(sql: String, body: String) {
    #expect(QueryText(sql).body == body)
  }

  @Test func `a row of which a check is true is a finding with the words of its cells`() throws {
    let found = try Self.found([
      ["refresh", 40, 50, 1, 1], ["filter", 1, 50, 0, nil], ["search", 6, 50, 1.0, "1"],
    ])
    #expect(
      found.map(\.sentence) == [
        "Refresh: 80% of 50, {other} Also: Search.", "Very.",
      ])
    #expect(found.map(\.level) == [.warn, .error])
    #expect(
      found.map(\.id) == ["usage-usage-sample-refresh", "usage-usage-sample-check-2-refresh"])
    #expect(Set(found.map(\.section)) == ["s"])
  }

  @Test(arguments: [
    (1, "Refresh: –, {other}"), (2, "Refresh: –, {other} Also: Filter."),
    (4, "Refresh: –, {other} Also: Filter, Search and Message."),
    (5, "Refresh: –, {other} Also: Filter, Search, Message and 1 more."),
  ])
  func `a check that several rows meet is one finding, which names some of them`(
    count: Int, sentence: String
  ) throws {
    let names = ["refresh", "filter", "search", "message", "conversation"].prefix(count)
    let found = try Self.found(names.map { [.text($0), nil, nil, 1, 0] })
    #expect(found.map(\.sentence) == [sentence])
  }

  @Test func `ids stay while numbers change, and rows of one name are counted`() throws {
    let first = try Self.found([["refresh", 40, 50, 1, 0]])
    let later = try Self.found([["refresh", 48, 70, 1, 0]])
    #expect(first.map(\.id) == later.map(\.id) && first[0].sentence != later[0].sentence)
    let rows: [[SQLValue]] = (0..<8).map { [.text("refresh"), .integer($0), 50, 1, 0] }
    let many = try Self.found(rows)
    #expect(many.map(\.sentence) == ["Refresh: 0% of 50, {other} So do 7 more rows."])
  }

  @Test func `the id of a finding about people stays when another is the first`() throws {
    var query = SampleQueries.query([
      QueryColumn("who", "Who", .userId), QueryColumn("tier", "Tier", .text),
    ])
    query.checks = [RowCheck(when: "1", level: .warn, say: "See {who}.")]
    let found = try [["u1", "Pro"], ["u2", "Lite"]].flatMap { row in
      let result = SampleQueries.result(["who": .text(row[0]), "tier": .text(row[1]), "check 1": 1])
      return try QueryTable(query, result, in: "s", SampleQueries.context()).findings
    }
    #expect(found.map(\.sentence) == ["See u1.", "See u2."])
    #expect(found.map(\.id) == ["usage-usage-sample", "usage-usage-sample"])
  }

  @Test func `a text in a cell names no column`() throws {
    var query = SampleQueries.query([
      QueryColumn("a", "A", .text), QueryColumn("b", "B", .text),
    ])
    query.checks = [RowCheck(when: "1", level: .notice, say: "{a}")]
    let result = SampleQueries.result(["a": "{b}", "b": "secret", "check 1": 1])
    let found = try QueryTable(query, result, in: "s", SampleQueries.context()).findings
    #expect(found.map(\.sentence) == ["{b}"])
  }
}
