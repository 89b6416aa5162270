import Reports

/// A table in columns, or as one entry after another when the columns do not fit the width.
struct ReportTextTable {
  private static let gap = 2
  private static let barWidth = 12
  /// The widest sparkline; a longer trend is drawn as sums of neighbours.
  private static let trendWidth = 31
  /// The narrowest width of a text column.
  private static let narrowest = 9

  private struct Column {
    var title: String
    var isTrailing: Bool
    var cells: [String]
    var width = 0
    /// Whether the column may be narrowed: only columns of texts.
    var isFlexible: Bool
    /// Whether a long cell is wrapped; it is cut otherwise.
    var wraps = false
  }

  private var columns: [Column] = []
  /// By row, whether a line follows it.
  private let totals: [Bool]

  init(_ table: Table, words: CellWords, barsFor bars: String? = nil) {
    let rows = table.shownRows
    totals = rows.map(\.isTotal)
    for (position, column) in table.columns.enumerated() {
      let cells = rows.map { $0.cells[position] }
      columns.append(
        Column(
          title: column.title, isTrailing: column.alignment == .trailing,
          cells: cells.map { ReportTextTable.text($0, words) },
          isFlexible: cells.contains { $0.isFlexible }, wraps: column.wraps))
      guard column.drawsBars || column.id == bars else { continue }
      let most = table.magnitudes(of: column.id).max() ?? 0
      let bars = cells.map {
        TextBar.bar(share: most > 0 ? ($0.magnitude ?? 0) / most : 0, width: Self.barWidth)
      }
      columns.append(Column(title: "", isTrailing: false, cells: bars, isFlexible: false))
    }
    fit()
  }

  private static func text(_ cell: Cell, _ words: CellWords) -> String {
    switch cell {
    case .text(let text), .code(let text), .app(let text, _):
      VisibleText.line(VisibleText.clipped(text, to: Cell.textLimit))
    case .level(let level, let text): "\(level.sign) \(VisibleText.line(text))"
    case .trend(let counts):
      TextBar.sparkline(counts.folded(to: trendWidth).counts.map { $0.map(Double.init) })
    case .countdown(let remaining, let duration):
      words.words(cell) + " "
        + TextBar.bar(share: duration > 0 ? remaining / duration : 0, width: 8)
    default: words.words(cell)
    }
  }

  /// Whether the columns fit a line beside each other, however narrow.
  var fits: Bool { total <= TextSheet.width }
  /// Whether they do with no column narrowed.
  private(set) var fitsWhole = false

  private var total: Int {
    columns.reduce(-ReportTextTable.gap) { $0 + $1.width + ReportTextTable.gap }
  }

  /// Sets the widths, and narrows the widest text column while the line is too long.
  private mutating func fit() {
    for index in columns.indices {
      let longestWord = columns[index].title.split(separator: " ").map(\.count).max() ?? 0
      let longestCell = columns[index].cells.map(DisplayWidth.of).max() ?? 0
      columns[index].width = max(longestWord, longestCell)
    }
    fitsWhole = fits
    while total > TextSheet.width {
      let flexible = columns.indices.filter {
        columns[$0].isFlexible && columns[$0].width > ReportTextTable.narrowest
      }
      guard let widest = flexible.max(by: { columns[$0].width < columns[$1].width }) else { return }
      columns[widest].width -= 1
    }
  }

  func write(to sheet: inout TextSheet) {
    guard fits else { return writeEntries(to: &sheet) }
    writeHead(to: &sheet)
    for row in totals.indices {
      writeLines(
        of: columns.map {
          $0.wraps ? TextSheet.wrapped($0.cells[row], to: $0.width) : [$0.cells[row]]
        }, to: &sheet)
      if totals[row], row + 1 < totals.count { sheet.line(dashes) }
    }
  }

  /// Writes a row in as many lines as its longest cell has.
  private func writeLines(of cells: [[String]], to sheet: inout TextSheet) {
    for level in 0..<(cells.map(\.count).max() ?? 0) {
      sheet.line(line(cells.map { level < $0.count ? $0[level] : "" }))
    }
  }

  private var dashes: String {
    columns.map { String(repeating: "-", count: $0.width) }.joined(separator: "  ")
  }

  private func line(_ cells: [String]) -> String {
    zip(columns, cells).map { column, cell in
      let cell = TextDirection.isolated(DisplayWidth.cut(cell, to: column.width))
      return DisplayWidth.fitted(cell, to: column.width, trailing: column.isTrailing)
    }.joined(separator: String(repeating: " ", count: ReportTextTable.gap))
  }

  private func writeHead(to sheet: inout TextSheet) {
    let titles = columns.map { TextSheet.wrapped($0.title, to: max($0.width, 1)) }
    let height = titles.map(\.count).max() ?? 0
    writeLines(
      of: titles.map { Array(repeating: "", count: height - $0.count) + $0 }, to: &sheet)
    sheet.line(dashes)
  }

  /// Writes each cell in a line, for a table with more numbers than fit a line.
  private func writeEntries(to sheet: inout TextSheet) {
    let width = columns.map { DisplayWidth.of($0.title) }.max() ?? 0
    for row in totals.indices {
      for column in columns where !column.title.isEmpty {
        sheet.paragraph(
          "\(DisplayWidth.fitted(column.title, to: width))  \(column.cells[row])",
          hanging: width + 2)
      }
      sheet.gap()
    }
  }
}

extension Cell {
  /// Whether a narrow column may cut the cell: texts, but no numbers.
  fileprivate var isFlexible: Bool {
    switch self {
    case .text, .code, .app: true
    default: false
    }
  }
}
