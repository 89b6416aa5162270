extension Report {
  /// Every cell that HTML and text show, in the order of reading.
  package var shownCells: [Cell] {
    headline.flatMap(\.cells) + sections.flatMap { $0.blocks.flatMap(\.shownCells) }
  }

  /// Whether a percentage or mean of few is shown, so that the page explains the mark.
  var hasMarkedCells: Bool { shownCells.contains(where: CellWords.isMarked) }
}

extension Block {
  /// Every cell of the block that HTML and text show.
  var shownCells: [Cell] {
    switch self {
    case .figures(let figures): figures.flatMap(\.cells)
    case .table(let table): table.shownRows.flatMap(\.cells)
    case .chart(let chart): chart.table.shownRows.flatMap(\.cells)
    case .feedback(let list): list.shownEntries.map { .stars($0.stars) }
    case .text, .definitions, .findings, .popups, .contents: []
    }
  }
}

extension Figure {
  /// The value, the share and the change, as far as there are any.
  var cells: [Cell] {
    [value] + [share.map(Cell.ratio), change.map(Cell.change)].compactMap { $0 }
  }
}
