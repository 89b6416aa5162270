package import Model

/// One report as a value, in the order of reading; all four formats write it.
package struct Report: Sendable {
  /// A report's kebab-case name: its file name, its place in links, `report NAME` on the command
  /// line.
  package enum Name: String, CaseIterable, Codable, Sendable {
    case index, usage, limits, popups, ratings, users, runs
    /// A list of every section of the other pages, to look for words in.
    case search
    /// The list of past reports, in the folder `history`.
    case history

    /// The index, the five reports with the popups of two of them, and the list of their sections,
    /// in the order of reading.
    package static let pages: [Name] = [
      .index, .usage, .limits, .popups, .ratings, .users, .runs, .search,
    ]
  }

  /// The time of the newest data in the report, and what that data is.
  package struct DataTime: Hashable, Sendable {
    /// For example "Newest event".
    package var label: String
    /// Nil without data.
    package var at: Instant?

    package init(label: String, at: Instant?) {
      self.label = label
      self.at = at
    }
  }

  package var name: Name
  package var title: String
  package var context: ReportContext
  package var dataTime: DataTime
  /// One or two sentences about what the report shows.
  package var summary: String
  /// The figures at the top of the page; the index repeats some of them.
  package var headline: [Figure]
  /// What needs a person, worst first; the index lists the findings of all reports.
  package var findings: [Finding]
  package var sections: [Section]
  /// On the index: the findings of all reports, worst first; empty on other reports.
  package var attention: [Finding] = []

  package init(
    name: Name, title: String, context: ReportContext, dataTime: DataTime, summary: String,
    headline: [Figure] = [], findings: [Finding] = [], sections: [Section]
  ) {
    self.name = name
    self.title = title
    self.context = context
    self.dataTime = dataTime
    self.summary = summary
    self.headline = headline
    self.findings = findings
    self.sections = sections
  }
}

/// A part of a report with a title; findings link to it.
package struct Section: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  /// One or two sentences about what the section shows.
  package var lead: String
  package var blocks: [Block]
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
package struct Definition: Hashable, Encodable, Sendable {
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

extension Report {
  /// The figures at the top of the page, then those of its sections.
  var figures: [Figure] {
    headline
      + sections.flatMap(\.blocks).flatMap { block -> [Figure] in
        guard case .figures(let figures) = block else { return [] }
        return figures
      }
  }

  /// Every cell that HTML and text show, in the order of reading.
  package var shownCells: [Cell] {
    headline.flatMap(\.cells) + sections.flatMap { $0.blocks.flatMap(\.shownCells) }
  }

  /// Whether a cell has the mark of small counts, which the page then explains.
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
  /// The value, and the share and the change if it has them.
  var cells: [Cell] {
    [value] + [share.map(Cell.ratio), change.map(Cell.change)].compactMap { $0 }
  }
}
