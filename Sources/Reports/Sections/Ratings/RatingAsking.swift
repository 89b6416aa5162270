import Model
import Rules

/// Who was asked for a rating, and who would be: docs/reports.md#ratings.
struct RatingAsking {
  static let id = "asking"

  /// Profiles by what would become of the question now.
  private var states: [RatingPromptDecision.State: Int] = [:]
  private(set) var profileCount = 0
  /// Profiles whose counters tell of a rating.
  private(set) var askedCount = 0

  init(_ facts: RatingsFacts.Asking) {
    for counters in facts.counters {
      let decision = RatingPromptRule.decide(
        counters, threshold: facts.threshold, maxPrompts: facts.maxPrompts)
      states[decision.state, default: 0] += 1
      profileCount += 1
      if counters.tries > 0 || counters.sent < 0 || counters.received < 0 { askedCount += 1 }
    }
  }

  var shownRatio: Ratio { Ratio(askedCount, of: profileCount) }

  static func section(_ facts: RatingsFacts.Asking) -> Section {
    let asking = RatingAsking(facts)
    return Section(
      id: id, title: "The question for a rating",
      lead:
        "Whom the settings let be asked: more than \(facts.threshold) messages sent and as many "
        + "received, and at most \(facts.maxPrompts) low ratings.",
      blocks: [.table(asking.table), .definitions(definitions)])
  }

  private var table: Table {
    Table(
      id: "asking", title: "Profiles by what comes next",
      columns: [
        Table.Column("state", "Profiles", .leading), Table.Column("count", "Count"),
        Table.Column("share", "Share"),
      ],
      rows: profileCount == 0
        ? []
        : [row("Asked so far", askedCount, isTotal: true)]
          + RatingPromptDecision.State.allCases.map { row($0.words, states[$0] ?? 0) },
      emptyText: "The workspace has no profile.")
  }

  private func row(_ words: String, _ count: Int, isTotal: Bool = false) -> Table.Row {
    Table.Row(
      [.text(words), .count(count), .ratio(Ratio(count, of: profileCount))], isTotal: isTotal)
  }

  private static let definitions = [
    Definition(
      "Asked so far",
      "Profiles whose counters tell of a rating. \"Maybe Later\" leaves no trace, and the app logs no "
        + "event when the question appears, so there may have been more.")
  ]
}

extension RatingPromptDecision.State {
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
