import Model
import Rules

/// The parts of the index that other sections make: one place for each.
struct IndexPanels {
  let tiles: IndexTiles
  /// What they write: the newest low ratings with their words.
  let written: Section
  /// Does the limit sell: what popups at the limit bring, against popups before it.
  let sells: Section
  /// The last 28 days, with settings and releases marked.
  let month: Section

  init(
    _ usage: UsageData, _ limits: LimitsData, _ ratings: RatingsData, context: ReportContext
  ) {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    tiles = IndexTiles(usage.history, calendar)
    written = Self.written(ratings)
    sells = Self.sells(usage, UsageTally(usage, context: context, calendar: calendar))
    month = IndexMonth.section(usage.history, calendar)
  }

  /// Texts in the panel.
  private static let mostTexts = 3
  /// Characters of a text in the panel; the ratings report has it whole.
  private static let textLimit = 120

  private static func written(_ ratings: RatingsData) -> Section {
    let low = ratings.feedback.filter { $0.feedback.stars <= 3 }.prefix(mostTexts).map { entry in
      var comment = FeedbackTexts.comment(entry)
      comment.text = VisibleText.clipped(comment.text, to: textLimit)
      // The stars, the words, when and where: the rest is on the page that the panel leads to.
      (comment.userId, comment.gender, comment.origin, comment.state) = ("", "", nil, nil)
      return comment
    }
    return Section(
      id: "written", title: "What they write",
      lead: "The newest texts of three stars or fewer.",
      blocks: [
        .feedback(
          FeedbackList(
            entries: Array(low), shownLimit: mostTexts, emptyText: "No low rating has a text."))
      ])
  }

  private static func sells(_ usage: UsageData, _ tally: UsageTally) -> Section {
    let subscriptions = UsageSubscriptions(usage, tally)
    let rows = [("At the limit", true), ("With uses left", false)].map { name, isAtLimit in
      (name: name, outcome: subscriptions.outcome(isAtLimit: isAtLimit))
    }
    let popups = rows.map(\.outcome.popups).reduce(0, +)
    return Section(
      id: "sells", title: "Does the limit sell?",
      lead: "Taps on the subscription button of \(NumberWords.counted(popups, "popup")).",
      blocks: [
        .table(
          Table(
            id: "sells", title: "Popups at the limit and before it", of: popups > 0 ? rows : [],
            columns: [
              Column("popup", "Popup", .leading) { .text($0.name) },
              Column("popups", "Popups") { .count($0.outcome.popups) },
              Column("subscription_taps", "Tapped, of popups") {
                .ratio(Ratio($0.outcome.taps, of: $0.outcome.popups))
              },
            ],
            emptyText: "No popup in this period."))
      ])
  }
}
