import Model
import Store

/// The section with the feedback that people wrote after a low rating.
enum FeedbackTexts {
  static func section(_ data: RatingsData) -> Section {
    var sorter = TextSorter(data.themes)
    return Section(
      .ratings, "feedback",
      [
        .feedback(
          FeedbackList(
            entries: data.feedback.map { comment($0, &sorter) }, shownLimit: 24,
            openLimit: 8, emptyText: "Nobody has written feedback yet."))
      ])
  }

  private static func comment(
    _ entry: RatingsData.FeedbackEntry, _ sorter: inout TextSorter
  ) -> UserComment {
    let feedback = entry.feedback
    return UserComment(
      at: Instant(unixSeconds: feedback.timestamp), stars: feedback.stars, title: nil,
      text: feedback.text, userId: entry.writerId, gender: feedback.gender,
      country: feedback.country, appVersion: feedback.appVersion, origin: entry.origin,
      state: entry.state, id: entry.id.isEmpty ? nil : entry.id, themes: sorter.themes(of: entry),
      isOpen: entry.isOpen)
  }
}
