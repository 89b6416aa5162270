package import Model
package import Store

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
    /// The list of past reports, in the folder `history`.
    case history

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
  package var said: [String] = []
}

/// A part of a report with a title; findings link to it.
package struct Section: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  /// One or two sentences about what the section shows.
  package var lead: String
  package var blocks: [Block] = []

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
  var figures: [Figure] {
    headline + sections.flatMap(\.blocks).flatMap(\.figures)
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

/// One number with its own place on the page.
package struct Figure: Hashable, Sendable {
  /// Kebab-case, unique in its row of figures.
  package var id: String
  package var label: String
  package var value: Cell
  /// The value as a part of a whole, which `note` names; nil when it is no part.
  package var share: Ratio?
  /// What the value counts, or the whole of its share; nil when the label says it.
  package var note: String?
  /// The change since the period before; nil when there is nothing to compare.
  package var change: PeriodChange?
  /// What the change is about when not the value, or why there is no change; nil otherwise.
  package var changeNote: String?
  /// What the same weekdays of six weeks before let expect, in the place of a change.
  ///
  /// Nil when too little is known.
  package var expected: Expected?
  /// The value on each day of the period, oldest first, nil for an unknown day; nil for a value
  /// without days.
  package var trend: [Int?]?
  /// Whether its change is counted from events, whose days may be unknown.
  package var isOfEvents = false
  /// The id of the section that explains the number; nil when none does.
  package var section: String?
  /// The report of that section, for a figure on another page; nil on its own page.
  package var report: Report.Name?
  /// How the number is counted, in a sentence or two; nil where the label says it.
  package var definition: String?
  /// How the number came about; nil for one that no query gave.
  package var source: QuerySource?

  /// What was to be expected of a value.
  package struct Expected: Hashable, Sendable {
    /// Which side of what is expected the value lies on.
    package enum Verdict: String, Sendable {
      case below, usual, above
    }

    /// Both ends are expected.
    package let range: ClosedRange<Double>
    /// Decimals that it is written with.
    package let places: Int
    /// The number of same weekdays that it comes from.
    package let days: Int
    package let verdict: Verdict

    /// The ends, rounded as they are shown.
    var low: Double { rounded(range.lowerBound) }
    var high: Double { rounded(range.upperBound) }

    private func rounded(_ value: Double) -> Double {
      let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
      return (value * scale).rounded() / scale
    }

    /// `180 to 230`.
    var span: String {
      "\(NumberWords.decimal(low, places: places)) to \(NumberWords.decimal(high, places: places))"
    }

    /// `usual 180 to 230`, `below the usual 180 to 230`.
    package var words: String {
      verdict == .usual ? "usual \(span)" : "\(verdict.rawValue) the usual \(span)"
    }
  }

  /// A change, or the reason for having none.
  package struct Change: Hashable, Sendable {
    package var change: PeriodChange?
    package var note: String?
    package var isOfEvents = false
  }

  /// The same figure with a change.
  package func compared(_ change: Change) -> Figure {
    var figure = self
    figure.change = change.change
    figure.changeNote = change.note
    figure.isOfEvents = change.isOfEvents
    return figure
  }

  /// The trend of three or more days, if any of its numbers is not 0.
  var drawnTrend: [Int?]? {
    trend.flatMap { trend in
      trend.count > 2 && trend.contains { ($0 ?? 0) != 0 } ? trend : nil
    }
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
  var table: Table? {
    switch self {
    case .table(let table): table
    case .chart(let chart): chart.table
    default: nil
    }
  }

  /// Nil for other blocks.
  var chart: Chart? { if case .chart(let chart) = self { chart } else { nil } }

  /// Empty for other blocks.
  var figures: [Figure] { if case .figures(let figures) = self { figures } else { [] } }

  var isGallery: Bool { if case .popups = self { true } else { false } }

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

/// What a user wrote with a rating: feedback in the app, or a review in the App Store.
package struct UserComment: Hashable, Sendable {
  /// Characters that HTML and text show of a text, a heading and any other word; the app allows
  /// texts of 500: docs/reports.md#hostile-text.
  static let textLimit = 600
  static let headingLimit = 120
  static let wordLimit = 60

  package var at: Instant
  /// 1 to 5.
  package var stars: Int
  /// The title of a review; nil for feedback, which shows the app's words for the stars instead.
  package var title: String?
  package var text: String
  package var userId: String
  package var gender: String
  package var country: String
  package var appVersion: String
  /// Where feedback was written; nil for reviews.
  package var origin: RatingsData.FeedbackEntry.Origin?
  /// The state of its upload; nil for reviews and foreign feedback.
  package var state: OutboxItem.State?
  /// What `firetally feedback` calls it; nil for reviews, and in anonymous reports.
  package var id: String?
  /// The ids of its themes.
  package var themes: [String] = []
  /// Nil for reviews, which nobody marks as done.
  package var isOpen: Bool?

  /// Origin, state and themes in words, whether it is done, and its id.
  package var statusWords: [String] {
    [origin?.rawValue, state?.rawValue].compactMap(\.self) + themes
      + (isOpen == false ? ["done"] : []) + (id.map { ["id \($0)"] } ?? [])
  }

  /// Its place on the page, which stays from report to report; nil when its id makes none.
  package var anchor: String? {
    guard let id, !id.isEmpty,
      id.utf8.allSatisfy({ WholeWord.isOfWord($0) && $0 < 0x80 || $0 == UInt8(ascii: "/") })
    else { return nil }
    return "feedback-\(id.replacing("/", with: "-"))"
  }

  /// The words beside the stars.
  package var heading: String { title ?? StarRating(rawValue: stars)?.text ?? "" }
}

/// Comments in a row, newest first.
package struct FeedbackList: Sendable {
  /// The name of the list in CSV.
  package var id = "feedback"
  /// All entries, as JSON and CSV have them.
  package var entries: [UserComment]
  /// HTML and text stop after this many entries.
  package var shownLimit: Int
  package var emptyText: String

  package var shownEntries: ArraySlice<UserComment> { entries.prefix(shownLimit) }

  /// How many entries of how many are shown; nil when all are.
  package var shownOf: (shown: Int, total: Int)? {
    entries.count > shownEntries.count ? (shownEntries.count, entries.count) : nil
  }
}

/// A popup of the app in one of its states, with the values in force.
package struct PopupPreview: Hashable, Sendable {
  package enum Picture: Hashable, Sendable {
    case limit(Popup, of: Feature)
    case rating(RatingDialog)
    /// The price is that of the subscription; nil when none is configured.
    case paywall(Paywall, price: String?)
    /// What a subscriber sees instead of the paywall.
    case premium(Paywall)
    /// No popup, for the given reason.
    case nothing(String)
  }

  /// Kebab-case, unique in its gallery.
  package var state: String
  package var caption: String
  /// Whether it is the popup that the profile would see now, and no example.
  package var isReal: Bool
  package var picture: Picture

  package init(_ state: String, _ caption: String, isReal: Bool = false, _ picture: Picture) {
    self.state = state
    self.caption = caption
    self.isReal = isReal
    self.picture = picture
  }
}

/// One popup in all its states, the real one first.
package struct PopupGallery: Sendable {
  /// Kebab-case, unique in its report.
  package var id: String
  package var title: String
  package var previews: [PopupPreview]
}
