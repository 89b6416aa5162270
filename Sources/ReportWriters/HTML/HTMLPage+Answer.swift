import Reports

/// What the line of a closed section says on a narrow page: docs/reports/form.md#long-pages.
extension HTMLPage {
  /// What a query of it says, else the number or sentence of its first block that has one.
  func answer(of section: Section) -> String? {
    section.answer.flatMap(firstSentences) ?? section.blocks.lazy.compactMap(answer).first
  }

  private func answer(of block: Block) -> String? {
    switch block {
    case .text(let text): firstSentences(of: text)
    case .figures(let figures): answer(of: figures)
    case .table(let table): answer(of: table)
    case .chart(let chart):
      chart.isSentence ? chart.sentence(words) : answer(of: chart.table) ?? chart.alternative
    case .findings(let findings): findings.first?.sentence
    case .feedback(let list): list.entries.isEmpty ? list.emptyText : newest(list.entries[0])
    case .definitions, .popups, .contents: nil
    }
  }

  /// The first figures that are known: `Texts: 18. Open: 57.`; nil without one.
  private func answer(of figures: [Figure]) -> String? {
    let known = figures.filter { $0.value != .missing }.prefix(Self.namedRows)
    return known.isEmpty
      ? nil : known.map { "\($0.label): \(words.words($0.value))." }.joined(separator: " ")
  }

  /// The most characters of a line.
  private static var longestAnswer: Int { 160 }

  /// The text, or as many of its first sentences as a line has room for; nil where the first is too
  /// long.
  private func firstSentences(of text: String) -> String? {
    guard text.count > Self.longestAnswer else { return text }
    return text.prefix(Self.longestAnswer).ranges(of: ". ").last
      .map { String(text[..<$0.lowerBound]) + "." }
  }

  /// The total and its first number, such as `All: Blocks of free users 251`.
  ///
  /// Of a funnel, whose first row has no share, the last row by its last share; of days the newest;
  /// else the first rows.
  private func answer(of table: Table) -> String? {
    guard let first = table.rows.first, let last = table.rows.last else { return table.emptyText }
    let end = table.columns.indices.last { column in
      if case .rate = last.cells[column] { first.cells[column] == .missing } else { false }
    }
    if let end { return sentence(last, table.columns[end], last.cells[end]) }
    let row = table.rows.first(where: \.isTotal) ?? newest(table.rows)
    guard
      let column = table.columns.indices.dropFirst().first(where: {
        (row ?? first).cells[$0].isAnswer
      })
    else { return nil }
    return row.map { sentence($0, table.columns[column], $0.cells[column]) }
      ?? leaders(of: table, by: column)
  }

  private func sentence(_ row: Table.Row, _ column: Table.ColumnHead, _ cell: Cell) -> String {
    "\(name(of: row)): \(column.title) \(words.words(cell))."
  }

  private func name(of row: Table.Row) -> String {
    VisibleText.clipped(words.words(row.cells[0]), to: 60)
  }

  /// The row of the newest day; nil for rows of other things.
  private func newest(_ rows: [Table.Row]) -> Table.Row? {
    let days = rows.compactMap { row in row.cells[0].day.map { (day: $0, row: row) } }
    return days.max { $0.day < $1.day }?.row
  }

  /// Rows that the line names.
  private static var namedRows: Int { 3 }

  /// `Taps: Refresh 723; Filter 278; Search 253.`; nil for rows that their first cells do not tell
  /// apart, and for a list by time.
  private func leaders(of table: Table, by column: Int) -> String? {
    let rows = table.rows.prefix(Self.namedRows)
    let isByTime = rows.contains { if case .instant = $0.cells[0] { true } else { false } }
    guard !isByTime, Set(rows.map { $0.cells[0] }).count == rows.count else { return nil }
    let parts = rows.map { "\(name(of: $0)) \(words.words($0.cells[column]))" }
    let more = table.rows.count - rows.count
    return "\(table.columns[column].title): \(parts.joined(separator: "; "))"
      + (more > 0 ? "; and \(NumberWords.grouped(more)) more." : ".")
  }

  private func newest(_ comment: UserComment) -> String {
    "“\(VisibleText.clipped(VisibleText.line(comment.text), to: 80))”"
  }
}

extension Cell {
  /// The day of a cell by days, which sorts; nil for another cell.
  fileprivate var day: String? {
    if case .day(let day) = self { day.iso8601 } else { nil }
  }

  /// Whether it is a number that says something alone.
  fileprivate var isAnswer: Bool {
    switch self {
    case .count, .ratio, .rate, .mean, .money, .seconds, .level: true
    default: false
    }
  }
}
