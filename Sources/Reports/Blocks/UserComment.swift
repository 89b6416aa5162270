package import Model
package import Store

/// What a user wrote with a rating: feedback in the app, or a review in the App Store.
package struct UserComment: Hashable, Sendable {
  /// Characters that HTML and text show of a text, a heading and any other word; the app allows
  /// texts of 500: docs/reports.md#hostile-text.
  package static let textLimit = 600
  package static let headingLimit = 120
  package static let wordLimit = 60

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
  /// A page folds those after this many.
  package var openLimit = Int.max
  package var emptyText: String

  package var shownEntries: ArraySlice<UserComment> { entries.prefix(shownLimit) }
  package var openEntries: ArraySlice<UserComment> { shownEntries.prefix(openLimit) }
  package var foldedEntries: ArraySlice<UserComment> { shownEntries.dropFirst(openLimit) }

  /// How many entries of how many are shown; nil when all are.
  package var shownOf: (shown: Int, total: Int)? {
    entries.count > shownEntries.count ? (shownEntries.count, entries.count) : nil
  }
}
