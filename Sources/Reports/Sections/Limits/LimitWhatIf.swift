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
    guard let result, let found = happened(result, settings) else { return [] }
    let whole = [
      Figure(
        id: "replayed-people", label: "People with attempts", value: .count(found.people),
        section: id),
      Figure(
        id: "blocked-attempts", label: "Blocked, of known people's attempts",
        value: .ratio(Ratio(found.blocked, of: found.attempts)), section: id),
    ]
    return whole + features(result, settings).compactMap { figure(of: $0, result, settings) }
  }

  /// The people whom the limit of a feature blocked.
  private static func figure(
    of feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> Figure? {
    let totals = result.comparison.totals(of: feature)
    guard totals.users > 0, let limit = settings.limit(of: feature) else { return nil }
    let wait = NumberWords.duration(seconds: Double(limit.cooldownSeconds))
    return Figure(
      id: "blocked-people-\(feature.rawValue)", label: "\(feature.title), people blocked",
      value: .ratio(Ratio(result.outcomes?[feature]?.users ?? 0, of: totals.users)),
      note: "people, subscribers too; limit \(limit.limit), wait \(wait)",
      section: id)
  }

  /// How many people tried, and how often the limits blocked them.
  static func sentence(_ result: WhatIfResult?, _ settings: Settings) -> String? {
    happened(result, settings).map { found in
      "\(NumberWords.counted(found.people, "known person", "known people")) made "
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

  /// What one use fewer or more would do, one table for all features, and what the replay is worth.
  private static func blocks(
    _ features: [Feature], _ result: WhatIfResult, _ settings: Settings
  ) -> [Block] {
    features.compactMap { verdict($0, result, settings).map(Block.text) }
      + [.table(table(features, result, settings)), .table(errors(features, result))]
      + features.compactMap { unreliable($0, result).map(Block.text) }
  }

  /// Which limit the lost subscription taps speak for, and what one use fewer or more, and half and
  /// twice the wait, would have blocked; nil for a limit without neighbours.
  private static func verdict(
    _ feature: Feature, _ result: WhatIfResult, _ settings: Settings
  ) -> String? {
    guard let limit = settings.limit(of: feature) else { return nil }
    let totals = result.comparison.totals(of: feature)
    func others(_ scenarios: [(WhatIfScenario, String)]) -> [Other] {
      scenarios.compactMap { scenario, title in
        guard scenario.limit(around: limit) != nil else { return nil }
        return WhatIfScenario.allCases.firstIndex(of: scenario)
          .map { (title, result.comparison.figures($0, of: feature)) }
      }
    }
    let limits = others([(.oneFewer, "one fewer"), (.oneMore, "one more")])
    let waits = others([(.halfTheWait, "half the wait"), (.twiceTheWait, "twice the wait")])
    guard !limits.isEmpty, totals.attempts > 0 else { return nil }
    let now = result.comparison.figures(0, of: feature)
    let attempts = NumberWords.counted(totals.attempts, "attempt")
    return "\(feature.title), limit \(limit.limit): "
      + conclusion(
        now, limits + waits, of: totals.subscriptionTaps,
        isReliable: unreliable(feature, result) == nil)
      + " Of \(attempts) it would have blocked \(NumberWords.grouped(now.blocked)), "
      + blocked(limits).joined(separator: ", ") + "; " + blocked(waits).joined(separator: ", ")
      + "."
  }

  /// Another limit or wait, and what it would have done.
  typealias Other = (title: String, figures: WhatIfFigures)

  private static func blocked(_ others: [Other]) -> [String] {
    others.map { "\(NumberWords.grouped($0.figures.blocked)) with \($0.title)" }
  }

  /// What the lost subscription taps say of the limits; a difference counts beyond what the replay
  /// of the limits in force loses, too.
  static func conclusion(
    _ now: WhatIfFigures, _ others: [Other], of taps: Int, isReliable: Bool
  ) -> String {
    let error = now.subscriptionTapsLost
    let lost = others.map { (title: $0.title, taps: $0.figures.subscriptionTapsLost) }
    let whole = NumberWords.counted(taps, "subscription tap")
    guard isReliable else { return "do not rely on the replay." }
    guard taps >= Ratio.smallWhole else {
      return taps == 0
        ? "nobody tapped to subscribe, so nothing says which limit sells more."
        : "\(whole) \(taps == 1 ? "is" : "are") too few to tell which limit sells more."
    }
    guard lost.contains(where: { $0.taps > 2 * error }) else {
      return "of the \(whole) no other limit or wait loses more than the error of the replay."
    }
    if let other = lost.first(where: { $0.taps <= error }) {
      return "\(other.title) can be tried: it loses none of the \(whole)"
        + (error == 0 ? "." : " beyond the error of the replay.")
    }
    let others = lost.sorted { $0.taps < $1.taps }.map {
      "\(NumberWords.grouped($0.taps)) (\($0.title))"
    }
    return
      "only a trial shows which limit sells more, as a replay loses taps and wins none. Of the "
      + "\(whole) others lose \(others.first ?? "") to \(others.last ?? "")."
  }

  /// How far the replay under the limits in force is from what happened.
  private static func errors(_ features: [Feature], _ result: WhatIfResult) -> Table {
    Table(
      id: "what-if-error", title: "How far to trust the replay", of: features,
      columns: [
        Column("feature", "Feature", .leading) { .text($0.title) },
        Column("blocked_error", "Error, blocked") {
          result.excess(of: $0).map(Cell.pointError) ?? .missing
        },
        Column("taps_error", "Error, taps lost") {
          result.tapsError(of: $0).map(Cell.pointError) ?? .missing
        },
      ], isFolded: true)
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
        Column("blocked", "Blocked, of these attempts") {
          .ratio(Ratio($0.blocked, of: $0.totals.attempts))
        },
        Column("taps_lost", "Subscription taps lost") {
          .ratio(Ratio($0.tapsLost, of: $0.totals.subscriptionTaps))
        },
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
