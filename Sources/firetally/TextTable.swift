import Reports

/// Columns of text, padded to the widest cell of each; the last column is not padded.
///
/// In a table with long texts and many rows, wide columns are only padded to a limited width.
struct TextTable {
  /// The largest number of characters of a table that is fully padded.
  private static let mostCharacters = 16 << 20
  /// The width of padded columns in a larger table.
  private static let narrowWidth = 100

  private var rows: [[String]]
  /// The colouring of padded cells, by row and column.
  private var colours: [[Int]: (String) -> String] = [:]
  /// The indexes of right-aligned columns.
  private let rightAligned: Set<Int>

  init(_ head: [String], rightAligned: Set<Int> = []) {
    rows = [head]
    self.rightAligned = rightAligned
  }

  mutating func add(_ row: [String]) {
    rows.append(row.map(VisibleText.line))
  }

  /// Adds a row with one coloured cell; nil for none.
  mutating func add(
    _ row: [String], colouring column: Int?, _ colour: @escaping (String) -> String
  ) {
    if let column { colours[[rows.count, column]] = colour }
    add(row)
  }

  /// The rows, one per line, without a line end after the last.
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
