import Model
import Rules

/// How each decision about the chosen profile comes about, rule by rule.
enum LimitDecisions {
  static func section(_ facts: LimitsFacts, now: Instant) -> Section {
    let tables = facts.chosen.map { chosen in
      Feature.allCases
        .filter { facts.settings.limit(of: $0) != nil }
        .map { LimitStanding($0, of: chosen, settings: facts.settings, now: now) }
        .map(table)
    }
    return Section(
      id: "decisions", title: "Why",
      lead: "The rules in their order, as they answer \(facts.chosenProfile) at the time of this "
        + "report. The first that proceeds or blocks decides; those after it are not asked.",
      blocks: (tables ?? []).isEmpty
        ? [.text("No limited feature, no decision.")] : (tables ?? []).map(Block.table))
  }

  private static func table(_ standing: LimitStanding) -> Table {
    Table(
      id: "decision-\(standing.feature.rawValue)",
      title: "\(standing.feature.title): \(standing.state.words.lowercased())",
      columns: [
        Table.Column("rule", "Rule", .leading), Table.Column("verdict", "Verdict", .leading),
        Table.Column("inputs", "Looks at", .leading, wraps: true),
        Table.Column("finding", "Finds", .leading, wraps: true),
      ],
      rows: LimitTrace(standing.decision).entries.map { entry in
        Table.Row([
          .code(entry.rule.rawValue), entry.verdict.cell,
          entry.inputs.isEmpty ? .missing : .text(entry.inputs.joined(separator: ", ")),
          .optional(entry.finding),
        ])
      })
  }
}

extension LimitTrace.Verdict {
  fileprivate var cell: Cell {
    switch self {
    case .goesOn: .level(.notice, "goes on")
    case .proceeds: .level(.pass, "proceeds")
    case .blocks: .level(.warn, "blocks")
    case .notAsked: .missing
    }
  }
}
