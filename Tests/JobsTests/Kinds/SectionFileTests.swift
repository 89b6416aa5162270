import Fixtures
import Model
import Reports
import Testing

@testable import Jobs
@testable import Workspace

/// The header of a section's file: docs/figures.md#header.
struct SectionFileTests {
  private static func query(
    _ header: String, sql: String = "SELECT 1\n", isOwn: Bool = true
  ) throws -> SectionQuery {
    try SectionFile.query(
      parsing: SourceFile(path: "reports/x.sql", text: "/*---\n\(header)---*/\n\(sql)"),
      name: isOwn ? "x" : "usage/x", isOwn: isOwn)
  }

  private static func problems(of text: String, name: String = "x") -> [String] {
    do {
      _ = try SectionFile.query(
        parsing: SourceFile(path: "reports/x.sql", text: text), name: name, isOwn: true)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  private static func problems(header: String) -> [String] {
    problems(of: "/*---\ntitle: X\ncolumns: {taps: count, who: text}\n\(header)---*/\nSELECT 1")
  }

  @Test func `title and columns are enough for a reader's own`() throws {
    let query = try Self.query("title: Taps\ncolumns:\n  new_taps: count\n", sql: "\n\nSELECT 1 \n")
    #expect((query.page, query.place) == (.own, .init("x")))
    #expect((query.name, query.id, query.title) == ("x", "x", "Taps"))
    #expect(query.columns == [QueryColumn("new_taps", "New taps", .count)])
    #expect((query.sql, query.line, query.file) == ("SELECT 1", 8, "reports/x.sql"))
    #expect(query.isOwn && query.lead == nil && query.chart == nil && query.shown == nil)
    #expect(query.basis == .events && !query.isFolded)
  }

  private static let allKeys = """
    page: users
    place: retention 2
    id: my-table
    title: T
    section: S
    lead: L
    after: days
    columns:
      week: {title: Week of, unit: day}
      taps: {title: "Taps: all", unit: count, bars: true, leading: true}
      text: {unit: text, wraps: true, optional: true}
    definitions:
      New people: Those.
    empty: None.
    counts: records
    shown: 10
    folded: true
    tile: taps
    checks:
      - {when: taps > 3, level: error, say: "{week}: {taps}"}
      - {when: "1", say: x}
    chart:
      form: columns
      series: [{column: taps, title: All, tone: quiet}]
      unit: taps a day
      week_unit: taps a week
      labels: week
      previous: taps
      alternative: A.
      table: true

    """

  @Test func `every key is read`() throws {
    let query = try Self.query(Self.allKeys)
    #expect((query.page, query.place) == (.users, .init("retention", 2)))
    #expect([query.id, query.title] == ["my-table", "T"])
    #expect([query.sectionTitle, query.lead, query.after] == ["S", "L", "days"])
    #expect(query.columns.map(\.id) == ["week", "taps", "text"])
    #expect(query.columns.map(\.title) == ["Week of", "Taps: all", "Text"])
    #expect(query.columns[1].drawsBars && query.columns[1].isLeading == true)
    #expect(query.columns[2].wraps && query.columns[2].isLeading == nil)
    #expect(query.columns.map(\.isOptional) == [false, false, true])
    #expect(query.definitions == [Definition("New people", "Those.")])
    #expect((query.empty, query.basis, query.shown) == ("None.", .records, 10))
    #expect(query.isFolded && query.tile == "taps")
    #expect(query.checks.map(\.level) == [.error, .warn])
    #expect(query.checks[0].when == "taps > 3" && query.checks[0].say == "{week}: {taps}")
    let chart = try #require(query.chart)
    #expect(chart.series == [Chart.Series("taps", "All", .quiet)])
    #expect([chart.unit, chart.weekUnit, chart.labels] == ["taps a day", "taps a week", "week"])
    #expect(chart.alternative == "A." && chart.showsTable && chart.previous == "taps")
  }

  @Test(arguments: QueryUnit.allCases)
  func `every unit is a word of the header`(unit: QueryUnit) throws {
    let query = try Self.query("title: X\ncolumns:\n  c: \(unit.rawValue)\n")
    #expect(query.columns.map(\.unit) == [unit])
  }

  @Test(arguments: [
    ("titel: Y\n", "reports/x.sql:4:1: titel: unknown key. Did you mean 'title'?"),
    ("page: usge\n", "reports/x.sql:4:7: page: must be one of usage, money, limits"),
    ("page: usge\n", "Did you mean 'usage'?"), ("page: index\n", "not 'index'"),
    ("place: features 0\n", "place: must be the id of a section and a position"),
    ("place: A b c\n", "place: must be the id of a section"),
    ("id: My_Table\n", "id: must be lower-case words joined by hyphens"),
    ("counts: rows\n", "counts: must be one of events, records, not 'rows'"),
    ("shown: 0\n", "shown: must be an integer from 1"),
    ("tile: tips\n", "tile: names no column of the header: 'tips'. Did you mean 'taps'?"),
    ("checks: [{when: taps}]\n", "checks[0].say: is missing"),
    ("checks: [{say: x}]\n", "checks[0].when: is missing"),
    ("checks: [{when: a, say: b, levle: warn}]\n", "levle: unknown key. Did you mean 'level'?"),
    ("checks: [{when: a, say: b, level: pass}]\n", "must be one of notice, warn, error"),
    ("checks: [{when: a, say: '{tap}'}]\n", "checks[0].say: names no column of the header: 'tap'"),
    ("chart: {unit: x}\n", "chart.form: is missing; it is one of columns, line"),
    ("chart: {form: bars, series: [{column: taps}]}\n", "chart.unit: is missing"),
    (
      "chart: {form: line, unit: x, series: [{column: taps}], from: 1, to: 1.0e+30}\n",
      "chart.to: must be at most 10^15"
    ),
    ("chart: {form: bars, unit: x}\n", "a chart of form bars takes one series"),
    ("chart: {form: bars, unit: x, series: [{column: who}]}\n", "cannot draw 'who'"),
    ("chart: {form: bars, unit: x, series: [{column: no}]}\n", "names no column of the header"),
    (
      "chart: {form: line, unit: x, from: 5, to: 5, series: [{column: taps}]}\n",
      "chart.to: must be above 'from'"
    ),
    (
      "chart: {form: bars, unit: x, previous: taps, series: [{column: taps}]}\n",
      "chart.previous: only a chart of form columns draws the period before"
    ),
    (
      "chart: {form: columns, unit: x, previous: who, series: [{column: taps}]}\n",
      "chart.previous: cannot draw 'who'"
    ),
    ("definitions: {A: 5}\n", "definitions.A: must be text"),
  ])
  func `a wrong key is refused with file, line and key`(header: String, words: String) {
    let problems = Self.problems(header: header)
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
    #expect(problems.allSatisfy { $0.hasPrefix("reports/x.sql:4") || $0.contains(":5:") })
  }

  @Test(arguments: [
    ("columns: {Taps: count}\n", "columns.Taps: a column has small letters"),
    ("columns: {taps: cuont}\n", "columns.taps: must be one of text, code"),
    ("columns: {taps: cuont}\n", "Did you mean 'count'?"),
    ("columns: {taps: {title: x}}\n", "columns.taps.unit: is missing; it is one of text, code"),
    ("columns: {taps: {unit: count, bar: true}}\n", "bar: unknown key. Did you mean 'bars'?"),
    ("columns: {taps: {unit: text, bars: true}}\n", "bars: needs a number; the unit is text"),
    ("columns: {}\n", "columns: has no column"), ("columns: taps\n", "columns: must be a mapping"),
    ("", "columns: is missing"),
  ])
  func `a wrong column is refused`(columns: String, words: String) {
    let problems = Self.problems(of: "/*---\ntitle: X\ntile: no\n\(columns)---*/\nSELECT 1")
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
  }

  @Test(arguments: [
    ("SELECT 1", "reports/x.sql:1: has no header: begin the file with '/*---'"),
    ("/*---\ntitle: X\n*/ SELECT 1", "reports/x.sql:1: the header has no end"),
    ("/*---\ntitle: X\ncolumns: {a: text}\n---*/\n\n-- none\n", "reports/x.sql:6: has no query"),
    ("/*---\n---*/ SELECT 1", "the file is empty"),
    ("/*---\ntitle: [\n---*/ SELECT 1", "not valid YAML"),
    ("/*---\ncolumns: {a: text}\n---*/ SELECT 1", "title: is missing"),
    ("", "has no header"),
  ])
  func `a file without header or query is refused`(text: String, words: String) {
    let problems = Self.problems(of: text)
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
  }

  @Test func `bytes that are no text, a long file and a wrong name are refused`() throws {
    #expect(throws: ConfigurationError.self) {
      try SectionFile.query(
        parsing: SourceFile(path: "x.sql", bytes: [0xFF]), name: "x", isOwn: true)
    }
    let long = "/*---\ntitle: X\ncolumns: {a: text}\n---*/ SELECT 1"
    let spaces = String(repeating: " ", count: YAMLDocument.maxBytes)
    #expect(Self.problems(of: long) == [])
    #expect(Self.problems(of: long + spaces).contains { $0.contains("bigger than") })
    #expect(Self.problems(of: long, name: "My File").contains { $0.contains("named by its file") })
    #expect(Self.problems(of: "\u{FEFF}" + long.replacing("\n", with: "\r\n")) == [])
  }

  @Test func `the program's own files name their page`() {
    #expect(throws: ConfigurationError.self) {
      try Self.query("title: X\ncolumns: {a: text}\n", isOwn: false)
    }
  }
}

/// The files of a workspace: docs/figures.md#your-own-files.
struct SectionFilesTests {
  private static let right = "/*---\ntitle: X\ncolumns: {a: text}\n---*/\nSELECT 1"

  private static func files(_ own: [String: String]) throws -> SectionFiles {
    let folder = try TemporaryFolder()
    for (name, text) in own { try folder.write(text, to: "reports/\(name)") }
    return try Workspace(root: folder.path).sections()
  }

  @Test func `the reader's own are the files that end in .sql, by name`() throws {
    let files = try Self.files([
      "b.sql": Self.right, "a.sql": "SELECT 1", ".c.sql": "x", "notes.md": "x",
    ])
    let own = files.entries.filter(\.isOwn)
    #expect(own.map(\.name) == ["a", "b"])
    #expect(files.queries.filter(\.isOwn).map(\.name) == ["b"])
    #expect(files.faults.map(\.file) == ["reports/a.sql"])
    #expect(try Self.files([:]).entries.filter(\.isOwn).isEmpty)
  }

  @Test func `a name that no file has is told with the nearest`() throws {
    let files = try Self.files(["price-test.sql": Self.right])
    #expect(try files.entry(named: "price-test").name == "price-test")
    do throws(WorkspaceError) {
      _ = try files.entry(named: "price-tset")
      Issue.record("found")
    } catch {
      #expect(error.category == .usage)
      #expect("\(error)".contains("no section 'price-tset'. Did you mean 'price-test'?"))
    }
  }
}
