import App
import ArgumentParser
import Jobs
import Model
import Reports

struct LimitsWhatIfCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: "Compare other limits with those in force, over recorded attempts.",
    discussion: """
      Each --set is one scenario; commas join its settings: --set refresh.limit=5 \
      --set refresh.limit=1,refresh.cooldown=60.
      """,
    examples: [
      "firetally limits what-if --set refresh.limit=5",
      "firetally limits what-if --set refresh.limit=1,refresh.cooldown=60",
    ])

  @OptionGroup var global: GlobalOptions

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The settings of a scenario. May be repeated.", valueName: "name=number,…"),
    completion: NameCompletion.assignments, transform: SettingAssignments.init(parsing:))
  var scenarios: [SettingAssignments] = []

  @Option(help: "Read attempts from a replay file instead of the ledger; - is standard input.")
  var file: String?

  @Option(
    help: ArgumentHelp(
      """
      Count attempts from this day (UTC) or instant on. Earlier attempts are replayed only to \
      know how much of each limit was used. Default: in the ledger, from the last change of a \
      limit on.
      """,
      valueName: "day|instant"),
    transform: Self.instant)
  var from: Instant?

  @Option(
    help: ArgumentHelp(
      "Only attempts before this day (UTC) or instant.", valueName: "day|instant"),
    transform: Self.instant)
  var to: Instant?

  @OptionGroup var counting: PlatformOption

  func validate() throws {
    try counting.check(readsFile: file != nil)
    guard !scenarios.isEmpty else {
      throw ValidationError("Give at least one scenario, such as --set refresh.limit=5.")
    }
    if let from, let to, from >= to {
      throw ValidationError("--from must lie before --to.")
    }
  }

  func run() async throws {
    let invocation = Invocation(global)
    try await Interruption.endingAtOnce {
      let opened = try ReplayInputs(invocation)
      let rejected = RejectedLines(of: file ?? "", log: invocation.log)
      let settings = [opened.settings()] + scenarios.map { opened.settings([$0]) }
      let run = ReplayRun(try opened.source(file: file, counting), rejected: rejected.add)
      let changes = file == nil ? opened.limitChanges(from: from, to: to ?? invocation.now) : []
      let start = from ?? changes.first?.changedAt
      let lastChange =
        file == nil ? opened.limitChanges(from: nil, to: to ?? invocation.now).first : nil
      let (comparison, goodLines) = try run.compare(
        settings, from: start, to: to, changedAt: lastChange?.changedAt)
      try WhatIfTable(
        comparison: comparison, scenarios: ["in force"] + scenarios.map(\.text),
        settings: settings, start: start, change: changes.first, isAsked: from != nil,
        platform: file == nil ? opened.platform(counting) ?? "all" : nil
      ).print(on: invocation.output)
      try rejected.finish(goodLines: goodLines)
    }
  }

  private static func instant(_ text: String) throws -> Instant {
    guard let instant = Instant(iso8601: text) ?? Instant(iso8601: text + "T00:00:00Z") else {
      throw ValidationError("Write a day like 2026-01-31, or an instant like 2026-01-31T08:00:00Z.")
    }
    return instant
  }
}

/// A comparison of settings as text or JSON; docs/replay.md#what-if.
private struct WhatIfTable {
  let comparison: WhatIfComparison
  let scenarios: [String]
  let settings: [Settings]
  /// Nil for all attempts.
  let start: Instant?
  /// The newest change of a limit in the requested span; nil without one.
  let change: SettingChange?
  /// Whether the start was requested, rather than set by the change.
  let isAsked: Bool
  /// Nil for a file.
  let platform: String?

  func print(on output: Output) throws {
    guard output.isJSON else { return output.print(text) }
    for index in scenarios.indices {
      for feature in parts { try output.print(json: line(index, feature)) }
    }
  }

  /// Returns one scenario and feature; `all` stands for all features together.
  private func line(_ index: Int, _ feature: Feature?) -> JSONObject {
    let limit = feature.flatMap { settings[index].limit(of: $0) }
    let totals = comparison.totals(of: feature)
    let figures = comparison.figures(index, of: feature)
    return .compact([
      "message_type": "what_if", "scenario": scenarios[index], "platform": platform,
      "from": start, "lastChange": change?.changedAt,
      "feature": feature?.rawValue ?? "all",
      "limit": limit?.limit, "cooldownSeconds": limit?.cooldownSeconds,
      "attempts": totals.attempts, "performed": figures.performed, "blocked": figures.blocked,
      "popups": figures.popups, "subscriptionTaps": totals.subscriptionTaps,
      "subscriptionTapsKept": figures.subscriptionTapsKept,
      "subscriptionTapsLost": figures.subscriptionTapsLost,
      "tapsWithoutAttempt": totals.tapsWithoutAttempt, "unknownAttempts": totals.unknownAttempts,
      "users": totals.users, "usersBlocked": figures.usersBlocked,
      "usersAffected": figures.usersAffected,
    ])
  }

  /// The features with attempts, and nil for all together.
  private var parts: [Feature?] { comparison.features + [nil] }

  private var text: String {
    guard !comparison.features.isEmpty else {
      return (["No attempts to compare."] + notes).joined(separator: "\n")
    }
    let head = notes.isEmpty ? "" : notes.joined(separator: "\n") + "\n\n"
    return head + parts.map(table).joined(separator: "\n\n") + "\n\n" + Self.definitions
  }

  /// Notes about which attempts are counted: docs/replay.md#changed-limits.
  private var notes: [String] {
    guard let change else { return [] }
    guard isAsked else {
      return [
        "Attempts since the limits last changed: \(change.sentence).",
        "Give --from, such as --from 1970-01-01, to count earlier ones, too.",
      ]
    }
    return [
      "Limits changed in this time: \(change.sentence).",
      "\"in force\" is what is in force now; leave out --from to begin with the last change.",
    ]
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
    add("users blocked", of: totals.users) { $0.usersBlocked }
    add("users affected", of: totals.users) { $0.usersAffected }
    return table.text
  }

  private static func words(_ limit: FeatureLimit?) -> String {
    limit.map { "\($0.limit) per \($0.cooldownSeconds) s" } ?? "not limited"
  }

  /// Returns a ratio such as `40 of 120 (33%)`.
  private static func words(_ ratio: Ratio) -> String {
    let part = NumberWords.grouped(ratio.part)
    let whole = NumberWords.grouped(ratio.whole)
    guard ratio.whole > 0 else { return "\(part) of \(whole)" }
    return "\(part) of \(whole) (\(NumberWords.percent(ratio.percent)))"
  }

  private static let definitions = """
    Attempts, performed, blocked, popups: taps on the feature, and how the rules decide them.
    Subscription taps: taps on the popup's subscription button with an attempt before them. A tap is
    kept if that attempt shows a popup under the settings of the column, and lost if not. All of them
    happened, so those lost in force are the error of the replay. Every scenario may have that error.
    Users blocked: users with at least one blocked attempt, of all users with attempts.
    Users affected: users with an attempt that is allowed here and blocked in force, or the other
    way round, of all users with attempts.
    """
}
