import Reports

/// Columns of text, padded to the widest cell of each; the last column is not padded.
struct TextTable {
  private var rows: [[String]]
  /// Indexes of columns whose cells stand at the right.
  private let rightAligned: Set<Int>

  init(_ head: [String], rightAligned: Set<Int> = []) {
    rows = [head]
    self.rightAligned = rightAligned
  }

  mutating func add(_ row: [String]) {
    rows.append(row.map(VisibleText.line))
  }

  /// The rows, one a line, without a line end after the last.
  var text: String {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    return rows.map { line($0, widths) }.joined(separator: "\n")
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
      if rightAligned.contains(column) { return padding + cell }
      return column == row.count - 1 ? cell : cell + padding
    }.joined(separator: "  ")
  }
}
