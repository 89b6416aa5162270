extension Report {
  /// Every cell that HTML and text show, in the order of reading.
  package var shownCells: [Cell] {
    headline.map(\.value) + sections.flatMap { $0.blocks.flatMap(\.shownCells) }
  }

  /// Whether a percentage or mean of few is shown, so that the page explains the mark.
  var hasMarkedCells: Bool { shownCells.contains(where: CellWords.isMarked) }
}

extension Block {
  /// Every cell of the block that HTML and text show.
  var shownCells: [Cell] {
    switch self {
    case .figures(let figures): figures.map(\.value)
    case .table(let table): table.shownRows.flatMap(\.cells)
    case .chart(let chart): chart.table.shownRows.flatMap(\.cells)
    case .feedback(let list): list.shownEntries.map { .stars($0.stars) }
    case .text, .definitions, .findings, .popups, .contents: []
    }
  }
}
