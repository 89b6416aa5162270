package import Model

/// Rows of typed cells under named columns: the value that all four formats write.
///
/// The sections build their tables of records and `Column`s, so that a head and its cells cannot
/// part.
package struct Table: Sendable {
  package enum Alignment: String, Sendable {
    case leading, trailing
  }

  package struct ColumnHead: Sendable {
    /// Snake case: the name of the field in JSON and CSV, unique in its table.
    package var id: String
    package var title: String
    package var alignment = Alignment.trailing
    /// Whether each number has a bar beside it, as a part of the column's largest number.
    package var drawsBars = false
    /// Whether the text report wraps long cells; it cuts those of other columns.
    package var wraps = false
  }

  package struct Row: Sendable {
    /// One cell per column.
    package var cells: [Cell]
    /// Whether the row is the sum of other rows; charts leave it out.
    package var isTotal = false
  }

  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  package var columns: [ColumnHead]
  /// All rows; JSON and CSV carry every one.
  package var rows: [Row]
  /// HTML and text stop after this many rows: docs/reports.md#top-n.
  package var shownLimit = Int.max
  /// The number of rows in the workspace when `rows` holds fewer; nil when `rows` holds all.
  package var totalCount: Int?
  /// Replaces a table without rows.
  package var emptyText = "Nothing to show."
  /// Whether a page shows only the title until a reader opens it; other formats show it always.
  package var isFolded = false
  /// Whether pages and texts show the title, which may be above it already.
  package var isTitled = true
  /// How its numbers came about; nil for a table that no query gave.
  package var source: QuerySource?

  package var shownRows: ArraySlice<Row> { rows.prefix(shownLimit) }

  /// How many rows of how many are shown; nil when all are.
  package var shownOf: (shown: Int, total: Int)? {
    let total = totalCount ?? rows.count
    return total > shownRows.count ? (shownRows.count, total) : nil
  }

  /// The magnitudes of a column, row by row without totals; nil for a cell without a magnitude.
  package func values(of columnId: String) -> [Double?] {
    cells(of: columnId).map(\.magnitude)
  }

  /// The cells of a column, row by row without totals.
  package func cells(of columnId: String) -> [Cell] {
    guard let column = columns.firstIndex(where: { $0.id == columnId }) else { return [] }
    return rows.filter { !$0.isTotal }.map { $0.cells[column] }
  }

  /// The same rows with the columns at these indices alone.
  package func part(columns taken: [Int]) -> Table {
    var part = self
    part.columns = taken.map { columns[$0] }
    for row in part.rows.indices { part.rows[row].cells = taken.map { rows[row].cells[$0] } }
    return part
  }

  /// The magnitudes of a column, with 0 for a cell without one.
  package func magnitudes(of columnId: String) -> [Double] {
    values(of: columnId).map { $0 ?? 0 }
  }
}

/// One column of a table about records of one type: its head, and how it reads a record's cell.
struct Column<Record> {
  let head: Table.ColumnHead
  let cell: (Record) -> Cell

  init(
    _ id: String, _ title: String, _ alignment: Table.Alignment = .trailing, wraps: Bool = false,
    cell: @escaping (Record) -> Cell
  ) {
    head = Table.ColumnHead(id: id, title: title, alignment: alignment, wraps: wraps)
    self.cell = cell
  }
}

extension Table {
  /// One row a record, each cell read by its column.
  init<Record>(
    id: String, title: String, of records: [Record], columns: [Column<Record>],
    shownLimit: Int = .max, emptyText: String = "Nothing to show.", isFolded: Bool = false
  ) {
    self.init(
      id: id, title: title, columns: columns.map(\.head),
      rows: records.map { record in Row(cells: columns.map { $0.cell(record) }) },
      shownLimit: shownLimit, emptyText: emptyText, isFolded: isFolded)
  }
}

extension Block {
  /// A table of one row a record, each cell read by its column.
  static func table<Record>(
    id: String, title: String, of records: [Record], columns: [Column<Record>],
    shownLimit: Int = .max, emptyText: String = "Nothing to show.", isFolded: Bool = false
  ) -> Block {
    .table(
      Table(
        id: id, title: title, of: records, columns: columns, shownLimit: shownLimit,
        emptyText: emptyText, isFolded: isFolded))
  }
}

/// A typed value in a table or figure; each format decides how it looks.
package enum Cell: Hashable, Sendable {
  /// Words, ours or from the network.
  case text(String)
  /// An id or a wire name, shown in a monospaced font.
  case code(String)
  case count(Int)
  case ratio(Ratio)
  /// A share with the range that it may be by chance: docs/people.md#intervals.
  case rate(Ratio)
  /// How much larger a share is than an earlier one, in points, with the range of that.
  case points(from: Ratio, to: Ratio)
  /// A known difference in percentage points, without a range.
  case pointError(Double)
  case mean(Mean)
  case change(PeriodChange)
  case seconds(Double)
  case money(Double, currency: String)
  case day(CivilDay)
  /// A day with a dated copy of the reports, and the first page of the copy; nil without pages.
  case pastDay(CivilDay, FirstPage?)
  /// An app of the overview, and the link to the first page of its reports; nil without pages.
  case app(String, page: String?)
  /// A section of a report.
  case place(String, Report.Name, section: String)
  /// Words of a section that are shown whole.
  case excerpt(String)
  case instant(Instant)
  case level(Level, String)
  case stars(Int)
  /// The seconds left of a wait, and the seconds of all of it.
  case countdown(remaining: Double, of: Double)
  case list([String])
  /// One number a day, oldest first; nil for an unknown day.
  case trend([Int?])
  case missing

  /// Characters of a network text that HTML and text show: docs/reports.md#hostile-text.
  package static let textLimit = 160

  /// The length of the cell's bar; nil for a cell without a quantity.
  package var magnitude: Double? {
    switch self {
    case .count(let count): Double(count)
    case .ratio(let ratio), .rate(let ratio): ratio.share
    case .mean(let mean): mean.value
    case .seconds(let seconds): seconds
    case .money(let amount, _): amount
    case .stars(let stars): Double(stars)
    case .countdown(let remaining, _): remaining
    case .text, .code, .app, .excerpt, .points, .pointError, .change, .day, .pastDay, .place,
      .instant, .level:
      nil
    case .list, .trend, .missing: nil
    }
  }

  /// Where a line has the cell: a share by its percentage, anything else by its magnitude.
  package var level: Double? {
    if case .ratio(let ratio) = self { return ratio.percent }
    if case .rate(let ratio) = self { return ratio.percent }
    return magnitude
  }

  /// The upper end of its range, where it has one, else its level.
  var highestLevel: Double? {
    if case .rate(let ratio) = self { return ratio.interval?.upper }
    return level
  }

  package static func optional(_ count: Int?) -> Cell {
    count.map(Cell.count) ?? .missing
  }

  package static func optional(_ instant: Instant?) -> Cell {
    instant.map(Cell.instant) ?? .missing
  }

  package static func optional(_ text: String?) -> Cell {
    text.map(Cell.text) ?? .missing
  }
}

/// A part of a whole.
package struct Ratio: Hashable, Sendable {
  package var part: Int
  package var whole: Int

  package init(_ part: Int, of whole: Int) {
    self.part = part
    self.whole = whole
  }

  /// A percentage of fewer than this is marked: docs/reports.md#small-counts.
  package static let smallWhole = 30

  package var isSmall: Bool { whole < Ratio.smallWhole }

  /// The percentage as every format has it; nil when the whole is 0.
  ///
  /// Whole percents, with one decimal below 10 and above 99. Never rounds to 0 or to 100:
  /// docs/reports.md#percentages.
  package var percent: Double? {
    guard whole > 0 else { return nil }
    let exact = 100 * Double(part) / Double(whole)
    if part == 0 || part == whole { return exact }
    let finely = (exact * 10).rounded() / 10
    guard exact >= 9.95, exact <= 99 else {
      return part < whole ? min(max(finely, 0.1), 99.9) : finely
    }
    return exact.rounded()
  }

  /// The part as a share of the whole for drawing; 0 when the whole is 0.
  package var share: Double {
    whole > 0 ? Double(part) / Double(whole) : 0
  }
}

/// An average with the number of its values.
package struct Mean: Hashable, Sendable {
  package var total: Int = 0
  package var count: Int = 0

  package var isSmall: Bool { count < Ratio.smallWhole }

  /// The mean rounded to two decimals, as every format has it; nil without values.
  package var value: Double? {
    count > 0 ? (100 * Double(total) / Double(count)).rounded() / 100 : nil
  }

  /// Not rounded; 0 without values.
  var exact: Double { count > 0 ? Double(total) / Double(count) : 0 }
}

/// A number of this period, and the same number of the period before it.
package struct PeriodChange: Hashable, Sendable {
  package var current: Int
  package var previous: Int

  package init(from previous: Int, to current: Int) {
    self.current = current
    self.previous = previous
  }

  package var difference: Int { current - previous }

  /// The difference in whole percents of the previous number.
  ///
  /// Nil when the previous number is too small to be a base: docs/reports.md#small-counts.
  package var percent: Double? {
    guard previous >= Ratio.smallWhole else { return nil }
    // Adding 0 turns the -0 of a small loss into 0.
    return (100 * Double(difference) / Double(previous)).rounded() + 0
  }
}

/// The range of a share in percent, as every format has it: docs/people.md#intervals.
package struct PercentRange: Hashable {
  /// Rounded to one decimal.
  package let lower: Double
  package let upper: Double

  init(_ interval: ConfidenceInterval) {
    lower = PercentRange.rounded(interval.lower)
    upper = PercentRange.rounded(interval.upper)
  }

  /// `36–41`, `0.6–17.2`: one decimal when a bound is below 10 or above 99 and not the end.
  var words: String {
    let places = isFine(lower) || isFine(upper) ? 1 : 0
    func text(_ bound: Double) -> String {
      let isEnd = bound == 0 || bound == 100
      return NumberWords.decimal(bound, places: isEnd ? 0 : places)
    }
    return text(lower) + "–" + text(upper)
  }

  /// Whether a whole percent would say too little of the bound.
  private func isFine(_ bound: Double) -> Bool {
    (bound > 0 && bound < 9.95) || (bound > 99 && bound < 100)
  }

  /// In percent, to the tenth; adding 0 turns -0 into 0.
  static func rounded(_ share: Double) -> Double { (share * 1_000).rounded() / 10 + 0 }
}

extension Ratio {
  /// Wilson's interval; nil of 0.
  package var interval: PercentRange? {
    Statistics.wilson(part, of: whole).map(PercentRange.init)
  }
}

extension ShareVerdict {
  /// Nil when either share is of nothing.
  init?(from earlier: Ratio, to later: Ratio) {
    self.init(from: (earlier.part, earlier.whole), to: (later.part, later.whole))
  }
}

/// The difference of two shares in percentage points, with Newcombe's interval.
package struct PointChange: Hashable {
  /// Rounded to one decimal.
  package let points: Double
  package let lower: Double
  package let upper: Double

  /// Nil when either share is of nothing.
  package init?(from earlier: Ratio, to later: Ratio) {
    guard
      let interval = Statistics.difference(
        from: (earlier.part, earlier.whole), to: (later.part, later.whole))
    else { return nil }
    points = PercentRange.rounded(later.share - earlier.share)
    lower = PercentRange.rounded(interval.lower)
    upper = PercentRange.rounded(interval.upper)
  }

  /// `+3.2 points`; `±0.0 points` for none.
  static func words(ofError points: Double) -> String {
    let rounded = (points * 10).rounded() / 10 + 0
    return rounded == 0 ? "±0.0 points" : "\(signed(rounded)) points"
  }

  /// `+3.2 points, −1.0 to +7.4`.
  var words: String {
    "\(Self.signed(points)) points, \(Self.signed(lower)) to \(Self.signed(upper))"
  }

  /// `+3.2`, `−1.0`.
  static func signed(_ number: Double) -> String {
    NumberWords.signed(number, places: 1)
  }
}
