package import Model
package import Store

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
