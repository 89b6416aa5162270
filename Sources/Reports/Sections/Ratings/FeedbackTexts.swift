import Model
import Store

/// The section with the feedback that people wrote after a low rating.
enum FeedbackTexts {
  static func section(_ data: RatingsData) -> Section {
    var sorter = TextSorter(data.themes)
    return Section(
      id: "feedback", title: "Feedback",
      lead: "In people's own words, newest first, whatever the period. Own texts were written in "
        + "this workspace; foreign ones the app sent to Firestore itself.",
      blocks: [
        .feedback(
          FeedbackList(
            entries: data.feedback.map { comment($0, &sorter) }, shownLimit: 40,
            emptyText: "Nobody has written feedback yet."))
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

/// The section with the profiles by what the rule about the rating dialog decides for them now:
/// docs/reports.md#ratings.
enum RatingAudience {
  static let id = "asking"

  static func section(_ data: RatingsData.PromptAudience) -> Section {
    Section(
      id: id, title: "The question for a rating",
      lead:
        "Whom the settings let be asked: more than \(data.threshold) messages sent and as many "
        + "received, and at most \(data.maxPrompts) low ratings.",
      blocks: [.table(table(data))])
  }

  private static func table(_ data: RatingsData.PromptAudience) -> Table {
    let states = data.members.map(data.state)
    let rows = RatingPromptState.allCases.map { state in
      (state: state, count: states.count { $0 == state })
    }
    return Table(
      id: "asking", title: "Profiles by what comes next", of: states.isEmpty ? [] : rows,
      columns: [
        Column("state", "What comes next", .leading) { .text($0.state.words) },
        Column("count", "Profiles") { .count($0.count) },
        Column("share", "Share") { .ratio(Ratio($0.count, of: states.count)) },
      ],
      emptyText: "The workspace has no profile.")
  }
}

extension RatingsData.PromptAudience {
  /// What the rule about the dialog decides for a profile now.
  func state(_ member: Member) -> RatingPromptState {
    RatingPromptRule.decide(member.counters, threshold: threshold, maxPrompts: maxPrompts).state
  }
}

extension RatingPromptState {
  fileprivate var words: String {
    switch self {
    case .due: "The question is due"
    case .tooFewMessages: "Too few messages yet"
    case .triesUsedUp: "No more: low ratings used up"
    case .ratedHigh: "Never again: rated 4 or 5"
    case .switchedOff: "Questions are switched off"
    }
  }
}
