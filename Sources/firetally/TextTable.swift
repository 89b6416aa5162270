import Reports

/// Columns of text, padded to the widest cell of each; the last column is not padded.
///
/// In a table of long texts and many rows, wide columns are not padded to the end.
struct TextTable {
  /// Characters of a table whose cells are all as wide as their column.
  private static let mostCharacters = 16 << 20
  /// The width of columns in a table that has more.
  private static let narrowWidth = 100

  private var rows: [[String]]
  /// By row and column, what makes a padded cell coloured.
  private var colours: [[Int]: (String) -> String] = [:]
  /// Indexes of columns whose cells stand at the right.
  private let rightAligned: Set<Int>

  init(_ head: [String], rightAligned: Set<Int> = []) {
    rows = [head]
    self.rightAligned = rightAligned
  }

  /// One value a row, as `show` commands print them.
  static func fields(
    _ fields: [(String, String?)], head: String = "FIELD", none: String = "-"
  ) -> TextTable {
    var table = TextTable([head, "VALUE"])
    for (name, value) in fields { table.add([name, value ?? none]) }
    return table
  }

  mutating func add(_ row: [String]) {
    rows.append(row.map(VisibleText.line))
  }

  /// The same with a colour for one cell.
  mutating func add(_ row: [String], colouring column: Int, _ colour: @escaping (String) -> String)
  {
    colours[[rows.count, column]] = colour
    add(row)
  }

  /// The rows, one a line, without a line end after the last.
  var text: String {
    var widths = (rows.first ?? []).indices.map { column in
      rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    if widths.reduce(0, +) > Self.mostCharacters / max(1, rows.count) {
      widths = widths.map { min($0, Self.narrowWidth) }
    }
    return rows.indices.map { line($0, widths) }.joined(separator: "\n")
  }

  private func line(_ number: Int, _ widths: [Int]) -> String {
    let row = rows[number]
    return row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cell)))
      let padded =
        rightAligned.contains(column)
        ? padding + cell : column == row.count - 1 ? cell : cell + padding
      return colours[[number, column]]?(padded) ?? padded
    }.joined(separator: "  ")
  }
}
