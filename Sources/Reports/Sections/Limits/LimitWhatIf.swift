import Model
import Rules

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
          : features.map { .table(table($0, result, settings)) } + [.definitions(definitions)]
      } ?? [.text("No attempts to compare.")])
  }

  private static func lead(_ result: WhatIfResult?, _ time: TimeWords) -> String {
    guard let result else {
      return "The attempts of the period, decided again under other limits and waits."
    }
    let attempts = NumberWords.counted(result.comparison.totals(of: nil).attempts, "attempt")
    let part =
      result.isWholePeriod
      ? "The \(attempts) of the period"
      : "The newest \(attempts), since \(time.dateAndTime(result.since))"
    return part + ", decided again under other limits and waits. Nobody knows which others there "
      + "would have been."
  }

  private struct ScenarioRow {
    var scenario: WhatIfScenario
    var limit: FeatureLimit
    var figures: WhatIfFigures
  }

  private static func table(
    _ feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> Table {
    let totals = result.comparison.totals(of: feature)
    let rows = WhatIfScenario.allCases.enumerated().compactMap { index, scenario in
      settings.limit(of: feature).flatMap(scenario.limit(around:)).map { limit in
        ScenarioRow(
          scenario: scenario, limit: limit,
          figures: result.comparison.figures(index, of: feature))
      }
    }
    return Table(
      id: "what-if-\(feature.rawValue)",
      title: "\(feature.title): \(NumberWords.counted(totals.attempts, "attempt"))", of: rows,
      columns: [
        Column("scenario", "Limits", .leading) { .text($0.scenario.title) },
        Column("limit", "Limit") { .count($0.limit.limit) },
        Column("wait", "Wait") { .seconds(Double($0.limit.cooldownSeconds)) },
        Column("blocked", "Blocked") { .ratio(Ratio($0.figures.blocked, of: totals.attempts)) },
        Column("taps_lost", "Subscription taps lost") {
          .ratio(Ratio($0.figures.subscriptionTapsLost, of: totals.subscriptionTaps))
        },
        Column("people_affected", "People affected") {
          .ratio(Ratio($0.figures.usersAffected, of: totals.users))
        },
      ])
  }

  private static let definitions = [
    Definition("Blocked", "Attempts that the limit would have refused, of all attempts."),
    Definition(
      "Taps lost",
      "Taps on the subscription button whose attempt would have shown no popup to tap on."),
    Definition(
      "Affected",
      "People for whom an attempt would have been decided otherwise; as it is, those blocked once."),
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
