import Model

/// The section that decides the same attempts under other limits: docs/reports.md#what-if.
enum LimitWhatIf {
  static func section(
    _ result: WhatIfResult?, _ settings: Settings, _ time: TimeWords
  ) -> Section {
    let features = result?.comparison.features.filter { settings.limit(of: $0) != nil } ?? []
    var section = Section(
      .limits, "what-if",
      result.flatMap { result in
        features.isEmpty ? nil : features.flatMap { blocks($0, result, settings) }
      }
    ) { text in result.map { lead($0, time) } ?? text }
    if section.blocks.isEmpty { section.blocks = [.text("No attempts to compare.")] }
    return section
  }

  private static func lead(_ result: WhatIfResult, _ time: TimeWords) -> String {
    let totals = result.comparison.totals(of: nil)
    let attempts = NumberWords.counted(totals.attempts, "attempt")
    let unknown =
      totals.unknownAttempts == 0
      ? ""
      : " \(NumberWords.counted(totals.unknownAttempts, "attempt")) without a user id "
        + "\(totals.unknownAttempts == 1 ? "is" : "are") left out."
    let since = "since \(time.dateAndTime(result.since))"
    let part =
      if result.isWholePeriod {
        "The \(attempts) of the period"
      } else if let change = result.change {
        "The \(attempts) \(since), when limits last changed (\(change.words))"
      } else {
        "The newest \(attempts), \(since)"
      }
    return part + ", replayed under other limits and waits. Nobody knows which other "
      + "attempts there would have been." + unknown
  }

  private static func blocks(
    _ feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> [Block] {
    [.table(table(feature, result, settings))]
      + [error(feature, result), unreliable(feature, result)].compactMap { $0.map(Block.text) }
  }

  /// How far the replay under the limits in force is from what happened; nil when nothing can be
  /// compared.
  private static func error(_ feature: Feature, _ result: WhatIfResult) -> String? {
    func points(_ error: Double) -> String {
      "\(NumberWords.decimal(abs(error), places: 1)) points"
    }
    let blocked = result.excess(of: feature).map { excess in
      abs(excess) < 0.05
        ? "blocks the same number of attempts"
        : "blocks \(points(excess)) \(excess > 0 ? "more" : "fewer") of the attempts than happened"
    }
    let taps = result.tapsError(of: feature).map { error in
      error == 0
        ? "loses none of the subscription taps"
        : "loses \(points(error)) of the subscription taps that happened"
    }
    let parts = [blocked, taps].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    let isExact =
      abs(result.excess(of: feature) ?? 0) < 0.05 && result.tapsError(of: feature) ?? 0 == 0
    return "Error of the replay: as it is, it \(parts.joined(separator: ", and "))."
      + (isExact ? "" : " Each scenario may be wrong by as much.")
  }

  /// Nil when replay and ledger agree, or when there is no ledger to agree with.
  private static func unreliable(_ feature: Feature, _ result: WhatIfResult) -> String? {
    guard let excess = result.excess(of: feature), abs(excess) > WhatIfResult.toleratedExcess
    else { return nil }
    return "Do not rely on this table: under the present limits the replay blocks "
      + "\(NumberWords.decimal(abs(excess), places: 1)) points \(excess > 0 ? "more" : "fewer") of "
      + "the attempts than the ledger has. Perhaps the limits changed within the time, or people "
      + "have other ones."
  }

  /// A scenario, or what happened: without a limit, whatever the limits were.
  private typealias Row = (
    title: String, limit: FeatureLimit?, blocked: Int, tapsLost: Int, usersBlocked: Int,
    usersAffected: Int?, isReplayed: Bool
  )

  private static func table(
    _ feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> Table {
    let totals = result.comparison.totals(of: feature)
    let scenarios = WhatIfScenario.allCases.enumerated().compactMap { index, scenario -> Row? in
      settings.limit(of: feature).flatMap(scenario.limit(around:)).map { limit in
        let found = result.comparison.figures(index, of: feature)
        return (
          scenario.title, limit, found.blocked, found.subscriptionTapsLost, found.usersBlocked,
          index == 0 ? nil : found.usersAffected, true
        )
      }
    }
    let actual = result.outcomes.map { outcomes -> Row in
      let outcome = outcomes[feature] ?? LedgerOutcome()
      return ("What happened", nil, outcome.blocked, 0, outcome.users, nil, false)
    }
    return Table(
      id: "what-if-\(feature.rawValue)",
      title: "\(feature.title): \(NumberWords.counted(totals.attempts, "attempt"))",
      of: [actual].compactMap(\.self) + scenarios,
      columns: [
        Column("scenario", "Limits", .leading) { .text($0.title) },
        Column("limit", "Limit") { .optional($0.limit?.limit) },
        Column("wait", "Wait") { row in
          row.limit.map { .seconds(Double($0.cooldownSeconds)) } ?? .missing
        },
        Column("blocked", "Blocked") { .ratio(Ratio($0.blocked, of: totals.attempts)) },
        errors("blocked_error", "Error, blocked", result.excess(of: feature)),
        Column("taps_lost", "Subscription taps lost") {
          .ratio(Ratio($0.tapsLost, of: totals.subscriptionTaps))
        },
        errors("taps_error", "Error, taps lost", result.tapsError(of: feature)),
        Column("people_blocked", "People blocked") {
          .ratio(Ratio($0.usersBlocked, of: totals.users))
        },
        Column("people_affected", "People affected") { row in
          row.usersAffected.map { .ratio(Ratio($0, of: totals.users)) } ?? .missing
        },
      ])
  }

  /// The error of the replay, in the rows that are replayed.
  private static func errors(_ id: String, _ title: String, _ error: Double?) -> Column<Row> {
    Column(id, title) { row in
      row.isReplayed ? error.map(Cell.pointError) ?? .missing : .missing
    }
  }
}

extension WhatIfScenario {
  fileprivate var title: String {
    switch self {
    case .inForce: "As it is"
    case .oneFewer: "One fewer"
    case .oneMore: "One more"
    case .twiceTheLimit: "Twice as many"
    case .halfTheWait: "Half the wait"
    case .twiceTheWait: "Twice the wait"
    }
  }
}
