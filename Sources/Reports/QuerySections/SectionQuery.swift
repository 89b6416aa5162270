package import Model

/// A part of a page as one file: a query, and what its columns mean: docs/figures.md.
package struct SectionQuery: Hashable, Sendable {
  /// Where on its page it stands: among the blocks of a section.
  package struct Place: Hashable, Sendable {
    package var section: String
    /// From 1; the largest number for the last.
    package var position: Int

    package init(_ section: String, _ position: Int? = nil) {
      self.section = section
      self.position = position ?? .max
    }
  }

  /// What rows are counted from.
  package enum Basis: String, CaseIterable, Sendable {
    /// Events; their days may be unknown: then nothing is compared, and no row may mean unknown.
    case events
    /// Anything else: its changes are those of the numbers.
    case records
  }

  /// For example `usage/by-feature`; a reader's own has the name of its file.
  package var name: String
  /// The id of its table, in kebab-case.
  package var id: String
  package var page: Report.Name
  package var place: Place
  package var title: String
  /// What a section that begins with it is called and says; nil for the title, and for nothing.
  package var sectionTitle: String?
  package var lead: String?
  /// The section that a new one follows; nil for the last.
  package var after: String?
  /// In the order of the file; not empty.
  package var columns: [QueryColumn]
  package var definitions: [Definition] = []
  /// The text in place of a table without rows.
  package var empty = "Nothing to show."
  package var basis = Basis.events
  /// Rows that HTML and text show; nil for all.
  package var shown: Int?
  package var isFolded = false
  /// Whether a report of one profile leaves it out, since it is about everybody.
  package var isOfEverybody = false
  /// Whether it makes no section of its own while it has no row.
  package var isOptional = false
  /// The name of the query in whose place it stands as soon as it has a row; nil for none.
  package var replaces: String?
  package var checks: [RowCheck] = []
  /// The column that becomes a tile of the index; nil for none.
  package var tile: String?
  /// How the table is drawn; nil for a table alone.
  package var chart: QueryChart?
  /// One statement, without the header.
  package var sql: String
  /// The file, as messages name it, and the line of it on which the statement begins, from 1.
  package var file: String
  package var line = 1
  /// The lines of the header's keys, from 1.
  package var keyLines: [String: Int] = [:]
  /// Whether it is a reader's, and not one that the program brings.
  package var isOwn = false

  package init(
    name: String, page: Report.Name, place: Place, title: String, columns: [QueryColumn],
    sql: String, file: String
  ) {
    self.name = name
    id = name.replacing("/", with: "-")
    self.page = page
    self.place = place
    self.title = title
    self.columns = columns
    self.sql = sql
    self.file = file
  }

  /// Names of the result's columns that mean the same in every query.
  package static let isTotalColumn = "is_total"
  package static let isGapColumn = "is_gap"
  package static let totalCountColumn = "total_count"
  package static let indexSaysColumn = "index_says"
  static let saysColumn = "says"
}

extension SectionQuery {
  /// The name of the column of a result that says of each row whether a check is true.
  static func checkColumn(_ index: Int) -> String { "check \(index + 1)" }

  /// The statement to run: the query, with a column for each check after its own.
  package var checkedSQL: String {
    guard !checks.isEmpty else { return sql }
    return "\(Self.start)\(checkParts.joined()) FROM (\n\(statement)\n)"
  }

  private static let start = "SELECT *"

  /// What each check adds to the statement to run.
  private var checkParts: [String] {
    checks.enumerated().map { index, check in
      ", (\(check.when)\n) AS \"\(Self.checkColumn(index))\""
    }
  }

  /// The check in whose part of `checkedSQL` a byte lies, from 0; nil for another place.
  func check(at byte: Int) -> Int? {
    var end = Self.start.utf8.count
    return checkParts.firstIndex { part in
      end += part.utf8.count
      return byte < end
    }
  }

  /// The query without what follows its last word.
  var statement: String { QueryText(sql).body }
}

/// A column of a table, and how it is read from the columns of a result.
package struct QueryColumn: Hashable, Sendable {
  /// Snake case: what the result's columns begin with.
  package var id: String
  package var title: String
  package var unit: QueryUnit
  package var drawsBars = false
  /// Nil where the unit decides.
  package var isLeading: Bool?
  /// Whether the text report wraps long cells.
  package var wraps = false
  /// Whether a table in which no row has a value of it leaves it out.
  package var isOptional = false

  package init(_ id: String, _ title: String, _ unit: QueryUnit) {
    self.id = id
    self.title = title
    self.unit = unit
  }

  var head: Table.ColumnHead {
    Table.ColumnHead(
      id: id, title: title, alignment: isLeading ?? unit.isLeading ? .leading : .trailing,
      drawsBars: drawsBars,
      wraps: wraps)
  }

  /// The columns of a result that it reads, in the order of its unit's parts.
  package var parts: [String] { unit.endings.map { id + $0 } }
}

/// What a column of a query holds: docs/figures.md#units.
package enum QueryUnit: String, CaseIterable, Sendable {
  case text, code, count, ratio, rate, points, verdict, mean, change, seconds, money, day, instant
  case stars, trend, level
  case userId = "user_id"
  case name, city, age, seen, feature, segment

  /// What the names of the result's columns add to the column's id, part by part.
  package var endings: [String] {
    switch self {
    case .ratio, .rate: ["_part", "_whole"]
    case .points, .verdict: ["_from_part", "_from_whole", "_to_part", "_to_whole"]
    case .mean: ["_total", "_count"]
    case .change: ["_now", "_previous"]
    case .money: ["", "_currency"]
    case .level: ["", "_words"]
    default: [""]
    }
  }

  /// Whether its cells are aligned as words are.
  var isLeading: Bool { !isDrawn && ![.points, .change, .age].contains(self) }

  /// Whether its cells name a row, and stay while the row's numbers change.
  var isName: Bool {
    [.text, .code, .day, .userId, .name, .city, .feature, .segment].contains(self)
  }

  /// Whether a chart can draw it, and a bar can be beside it.
  package var isDrawn: Bool {
    [.count, .ratio, .rate, .mean, .seconds, .money, .stars].contains(self)
  }
}

/// When a row needs a person, and what to say then.
package struct RowCheck: Hashable, Sendable {
  /// An expression of SQL over the columns of the result.
  package var when: String
  package var level: Level
  /// A sentence, in which `{column}` stands for the words of the row's cell.
  package var say: String
  /// The line of the file on which its expression stands, from 1.
  package var line = 1

  package init(when: String, level: Level, say: String) {
    self.when = when
    self.level = level
    self.say = say
  }

  /// The columns that the sentence names, in order.
  package var namedColumns: [String] {
    say.matches(of: /\{([^{}]*)\}/).map { String($0.output.1) }
  }
}

/// How the rows of a query are drawn.
package struct QueryChart: Hashable, Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case columns, line, bars

    /// The columns that it draws at most.
    package var mostSeries: Int { self == .columns ? 4 : 1 }
  }

  package var form: Form
  package var series: [Chart.Series]
  /// The unit of the axis, and that of counts by day when they are drawn by week.
  package var unit: String
  package var weekUnit: String?
  /// The column that names the rows.
  package var labels: String
  /// The column of what the period before had, for columns by day; nil for none.
  package var previous: String?
  /// The ends of a line's axis; the upper one is that of the numbers when nil.
  package var lower = 0.0
  package var upper: Double?
  /// What people read who do not see it; nil for a sentence about the largest number.
  package var alternative: String?
  /// Whether the table is shown below the picture; it is folded away otherwise.
  package var showsTable = false

  /// Rows that a picture has at most.
  static let mostRows = 400

  package init(form: Form, series: [Chart.Series], unit: String, labels: String) {
    self.form = form
    self.series = series
    self.unit = unit
    self.labels = labels
  }
}

extension QueryChart {
  /// The picture of a table that has its numbers.
  ///
  /// - Throws: `QueryFault` when there is more than a picture can show, or a number below 0.
  func chart(
    of table: Table, _ rows: [QueryRows.Row], _ query: SectionQuery, _ context: QueryContext
  ) throws(QueryFault) -> Chart {
    let drawn = table.rows.filter { !$0.isTotal }
    guard drawn.count <= Self.mostRows else {
      throw query.fault(
        "gives \(drawn.count) rows; a chart draws at most \(Self.mostRows)", row: Self.mostRows + 1)
    }
    for column in series.map(\.column) + [previous].compactMap(\.self) {
      if let row = table.values(of: column).firstIndex(where: { ($0 ?? 0) < 0 }) {
        throw query.fault("is below 0, which no chart draws", row: row + 1, column: column)
      }
    }
    let label = table.columns.firstIndex { $0.id == labels } ?? 0
    let unknown = Set(context.report.unknownDays.map(context.calendar.day(of:)))
    return Chart(
      form: drawing(of: table, label),
      labels: drawn.map { Self.label($0.cells[label], context.words) },
      unit: unit, weekUnit: weekUnit,
      alternative: alternative ?? sentence(of: table, drawn, label, context.words), table: table,
      showsTable: showsTable, previous: previous,
      uncovered: Set(
        rows.filter { !$0.isTotal }.enumerated().filter { _, row in
          guard case .day(let day) = row.cells[label] else { return row.isGap }
          return row.isGap || query.basis == .events && unknown.contains(day)
        }.map(\.offset)))
  }

  private func drawing(of table: Table, _ label: Int) -> ChartForm {
    switch form {
    case .columns:
      // The page's script draws the table's columns, in their order.
      return .columns(
        table.columns.compactMap { column in series.first { $0.column == column.id } })
    case .line:
      let most = table.cells(of: series[0].column).compactMap(\.highestLevel).max() ?? 0
      let upper = upper ?? AxisScale(most: most).top
      return .line(series[0], range: lower...max(upper, lower + 1))
    case .bars:
      return .bars(
        column: series[0].column,
        tones: table.rows.map { row in
          // Stars have their own, as good as they are.
          guard case .stars(let stars) = row.cells[label] else { return series[0].tone }
          return stars > 3 ? .good : stars == 3 ? .middling : .poor
        })
    }
  }

  private static func label(_ cell: Cell, _ words: CellWords) -> String {
    if case .day(let day) = cell { return day.short }
    return VisibleText.clipped(words.words(cell), to: 40)
  }

  /// The largest number and where it is; of a line its ends.
  private func sentence(
    of table: Table, _ rows: [Table.Row], _ label: Int, _ words: CellWords
  ) -> String {
    if form == .line, let index = table.columns.firstIndex(where: { $0.id == series[0].column }) {
      let cells = rows.map { $0.cells[index] }.filter { $0.magnitude != nil }
      guard let first = cells.first, let last = cells.last else { return "Nothing to draw." }
      return "\(series[0].title): from \(words.words(first)) to \(words.words(last))."
    }
    var best: (magnitude: Double, words: String)?
    for (index, column) in table.columns.enumerated()
    where series.contains(where: { $0.column == column.id }) {
      for row in rows {
        guard let magnitude = row.cells[index].magnitude, magnitude > best?.magnitude ?? 0 else {
          continue
        }
        let place = VisibleText.clipped(words.words(row.cells[label]), to: 40)
        best = (magnitude, "\(column.title), \(place): \(words.words(row.cells[index]))")
      }
    }
    return best.map { "The largest is \($0.words)." } ?? "Nothing to draw."
  }
}

/// How a number came about: what a page says under "How is this counted?", and JSON beside a table.
package struct QuerySource: Hashable, Sendable {
  /// What `firetally report --sql` calls the query.
  package var name: String
  /// Nil for a reader's own query in an anonymous report: it may name people.
  package var sql: String?
  package var parameters: [BoundParameter]
  package var definitions: [Definition]
}

/// A parameter that queries are bound to, such as `:start`.
package struct BoundParameter: Hashable, Sendable {
  /// Without the colon.
  package var name: String
  package var value: SQLValue

  package init(_ name: String, _ value: SQLValue) {
    self.name = name
    self.value = value
  }
}
