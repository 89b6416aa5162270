import Model
import Reports

/// A comparison of settings as text or JSON; docs/replay.md#what-if.
struct WhatIfTable {
  private let comparison: WhatIfComparison
  private let scenarios: [String]
  private let settings: [Settings]

  init(_ comparison: WhatIfComparison, scenarios: [String], settings: [Settings]) {
    self.comparison = comparison
    self.scenarios = scenarios
    self.settings = settings
  }

  func show(on output: Output) throws {
    guard output.isJSON else { return output.show(text) }
    for index in scenarios.indices {
      for feature in parts {
        try output.show(
          json: JSONOutput(
            scenario: scenarios[index], feature: feature,
            limit: feature.flatMap { settings[index].limit(of: $0) },
            comparison.totals(of: feature), comparison.figures(index, of: feature)))
      }
    }
  }

  /// The features with attempts, and all together.
  private var parts: [Feature?] { comparison.features + [nil] }

  private var text: String {
    guard !comparison.features.isEmpty else { return "No attempts to compare." }
    return parts.map(table).joined(separator: "\n\n") + "\n\n" + Self.definitions
  }

  private func table(_ feature: Feature?) -> String {
    let totals = comparison.totals(of: feature)
    let figures = scenarios.indices.map { comparison.figures($0, of: feature) }
    var table = TextTable([(feature?.rawValue ?? "all features").uppercased()] + scenarios)
    if let feature { table.add(["limit"] + settings.map { Self.words($0.limit(of: feature)) }) }
    table.add(["attempts"] + figures.map { _ in NumberWords.grouped(totals.attempts) })
    func add(_ name: String, of whole: Int, _ part: (WhatIfFigures) -> Int) {
      table.add([name] + figures.map { Self.words(Ratio(part($0), of: whole)) })
    }
    add("performed", of: totals.attempts) { $0.performed }
    add("blocked", of: totals.attempts) { $0.blocked }
    add("popups", of: totals.attempts) { $0.popups }
    add("subscription taps kept", of: totals.subscriptionTaps) { $0.subscriptionTapsKept }
    add("subscription taps lost", of: totals.subscriptionTaps) { $0.subscriptionTapsLost }
    table.add(
      ["taps without an attempt"]
        + figures.map { _ in NumberWords.grouped(totals.tapsWithoutAttempt) })
    if totals.unknownAttempts > 0 {
      table.add(
        ["left out, without a user id"]
          + figures.map { _ in NumberWords.grouped(totals.unknownAttempts) })
    }
    add("users affected", of: totals.users) { $0.usersAffected }
    return table.text
  }

  private static func words(_ limit: FeatureLimit?) -> String {
    limit.map { "\($0.limit) per \($0.cooldownSeconds) s" } ?? "not limited"
  }

  /// `40 of 120 (33%)`.
  private static func words(_ ratio: Ratio) -> String {
    let part = NumberWords.grouped(ratio.part)
    let whole = NumberWords.grouped(ratio.whole)
    guard ratio.whole > 0 else { return "\(part) of \(whole)" }
    return "\(part) of \(whole) (\(NumberWords.percent(ratio.percent)))"
  }

  private static let definitions = """
    Attempts, performed, blocked, popups: taps on the feature, and what the rules make of them.
    Subscription taps: taps on the popup's subscription button, kept where the attempt before them
    shows a popup under the settings of the column, lost where it does not, of all such taps with an
    attempt before them.
    Users affected: users for whom an attempt is decided otherwise (may proceed or not) than in
    force, of all users with attempts; in the column 'in force', users blocked at least once.
    """
}

extension WhatIfTable {
  /// One scenario and feature; `all` is all features together.
  private struct JSONOutput: Encodable {
    let message_type = "what_if"
    let scenario: String
    let feature: String
    let limit: Int?
    let cooldownSeconds: Int?
    let attempts: Int
    let performed: Int
    let blocked: Int
    let popups: Int
    let subscriptionTaps: Int
    let subscriptionTapsKept: Int
    let subscriptionTapsLost: Int
    let tapsWithoutAttempt: Int
    let unknownAttempts: Int
    let users: Int
    let usersAffected: Int

    init(
      scenario: String, feature: Feature?, limit: FeatureLimit?, _ totals: WhatIfTotals,
      _ figures: WhatIfFigures
    ) {
      self.scenario = scenario
      self.feature = feature?.rawValue ?? "all"
      self.limit = limit?.limit
      cooldownSeconds = limit?.cooldownSeconds
      attempts = totals.attempts
      performed = figures.performed
      blocked = figures.blocked
      popups = figures.popups
      subscriptionTaps = totals.subscriptionTaps
      subscriptionTapsKept = figures.subscriptionTapsKept
      subscriptionTapsLost = figures.subscriptionTapsLost
      tapsWithoutAttempt = totals.tapsWithoutAttempt
      unknownAttempts = totals.unknownAttempts
      users = totals.users
      usersAffected = figures.usersAffected
    }
  }
}
