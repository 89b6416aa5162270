import Model
import Rules

/// What other limits would have made of the same attempts: docs/reports.md#what-if.
enum LimitWhatIf {
  static func section(
    _ outlook: LimitOutlook?, _ settings: Settings, _ time: TimeWords
  ) -> Section {
    let features = outlook?.comparison.features.filter { settings.limit(of: $0) != nil } ?? []
    return Section(
      id: "what-if", title: "What if", lead: lead(outlook, time),
      blocks: outlook.map { outlook in
        features.isEmpty
          ? [.text("No attempts to compare.")]
          : features.map { .table(table($0, outlook, settings)) } + [.definitions(definitions)]
      } ?? [.text("No attempts to compare.")])
  }

  private static func lead(_ outlook: LimitOutlook?, _ time: TimeWords) -> String {
    guard let outlook else {
      return "The attempts of the period, decided again under other limits and waits."
    }
    let attempts = NumberWords.counted(outlook.comparison.totals(of: nil).attempts, "attempt")
    let part =
      outlook.isWholePeriod
      ? "The \(attempts) of the period"
      : "The newest \(attempts), since \(time.dateAndTime(outlook.since))"
    return part + ", decided again under other limits and waits. Nobody knows which others there "
      + "would have been."
  }

  private static func table(
    _ feature: Feature, _ outlook: LimitOutlook, _ settings: Settings
  ) -> Table {
    let totals = outlook.comparison.totals(of: feature)
    return Table(
      id: "what-if-\(feature.rawValue)",
      title: "\(feature.title): \(NumberWords.counted(totals.attempts, "attempt"))",
      columns: [
        Table.Column("scenario", "Limits", .leading), Table.Column("limit", "Limit"),
        Table.Column("wait", "Wait"), Table.Column("blocked", "Blocked"),
        Table.Column("taps_lost", "Subscription taps lost"),
        Table.Column("people_affected", "People affected"),
      ],
      rows: LimitScenario.allCases.enumerated().compactMap { index, scenario in
        guard let limit = settings.limit(of: feature).flatMap(scenario.limit(around:)) else {
          return nil
        }
        let figures = outlook.comparison.figures(index, of: feature)
        return Table.Row([
          .text(scenario.title), .count(limit.limit), .seconds(Double(limit.cooldownSeconds)),
          .ratio(Ratio(figures.blocked, of: totals.attempts)),
          .ratio(Ratio(figures.subscriptionTapsLost, of: totals.subscriptionTaps)),
          .ratio(Ratio(figures.usersAffected, of: totals.users)),
        ])
      })
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

extension LimitScenario {
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
