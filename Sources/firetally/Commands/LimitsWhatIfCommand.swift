import ArgumentParser
import Jobs
import Model
import Rules

struct LimitsWhatIfCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "what-if",
    abstract: "Compare other limits with those in force, over the usage ledger.",
    discussion: """
      Each --set is a scenario, its assignments joined by commas: --set refresh.limit=5 \
      --set refresh.limit=1,refresh.cooldown=60.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "The settings of a scenario; may be given several times.", valueName: "name=number,…"),
    transform: SettingAssignments.init(parsing:))
  var scenarios: [SettingAssignments] = []

  @Option(help: "Compare over a replay file in place of the ledger; - is standard input.")
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Only attempts from this day (in UTC) or instant on.", valueName: "day|instant"),
    transform: Self.instant)
  var from: Instant?

  @Option(
    help: ArgumentHelp(
      "Only attempts before this day (in UTC) or instant.", valueName: "day|instant"),
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
      let desk = try ReplayDesk(invocation)
      let rejected = RejectedLines(of: file ?? "", output: invocation.output)
      let settings = [desk.settings()] + scenarios.map { desk.settings([$0]) }
      let (comparison, goodLines) = try ReplayRun(
        try desk.source(file: file), rejected: rejected.add
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
