package import Model

/// One report as a value, in the order of reading; all four formats write it.
package struct Report: Sendable {
  /// A report's kebab-case name: its file name, its place in links, `report NAME` on the command
  /// line.
  package enum Name: String, CaseIterable, Codable, Sendable {
    case index, usage, money, limits, popups, ratings, users, runs
    /// The figures that the reader's own queries count; only with such a query.
    case own
    /// A list of every section of the other pages, to look for words in.
    case search
    /// The list of past reports, in the folder `history`; the page above all workspaces.
    case history, overview

    /// The index, the five reports with the money and the popups of two of them, the reader's own
    /// figures, and the list of their sections, in the order of reading.
    package static let pages: [Name] = [
      .index, .usage, .money, .limits, .popups, .ratings, .users, .runs, .own, .search,
    ]

    /// The pages that every workspace has.
    package static let shipped = pages.filter { $0 != .own }

    /// The pages that queries can be placed on: the index is one screen, and lists are of
    /// themselves.
    package static let placeable = pages.filter { $0 != .index && $0 != .search }
  }

  /// The time of the newest data in the report, and what that data is.
  package struct DataTime: Hashable, Sendable {
    /// For example "Newest event".
    package var label: String
    /// Nil without data.
    package var at: Instant?
  }

  package var name: Name
  package var title: String
  package var context: ReportContext
  package var dataTime: DataTime
  /// One or two sentences about what the report shows.
  package var summary: String
  /// The figures at the top of the page; the index repeats some of them.
  package var headline: [Figure] = []
  /// What needs a person, worst first; the index lists the findings of all reports.
  package var findings: [Finding] = []
  package var sections: [Section]
  /// On the index: the findings of all reports, worst first; empty on other reports.
  package var attention: [Finding] = []
  /// What is found and was acknowledged, worst first; the index lists that of all reports.
  package var acknowledged: [AcknowledgedFinding] = []
  /// On the index: what cannot be judged, in sentences; nil when all can, and on other reports.
  package var unjudged: String?
  /// On the index: what queries say of money, a sentence each; empty on other reports.
  package var moneySentences: [String] = []
}

/// A part of a report with a title; findings link to it.
package struct Section: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  /// One or two sentences about what the section shows.
  package var lead: String
  package var blocks: [Block] = []
  /// The first sentence that one of its queries says above its table; nil where none does.
  package var answer: String?

  /// Leaves out the title of the only table, if the section has the same; one that is folded needs
  /// it.
  mutating func hideRepeatedTitle() {
    let places = blocks.indices.filter { blocks[$0].table != nil }
    guard places.count == 1, let place = places.first, let table = blocks[place].table,
      table.title == title, !table.isFolded
    else { return }
    switch blocks[place] {
    case .table(var table):
      table.isTitled = false
      blocks[place] = .table(table)
    case .chart(var chart):
      chart.table.isTitled = false
      blocks[place] = .chart(chart)
    default: break
    }
  }
}

extension Report {
  /// The figures at the top of the page, then those of its sections.
  package var figures: [Figure] {
    headline + sections.flatMap(\.blocks).flatMap(\.figures)
  }

  /// Every cell that HTML and text show, in the order of reading.
  package var shownCells: [Cell] {
    headline.flatMap(\.cells) + sections.flatMap { $0.blocks.flatMap(\.shownCells) }
  }

  /// Whether a cell has the mark of small counts, which the page then explains.
  package var hasMarkedCells: Bool { shownCells.contains(where: CellWords.isMarked) }
}

extension Figure {
  /// The value, and the share and the change if it has them.
  package var cells: [Cell] {
    [value] + [share.map(Cell.ratio), change.map(Cell.change)].compactMap(\.self)
  }
}

/// A piece of a section.
package enum Block: Sendable {
  case text(String)
  case figures([Figure])
  case table(Table)
  case chart(Chart)
  case definitions([Definition])
  case findings([Finding])
  case feedback(FeedbackList)
  case popups(PopupGallery)
  case contents([PageLink])
}

/// A term of the report and its meaning.
package struct Definition: Hashable, Sendable {
  package var term: String
  package var meaning: String

  package init(_ term: String, _ meaning: String) {
    self.term = term
    self.meaning = meaning
  }
}

/// A link to another report, with its summary.
package struct PageLink: Hashable, Sendable {
  package var report: Report.Name
  package var title: String
  package var summary: String
  package var dataTime: Report.DataTime
}

extension Block {
  /// The table, or that of the chart; nil for other blocks.
  package var table: Table? {
    switch self {
    case .table(let table): table
    case .chart(let chart): chart.table
    default: nil
    }
  }

  /// Nil for other blocks.
  package var chart: Chart? { if case .chart(let chart) = self { chart } else { nil } }

  /// Empty for other blocks.
  package var figures: [Figure] { if case .figures(let figures) = self { figures } else { [] } }

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
