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
    package var alignment: Alignment
    /// Whether each number has a bar beside it, as a part of the column's largest number.
    package var drawsBars: Bool
    /// Whether the text report wraps long cells; it cuts those of other columns.
    package var wraps: Bool

    init(
      _ id: String, _ title: String, _ alignment: Alignment = .trailing, drawsBars: Bool = false,
      wraps: Bool = false
    ) {
      self.id = id
      self.title = title
      self.alignment = alignment
      self.drawsBars = drawsBars
      self.wraps = wraps
    }
  }

  package struct Row: Sendable {
    /// One cell per column.
    package var cells: [Cell]
    /// Whether the row is the sum of other rows; charts leave it out.
    package var isTotal: Bool

    init(_ cells: [Cell], isTotal: Bool = false) {
      self.cells = cells
      self.isTotal = isTotal
    }
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
  /// Whether pages and texts show the title, which may stand above it already.
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
    guard let column = columns.firstIndex(where: { $0.id == columnId }) else { return [] }
    return rows.filter { !$0.isTotal }.map { $0.cells[column].magnitude }
  }

  /// Whether every cell of the column is a count, none below 0.
  func holdsCounts(_ columnId: String) -> Bool {
    guard let column = columns.firstIndex(where: { $0.id == columnId }) else { return false }
    return rows.allSatisfy { row in
      guard case .count(let count) = row.cells[column] else { return false }
      return count >= 0
    }
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
    _ id: String, _ title: String, _ alignment: Table.Alignment = .trailing,
    drawsBars: Bool = false, wraps: Bool = false, cell: @escaping (Record) -> Cell
  ) {
    self.init(
      head: Table.ColumnHead(id, title, alignment, drawsBars: drawsBars, wraps: wraps), cell: cell)
  }

  private init(head: Table.ColumnHead, cell: @escaping (Record) -> Cell) {
    self.head = head
    self.cell = cell
  }

  /// The same column, without a value for some records.
  func missing(where isUnknown: @escaping (Record) -> Bool) -> Column {
    Column(head: head) { isUnknown($0) ? .missing : cell($0) }
  }

  /// The same column in a table whose records contain this column's.
  func reading<Outer>(_ record: @escaping (Outer) -> Record) -> Column<Outer> {
    Column<Outer>(head: head) { outer in cell(record(outer)) }
  }
}

extension Array {
  /// The same columns in a table whose records contain these columns' records.
  func reading<Record, Outer>(_ record: @escaping (Outer) -> Record) -> [Column<Outer>]
  where Element == Column<Record> {
    map { $0.reading(record) }
  }
}

extension Table {
  /// One row a record, each cell read by its column.
  init<Record>(
    id: String, title: String, of records: [Record], columns: [Column<Record>],
    shownLimit: Int = .max, totalCount: Int? = nil, emptyText: String = "Nothing to show.",
    isFolded: Bool = false, isTotal: (Record) -> Bool = { _ in false }
  ) {
    self.init(
      id: id, title: title, columns: columns.map(\.head),
      rows: records.map { record in
        Row(columns.map { $0.cell(record) }, isTotal: isTotal(record))
      },
      shownLimit: shownLimit, totalCount: totalCount, emptyText: emptyText, isFolded: isFolded)
  }
}

extension Block {
  /// A table of one row a record, each cell read by its column.
  static func table<Record>(
    id: String, title: String, of records: [Record], columns: [Column<Record>],
    shownLimit: Int = .max, totalCount: Int? = nil, emptyText: String = "Nothing to show.",
    isFolded: Bool = false, isTotal: (Record) -> Bool = { _ in false }
  ) -> Block {
    .table(
      Table(
        id: id, title: title, of: records, columns: columns, shownLimit: shownLimit,
        totalCount: totalCount, emptyText: emptyText, isFolded: isFolded, isTotal: isTotal))
  }
}
