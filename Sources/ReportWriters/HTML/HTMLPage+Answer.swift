import Reports

/// What the line of a closed section says on a narrow page: docs/reports/form.md#long-pages.
extension HTMLPage {
  /// One number or sentence; nil where no block of the section has one.
  func answer(of section: Section) -> String? {
    section.blocks.lazy.compactMap(answer).first
  }

  private func answer(of block: Block) -> String? {
    switch block {
    case .text(let text): text.count <= Self.longestAnswer ? text : nil
    case .figures(let figures):
      figures.first { $0.value != .missing }.map { "\($0.label): \(words.words($0.value))." }
    case .table(let table): answer(of: table)
    case .chart(let chart):
      chart.table.rows.isEmpty
        ? chart.table.emptyText : chart.isSentence ? chart.sentence(words) : chart.alternative
    case .findings(let findings): findings.first?.sentence
    case .feedback(let list): list.entries.isEmpty ? list.emptyText : newest(list.entries[0])
    case .definitions, .popups, .contents: nil
    }
  }

  /// Characters of a text that is shown whole.
  private static var longestAnswer: Int { 160 }

  /// The total, else the first row, by its first number: `All: Blocks of free users 251.` Of a
  /// funnel, whose first row has no share, the last row by its last share.
  private func answer(of table: Table) -> String? {
    guard let first = table.rows.first, let last = table.rows.last else { return table.emptyText }
    let end = table.columns.indices.last { column in
      if case .rate = last.cells[column] { first.cells[column] == .missing } else { false }
    }
    let row = end == nil ? table.rows.first(where: \.isTotal) ?? first : last
    let cells = zip(table.columns, row.cells)
    let number =
      end.map { (table.columns[$0], row.cells[$0]) }
      ?? cells.dropFirst().first { $0.1.isAnswer }
    return number.map { column, cell in
      let name = VisibleText.clipped(words.words(row.cells[0]), to: 60)
      return "\(name): \(column.title) \(words.words(cell))."
    }
  }

  private func newest(_ comment: UserComment) -> String {
    "“\(VisibleText.clipped(VisibleText.line(comment.text), to: 80))”"
  }
}

extension Cell {
  /// Whether it is a number that says something alone.
  fileprivate var isAnswer: Bool {
    switch self {
    case .count, .ratio, .rate, .mean, .money, .seconds, .level: true
    default: false
    }
  }
}
