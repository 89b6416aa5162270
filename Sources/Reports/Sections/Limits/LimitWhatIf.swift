import Model

/// The section that decides the same attempts under other limits: docs/reports.md#what-if.
enum LimitWhatIf {
  private static let id = "what-if"

  static func section(
    _ result: WhatIfResult?, _ settings: Settings, _ time: TimeWords
  ) -> Section {
    let features = features(result, settings)
    var section = Section(
      .limits, id,
      result.flatMap { result in
        features.isEmpty ? nil : blocks(features, result, settings)
      }
    ) { text in result.map { lead($0, features, time) } ?? text }
    if section.blocks.isEmpty { section.blocks = [.text("No attempts to compare.")] }
    return section
  }

  /// The features with attempts that have a limit now.
  private static func features(_ result: WhatIfResult?, _ settings: Settings) -> [Feature] {
    result?.comparison.features.filter { settings.limit(of: $0) != nil } ?? []
  }

  /// What happened, by the ledger; nil where nothing can be counted.
  private static func happened(
    _ result: WhatIfResult?, _ settings: Settings
  ) -> (blocked: Int, attempts: Int, people: Int)? {
    guard let result, let outcomes = result.outcomes else { return nil }
    let features = features(result, settings)
    let totals = result.comparison.totals(of: features)
    guard totals.attempts > 0 else { return nil }
    return (
      features.reduce(0) { $0 + (outcomes[$1]?.blocked ?? 0) }, totals.attempts, totals.users
    )
  }

  /// The figures of the app's people, at the head of the page.
  static func figures(_ result: WhatIfResult?, _ settings: Settings) -> [Figure] {
    guard let found = happened(result, settings) else { return [] }
    return [
      Figure(
        id: "replayed-people", label: "People with attempts", value: .count(found.people),
        section: id),
      Figure(
        id: "blocked-attempts", label: "Blocked, of all attempts",
        value: .ratio(Ratio(found.blocked, of: found.attempts)), section: id),
    ]
  }

  /// How many people tried, and how often the limits blocked them.
  static func sentence(_ result: WhatIfResult?, _ settings: Settings) -> String? {
    happened(result, settings).map { found in
      "\(NumberWords.counted(found.people, "person", "people")) made "
        + "\(NumberWords.counted(found.attempts, "attempt")); the limits blocked "
        + "\(NumberWords.grouped(found.blocked))."
    }
  }

  private static func lead(
    _ result: WhatIfResult, _ features: [Feature], _ time: TimeWords
  ) -> String {
    let totals = result.comparison.totals(of: features)
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

  /// One table for all features, and what each replay is worth.
  private static func blocks(
    _ features: [Feature], _ result: WhatIfResult, _ settings: Settings
  ) -> [Block] {
    let texts = [error(features, result)] + features.map { unreliable($0, result) }
    return [.table(table(features, result, settings))] + texts.compactMap { $0.map(Block.text) }
  }

  /// What the replay of each feature is worth, in one paragraph; nil when nothing can be compared.
  private static func error(_ features: [Feature], _ result: WhatIfResult) -> String? {
    let sentences = features.compactMap { error($0, result) }
    guard !sentences.isEmpty else { return nil }
    let isExact = features.allSatisfy { feature in
      abs(result.excess(of: feature) ?? 0) < 0.05 && result.tapsError(of: feature) ?? 0 == 0
    }
    return sentences.joined(separator: " ")
      + (isExact ? "" : " Each scenario may be wrong by as much.")
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
    return
      "\(feature.title), error of the replay: as it is, it \(parts.joined(separator: ", and "))."
  }

  /// Nil when replay and ledger agree, or when there is no ledger to agree with.
  private static func unreliable(_ feature: Feature, _ result: WhatIfResult) -> String? {
    guard let excess = result.excess(of: feature), abs(excess) > WhatIfResult.toleratedExcess
    else { return nil }
    return
      "Do not rely on the rows of \(feature.rawValue): under the present limits the replay blocks "
      + "\(NumberWords.decimal(abs(excess), places: 1)) points \(excess > 0 ? "more" : "fewer") of "
      + "the attempts than the ledger has. Perhaps the limits changed within the time, or people "
      + "have other ones."
  }

  /// A scenario, or what happened: without a limit, whatever the limits were.
  private struct Row {
    let feature: Feature
    let title: String
    var limit: FeatureLimit?
    let blocked: Int
    var tapsLost = 0
    let usersBlocked: Int
    var usersAffected: Int?
    /// In percentage points; nil for what happened.
    var blockedError: Double?
    var tapsError: Double?
    let totals: WhatIfTotals
  }

  private static func rows(
    of feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> [Row] {
    let totals = result.comparison.totals(of: feature)
    let scenarios = WhatIfScenario.allCases.enumerated().compactMap { index, scenario -> Row? in
      settings.limit(of: feature).flatMap(scenario.limit(around:)).map { limit in
        let found = result.comparison.figures(index, of: feature)
        return Row(
          feature: feature, title: scenario.title, limit: limit, blocked: found.blocked,
          tapsLost: found.subscriptionTapsLost, usersBlocked: found.usersBlocked,
          usersAffected: index == 0 ? nil : found.usersAffected,
          blockedError: result.excess(of: feature), tapsError: result.tapsError(of: feature),
          totals: totals)
      }
    }
    let actual = result.outcomes.map { outcomes -> Row in
      let outcome = outcomes[feature] ?? LedgerOutcome()
      return Row(
        feature: feature, title: "What happened", blocked: outcome.blocked,
        usersBlocked: outcome.users, totals: totals)
    }
    return [actual].compactMap(\.self) + scenarios
  }

  private static func table(
    _ features: [Feature], _ result: WhatIfResult, _ settings: Settings
  ) -> Table {
    Table(
      id: "what-if", title: "Other limits, by feature",
      of: features.flatMap { rows(of: $0, result, settings) },
      columns: [
        Column("feature", "Feature", .leading) { .text($0.feature.title) },
        Column("scenario", "Limits", .leading) { .text($0.title) },
        Column("limit", "Limit") { .optional($0.limit?.limit) },
        Column("wait", "Wait") { row in
          row.limit.map { .seconds(Double($0.cooldownSeconds)) } ?? .missing
        },
        Column("blocked", "Blocked, of all attempts") {
          .ratio(Ratio($0.blocked, of: $0.totals.attempts))
        },
        Column("blocked_error", "Error, blocked") {
          $0.blockedError.map(Cell.pointError) ?? .missing
        },
        Column("taps_lost", "Subscription taps lost") {
          .ratio(Ratio($0.tapsLost, of: $0.totals.subscriptionTaps))
        },
        Column("taps_error", "Error, taps lost") { $0.tapsError.map(Cell.pointError) ?? .missing },
        Column("people_blocked", "People blocked") {
          .ratio(Ratio($0.usersBlocked, of: $0.totals.users))
        },
        Column("people_affected", "People affected") { row in
          row.usersAffected.map { .ratio(Ratio($0, of: row.totals.users)) } ?? .missing
        },
      ])
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
