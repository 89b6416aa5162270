import ArgumentParser
import Jobs
import Model

struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "Show, test and use the limits of the app's features.",
    subcommands: [
      Show.self, Peek.self, Check.self, Use.self, Reset.self, Dismiss.self, Subscribe.self,
      LimitsReplayCommand.self, LimitsWhatIfCommand.self,
    ])

  /// The help of every argument that names a feature.
  static let featureHelp: ArgumentHelp = "refresh, filter, search, message or conversation."

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every limit and the profile's usage; changes nothing.",
      discussion: """
        EXAMPLES:
          firetally limits show
          firetally limits show --profile ana --json
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot(try invocation.openWorkspace())
      let answers = Feature.allCases.map { snapshot.peek($0, now: invocation.now) }
      guard !invocation.output.isJSON else {
        for answer in answers { try invocation.output.show(json: answer.line()) }
        return
      }
      var table = TextTable(["FEATURE", "USED", "LIMIT", "COOLDOWN", "MAY PROCEED", "WHY"])
      for decision in answers.map(\.result) {
        table.add([
          decision.feature.rawValue, String(decision.currentUsage),
          decision.limit.map { String($0.limit) } ?? "-",
          decision.limit.map { "\($0.cooldownSeconds) s" } ?? "-",
          decision.canProceed ? "yes" : "no", decision.reason,
        ])
      }
      invocation.output.show(table.text)
    }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset",
      abstract: "Reset the profile's usage and cooldowns.",
      discussion: """
        Without a feature, resets all that are limited or were used.

        EXAMPLES:
          firetally limits reset
          firetally limits reset refresh
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var features: [Feature] = []

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      let named = Feature.allCases.filter { features.contains($0) }
      let answers = try session.reset(
        features.isEmpty ? try session.limitSnapshot().touchedFeatures : named, now: invocation.now)
      for answer in answers {
        let decision = answer.result
        if invocation.output.isJSON {
          try invocation.output.show(json: answer.line())
        } else {
          invocation.output.remark("\(decision.feature.rawValue): \(decision.reason)")
        }
      }
    }
  }
}

extension Feature: ExpressibleByArgument {}
