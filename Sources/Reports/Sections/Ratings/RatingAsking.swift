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

  /// How many profiles have been asked, as a figure.
  var figure: Figure {
    Figure(
      id: "asked", label: "Asked so far", value: .ratio(Ratio(askedCount, of: profileCount)),
      note: "profiles")
  }

  static func section(_ facts: RatingsFacts.Asking) -> Section {
    let asking = RatingAsking(facts)
    return Section(
      id: id, title: "The question for a rating",
      lead:
        "Whom the settings let be asked: more than \(facts.threshold) messages sent and as many "
        + "received, and at most \(facts.maxPrompts) low ratings.",
      blocks: [.figures([asking.figure]), .table(asking.table), .definitions(definitions)])
  }

  private var table: Table {
    Table(
      id: "asking", title: "Profiles by what comes next",
      columns: [
        Table.Column("state", "What comes next", .leading), Table.Column("count", "Profiles"),
        Table.Column("share", "Share"),
      ],
      rows: profileCount == 0
        ? []
        : RatingPromptDecision.State.allCases.map { state in
          let count = states[state] ?? 0
          return Table.Row([
            .text(state.words), .count(count), .ratio(Ratio(count, of: profileCount)),
          ])
        },
      emptyText: "The workspace has no profile.")
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
