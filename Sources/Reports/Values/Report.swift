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

extension Figure {
  /// The value, and the share and the change if it has them.
  var cells: [Cell] {
    [value] + [share.map(Cell.ratio), change.map(Cell.change)].compactMap(\.self)
  }
}
