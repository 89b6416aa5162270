package import Model

/// What users wrote, newest first.
package struct FeedbackList: Sendable {
  package struct Entry: Hashable, Encodable, Sendable {
    package var at: Instant
    /// 1 to 3.
    package var stars: Int
    package var text: String
    package var userId: String
    package var gender: String
    package var country: String
    package var appVersion: String
    package var state: OutboxItem.State
  }

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
