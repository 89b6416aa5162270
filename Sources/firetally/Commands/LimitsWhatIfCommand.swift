import ArgumentParser
import Jobs
import Model

struct LimitsWhatIfCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: "Compare other limits with those in force, over recorded attempts.",
    discussion: """
      Each --set is one scenario; commas join its settings: --set refresh.limit=5 \
      --set refresh.limit=1,refresh.cooldown=60.

      EXAMPLES:
        firetally limits what-if --set refresh.limit=5
        firetally limits what-if --set refresh.limit=1,refresh.cooldown=60
      """)

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
      "Count attempts at or after this day (UTC) or instant; earlier ones fill the states.",
      valueName: "day|instant"),
    transform: Self.instant)
  var from: Instant?

  @Option(
    help: ArgumentHelp(
      "Only attempts before this day (UTC) or instant.", valueName: "day|instant"),
    transform: Self.instant)
  var to: Instant?

  func validate() throws {
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
      let (comparison, goodLines) = try ReplayRun(
        try opened.source(file: file), rejected: rejected.add
      )
      .compare(settings, from: from, to: to)
      let table = WhatIfTable(
        comparison, scenarios: ["in force"] + scenarios.map(\.text), settings: settings)
      try table.show(on: invocation.output)
      try rejected.settle(goodLines: goodLines)
    }
  }

  private static func instant(_ text: String) throws -> Instant {
    guard let instant = Instant(iso8601: text) ?? Instant(iso8601: text + "T00:00:00Z") else {
      throw ValidationError("Write a day like 2026-01-31, or an instant like 2026-01-31T08:00:00Z.")
    }
    return instant
  }
}
