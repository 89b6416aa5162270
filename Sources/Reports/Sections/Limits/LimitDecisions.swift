import Model

/// The section that traces each decision about the chosen profile, rule by rule.
enum LimitDecisions {
  static func section(_ data: LimitsData, now: Instant) -> Section {
    let tables = data.chosen.map { chosen in
      Feature.allCases
        .filter { data.settings.limit(of: $0) != nil }
        .map { LimitStatus($0, of: chosen, settings: data.settings, now: now) }
        .map(table)
    }
    return Section(
      id: "decisions", title: "Why",
      lead: "The rules in their order, as they answer \(data.chosenProfile) at the time of this "
        + "report. The first that proceeds or blocks decides; those after it are not asked.",
      blocks: (tables ?? []).isEmpty
        ? [.text("No limited feature, no decision.")] : (tables ?? []).map(Block.table))
  }

  private static func table(_ status: LimitStatus) -> Table {
    Table(
      id: "decision-\(status.feature.rawValue)",
      title: "\(status.feature.title): \(status.availability.words.lowercased())",
      of: status.decision.trace,
      columns: [
        Column("rule", "Rule", .leading) { .code($0.rule.rawValue) },
        Column("verdict", "Verdict", .leading) { $0.effect.cell },
        Column("inputs", "Looks at", .leading, wraps: true) {
          $0.inputs.isEmpty ? .missing : .text($0.inputs.joined(separator: ", "))
        },
        Column("finding", "Finds", .leading, wraps: true) { .optional($0.finding) },
      ])
  }
}

extension LimitTraceEntry.Effect {
  fileprivate var cell: Cell {
    switch self {
    case .goesOn: .level(.notice, "goes on")
    case .proceeds: .level(.pass, "proceeds")
    case .blocks: .level(.warn, "blocks")
    case .notAsked: .missing
    }
  }
}
