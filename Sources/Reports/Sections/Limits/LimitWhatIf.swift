import Model

/// The section that decides the same attempts under other limits: docs/reports.md#what-if.
enum LimitWhatIf {
  static func section(
    _ result: WhatIfResult?, _ settings: Settings, _ time: TimeWords
  ) -> Section {
    let features = result?.comparison.features.filter { settings.limit(of: $0) != nil } ?? []
    return Section(
      id: "what-if", title: "What if", lead: lead(result, time),
      blocks: result.map { result in
        features.isEmpty
          ? [.text("No attempts to compare.")]
          : features.flatMap { blocks($0, result, settings) } + [.definitions(definitions)]
      } ?? [.text("No attempts to compare.")])
  }

  private static func lead(_ result: WhatIfResult?, _ time: TimeWords) -> String {
    guard let result else {
      return "The attempts of the period, decided again under other limits and waits."
    }
    let totals = result.comparison.totals(of: nil)
    let attempts = NumberWords.counted(totals.attempts, "attempt")
    let unknown =
      totals.unknownAttempts == 0
      ? ""
      : " \(NumberWords.counted(totals.unknownAttempts, "attempt")) without a user id "
        + "\(totals.unknownAttempts == 1 ? "is" : "are") left out."
    let part =
      result.isWholePeriod
      ? "The \(attempts) of the period"
      : "The newest \(attempts), since \(time.dateAndTime(result.since))"
    return part + ", decided again under other limits and waits. Nobody knows which others there "
      + "would have been." + unknown
  }

  private static func blocks(
    _ feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> [Block] {
    [.table(table(feature, result, settings))]
      + (unreliable(feature, result).map { [.text($0)] } ?? [])
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
    title: String, limit: FeatureLimit?, blocked: Int, tapsLost: Int?, usersBlocked: Int,
    usersAffected: Int?
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
          index == 0 ? nil : found.usersAffected
        )
      }
    }
    let actual = result.outcomes.map { outcomes -> Row in
      let outcome = outcomes[feature] ?? LedgerOutcome()
      return ("What happened", nil, outcome.blocked, nil, outcome.users, nil)
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
        Column("taps_lost", "Subscription taps lost") { row in
          row.tapsLost.map { .ratio(Ratio($0, of: totals.subscriptionTaps)) } ?? .missing
        },
        Column("people_blocked", "People blocked") {
          .ratio(Ratio($0.usersBlocked, of: totals.users))
        },
        Column("people_affected", "Decided otherwise") { row in
          row.usersAffected.map { .ratio(Ratio($0, of: totals.users)) } ?? .missing
        },
      ])
  }

  private static let definitions = [
    Definition("What happened", "By the events of the ledger, under the limits of their time."),
    Definition("Blocked", "Attempts that the limit would have refused, of all attempts."),
    Definition(
      "Taps lost",
      "Taps on the subscription button whose attempt would have shown no popup to tap on."),
    Definition("People blocked", "People with at least one blocked attempt."),
    Definition(
      "Decided otherwise",
      "People with an attempt that goes on where it is blocked as it is, or the other way round."),
  ]
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
