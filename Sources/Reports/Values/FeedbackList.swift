package import Model
import Rules

/// What users wrote, in the app or in the App Store, newest first.
package struct FeedbackList: Sendable {
  package struct Entry: Hashable, Encodable, Sendable {
    package var at: Instant
    /// 1 to 5.
    package var stars: Int
    /// What the author put above the text; nil where the app's own words about the stars stand.
    package var title: String?
    package var text: String
    package var userId: String
    package var gender: String
    package var country: String
    package var appVersion: String
    /// How far it got; nil for what never has to leave.
    package var state: OutboxItem.State?

    /// What stands beside the stars.
    package var heading: String { title ?? StarRating(rawValue: stars)?.text ?? "" }
  }

  /// The name of the list in CSV.
  package var id = "feedback"
  /// All entries; JSON and CSV carry every one.
  package var entries: [Entry]
  /// HTML and text stop after this many entries.
  package var shownLimit: Int
  package var emptyText: String

  package var shownEntries: ArraySlice<Entry> { entries.prefix(shownLimit) }

  /// How many of how many are shown; nil when all are.
  package var shownOf: (shown: Int, total: Int)? {
    entries.count > shownEntries.count ? (shownEntries.count, entries.count) : nil
  }
}
