package import Model
package import Store

/// A text with one to three stars: feedback in the app, or a review in the App Store.
struct WrittenText {
  enum Place {
    case app, store
  }

  var at: Instant
  var stars: Int
  var place: Place
  var appVersion: String
  var text: String
  /// Folded, with a space between words.
  var folded: String
  /// The ids of its themes, in the order of the list; one that a person chose stands alone.
  var themes: [String]
  var isTooShort: Bool
  /// Nil for reviews, which nobody marks as done.
  var isOpen: Bool?
}

/// Finds the themes of feedback and reviews.
package struct TextSorter {
  private var matcher: ThemeMatcher

  package init(_ themes: [Theme]) {
    matcher = ThemeMatcher(themes, fold: FoldedText.words)
  }

  /// The ids of the themes of feedback: the one that a person chose, else those of its words.
  package mutating func themes(of entry: RatingsData.FeedbackEntry) -> [String] {
    themes(FoldedText.words(of: entry.feedback.text), entry.mark)
  }

  private mutating func themes(_ words: [String], _ mark: FeedbackMark) -> [String] {
    switch mark.theme {
    case .byWords: matcher.themes(of: words)
    case .none: []
    case .chosen(let theme): [theme]
    }
  }

  mutating func text(_ entry: RatingsData.FeedbackEntry) -> WrittenText {
    let feedback = entry.feedback
    let words = FoldedText.words(of: feedback.text)
    let themes = themes(words, entry.mark)
    return WrittenText(
      at: Instant(unixSeconds: feedback.timestamp), stars: feedback.stars, place: .app,
      appVersion: feedback.appVersion, text: feedback.text, folded: words.joined(separator: " "),
      themes: themes, isTooShort: ShortTextRule.isTooShort(words, hasTheme: !themes.isEmpty),
      isOpen: entry.isOpen)
  }

  mutating func text(_ review: AppReview) -> WrittenText {
    let text = [review.title, review.text].filter { !$0.isEmpty }.joined(separator: ": ")
    let words = FoldedText.words(of: text)
    let themes = matcher.themes(of: words)
    return WrittenText(
      at: review.updatedAt, stars: review.stars, place: .store, appVersion: review.version,
      text: text, folded: words.joined(separator: " "), themes: themes,
      isTooShort: ShortTextRule.isTooShort(words, hasTheme: !themes.isEmpty), isOpen: nil)
  }
}

/// The texts with few stars of a period and of the one before it.
struct WrittenTexts {
  /// Newest first.
  private(set) var current: [WrittenText] = []
  /// Of the span that the days that are over, or the running day, are compared with; empty when it
  /// is not covered.
  private(set) var previous: [WrittenText] = []
  /// Why there is no span to compare with whose texts are all known, as the end of a sentence; nil
  /// when there is one.
  let obstacle: String?
  /// How many texts came then, and in the days that are compared with it.
  let change: Figure.Change
  /// Open feedback with few stars, whatever the period.
  let openCount: Int

  static let mostStars = 3

  init(_ data: RatingsData, context: ReportContext) {
    var sorter = TextSorter(data.themes)
    let low = data.feedback.filter { $0.feedback.stars <= Self.mostStars }
    openCount = low.count(where: \.isOpen)
    let reviews = (data.reviews?.newest ?? []).filter { $0.stars <= Self.mostStars }
    func isRecent(_ at: Instant) -> Bool { at >= context.previousStart && at < context.end }
    let feedback = low.filter { isRecent(Instant(unixSeconds: $0.feedback.timestamp)) }
      .map { sorter.text($0) }
    let written = reviews.filter { isRecent($0.updatedAt) }.map { sorter.text($0) }
    let all = (feedback + written).sorted { $0.at > $1.at }
    current = all.filter { $0.at >= context.start && $0.at < context.end }
    let compared = context.comparison.main
    let before = all.filter { compared?.previous.contains($0.at) == true }
    let words = ComparisonWords(context)
    obstacle = words.obstacle(since: Self.begins(data), of: "texts")
    previous = obstacle == nil ? before : []
    let now = all.count { compared?.current.contains($0.at) == true }
    change =
      obstacle.map { Figure.Change(note: "no comparison: \($0)") }
      ?? words.change(from: before.count, to: now)
  }

  /// From when on all texts are known: from the oldest feedback, whatever its stars, and the oldest
  /// review that was fetched for the report, whichever is later; nil without any text.
  private static func begins(_ data: RatingsData) -> Instant? {
    let feedback = data.feedback.map { Instant(unixSeconds: $0.feedback.timestamp) }.min()
    let reviews = data.reviews?.newest.map(\.updatedAt).min()
    return [feedback, reviews].compactMap(\.self).max()
  }
}
