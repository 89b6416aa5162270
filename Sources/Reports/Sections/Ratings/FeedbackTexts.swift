import Model

/// What people wrote with a low rating.
enum FeedbackTexts {
  /// Entries in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 40

  static func section(_ facts: RatingsFacts) -> Section {
    Section(
      id: "feedback", title: "Feedback",
      lead: "In people's own words, newest first, whatever the period.",
      blocks: [
        .feedback(
          FeedbackList(
            entries: facts.feedback.map(entry), shownLimit: shownLimit,
            emptyText: "Nobody has written feedback yet."))
      ])
  }

  private static func entry(_ fact: RatingsFacts.FeedbackEntry) -> FeedbackList.Entry {
    FeedbackList.Entry(
      at: Instant(unixSeconds: fact.feedback.timestamp), stars: fact.feedback.stars, title: nil,
      text: fact.feedback.text, userId: fact.feedback.userId, gender: fact.feedback.gender,
      country: fact.feedback.country, appVersion: fact.feedback.appVersion, state: fact.state)
  }
}
