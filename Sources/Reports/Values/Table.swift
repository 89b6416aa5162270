/// Rows of typed cells under named columns.
package struct Table: Sendable {
  package enum Alignment: Sendable {
    case leading, trailing
  }

  package struct Column: Sendable {
    /// Snake case: the name of the field in JSON and CSV, unique in its table.
    package var id: String
    package var title: String
    package var alignment: Alignment
    /// Whether its numbers are drawn as bars beside them, as parts of the largest.
    package var drawsBars: Bool
    /// Whether its texts are sentences, which text breaks into lines where it would cut others.
    package var wraps: Bool

    package init(
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
    /// A sum of other rows: set apart, and never part of a chart.
    package var isTotal: Bool

    package init(_ cells: [Cell], isTotal: Bool = false) {
      self.cells = cells
      self.isTotal = isTotal
    }
  }

  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  package var columns: [Column]
  /// All rows; JSON and CSV carry every one.
  package var rows: [Row]
  /// HTML and text stop after this many rows.
  package var shownLimit: Int
  /// How many there are in the workspace, when that is more than `rows` holds; nil when `rows` is all.
  package var totalCount: Int?
  /// What stands in place of a table without rows.
  package var emptyText: String

  package init(
    id: String, title: String, columns: [Column], rows: [Row], shownLimit: Int = .max,
    totalCount: Int? = nil, emptyText: String = "Nothing to show."
  ) {
    self.id = id
    self.title = title
    self.columns = columns
    self.rows = rows
    self.shownLimit = shownLimit
    self.totalCount = totalCount
    self.emptyText = emptyText
  }

  package var shownRows: ArraySlice<Row> { rows.prefix(shownLimit) }

  /// How many of how many are shown; nil when all are.
  package var shownOf: (shown: Int, total: Int)? {
    let total = totalCount ?? rows.count
    return total > shownRows.count ? (shownRows.count, total) : nil
  }

  /// The magnitudes of a column, row by row and without totals; nil for a cell that has none.
  package func values(of columnId: String) -> [Double?] {
    guard let column = columns.firstIndex(where: { $0.id == columnId }) else { return [] }
    return rows.filter { !$0.isTotal }.map { $0.cells[column].magnitude }
  }

  /// Whether a column holds nothing but counts.
  func holdsCounts(_ columnId: String) -> Bool {
    guard let column = columns.firstIndex(where: { $0.id == columnId }) else { return false }
    return rows.allSatisfy { row in
      guard case .count = row.cells[column] else { return false }
      return true
    }
  }

  /// The same with 0 for a cell that has none.
  package func magnitudes(of columnId: String) -> [Double] {
    values(of: columnId).map { $0 ?? 0 }
  }
}
