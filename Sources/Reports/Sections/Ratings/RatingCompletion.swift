import Model
import Store

/// The section that says how many ratings led on to feedback or the App Store:
/// docs/reports.md#ratings.
enum RatingCompletion {
  static func section(
    _ data: RatingsData, _ tally: RatingsTally, context: ReportContext
  ) -> Section {
    Section(
      id: "completion", title: "After the stars",
      lead: "One to three stars lead to the question for feedback, four and five to the App Store.",
      blocks: [.table(table(data, tally, context)), .definitions(definitions)])
  }

  private static func table(
    _ data: RatingsData, _ tally: RatingsTally, _ context: ReportContext
  ) -> Table {
    let followed = followedCounts(data, context)
    let rows = (1...5).reversed().map { stars in
      let ratings = tally.current.counts[stars - 1]
      let completed = min(followed[stars - 1], ratings)
      return (
        stars: stars, completed: Ratio(completed, of: ratings),
        withoutRating: followed[stars - 1] - completed
      )
    }
    return Table(
      id: "completion", title: "Ratings that were completed, by stars",
      of: rows.allSatisfy { $0.completed.whole + $0.withoutRating == 0 } ? [] : rows,
      columns: [
        Column("stars", "Stars", .leading) { .stars($0.stars) },
        Column("follows", "What follows", .leading) {
          .text($0.stars > 3 ? "App Store" : "Feedback")
        },
        Column("ratings", "Ratings") { .count($0.completed.whole) },
        Column("completed", "Completed, of ratings") { .ratio($0.completed) },
        Column("without_rating", "Without a rating") { .count($0.withoutRating) },
      ],
      emptyText: context.emptyText("No rating in this period."))
  }

  /// Feedback texts and visits to the App Store by stars, index 0 for one star.
  private static func followedCounts(_ data: RatingsData, _ context: ReportContext) -> [Int] {
    var counts = [0, 0, 0, 0, 0]
    for visit in data.visits where visit.stars > 3 && context.contains(visit.at) {
      counts[visit.stars - 1] += 1
    }
    for entry in data.feedback where (1...3).contains(entry.feedback.stars) {
      guard context.contains(Instant(unixSeconds: entry.feedback.timestamp)) else { continue }
      counts[entry.feedback.stars - 1] += 1
    }
    return counts
  }

  private static let definitions = [
    Definition(
      "Completed",
      "For four and five stars the event that the app logs after it has shown the App Store's dialog; "
        + "whether a review was written there, only the App Store knows. For one to three stars a "
        + "feedback text, own or foreign: each document counts once."),
    Definition(
      "Without a rating",
      "Texts and visits beyond the ratings of the period, whose rating events came earlier or are not "
        + "in the ledger."),
  ]
}

extension ReportContext {
  /// Whether the instant lies in the period.
  fileprivate func contains(_ instant: Instant) -> Bool { instant >= start && instant < end }
}

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
