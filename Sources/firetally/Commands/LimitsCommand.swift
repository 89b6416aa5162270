import ArgumentParser
import Jobs
import Model
import Rules
import Session

struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "Who may use a limited feature now, and why.",
    subcommands: [
      Show.self, Peek.self, Check.self, Use.self, Reset.self, Dismiss.self, Subscribe.self,
      LimitsReplayCommand.self, LimitsWhatIfCommand.self,
    ])

  /// The help of every argument that names a feature.
  static let featureHelp: ArgumentHelp = "refresh, filter, search, message or conversation."

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every limit and where the profile stands; changes nothing.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let standing = try invocation.standing(try invocation.desk())
      let answers = Feature.allCases.map { standing.peek($0, now: invocation.now) }
      guard !invocation.output.isJSON else {
        for answer in answers { try invocation.output.show(json: LimitLine(answer)) }
        return
      }
      var table = TextTable(["FEATURE", "USED", "LIMIT", "COOLDOWN", "MAY PROCEED", "WHY"])
      for decision in answers.map(\.decision) {
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
      abstract: "Give the profile fresh allowances: no uses, no cooldown.",
      discussion: "Without a feature, every one that is limited or was used.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var features: [Feature] = []

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      let named = Feature.allCases.filter { features.contains($0) }
      let answers = try session.reset(
        features.isEmpty ? try session.standing().touchedFeatures : named, now: invocation.now)
      for answer in answers {
        let decision = answer.decision
        if invocation.output.isJSON {
          try invocation.output.show(json: LimitLine(answer))
        } else {
          invocation.output.remark("\(decision.feature.rawValue): \(decision.reason)")
        }
      }
    }
  }
}

extension Feature: ExpressibleByArgument {}
