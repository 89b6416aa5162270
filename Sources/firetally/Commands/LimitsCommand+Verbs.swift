import ArgumentParser
import Model
import Rules
import Session

extension LimitsCommand {
  struct Peek: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "peek",
      abstract: "Say what check would decide; changes nothing, starts nothing.",
      discussion: "Ends with status 75 when the profile may not proceed.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let invocation = Invocation(global)
      let standing = try invocation.standing(try invocation.desk())
      try explanation.show(standing.peek(feature, now: invocation.now), invocation.output)
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Open the feature's popup: at the limit this starts the cooldown.",
      discussion: """
        Ends with status 75 when the profile may not proceed. With --watch, on a terminal, the \
        popup stays and counts down until the profile may proceed; then it ends with status 0.
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    @Flag(help: "Count down on the terminal until the cooldown is over.")
    var watch = false

    func run() async throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let store = try desk.store()
      let answer = try invocation.session(desk, store: store).check(feature, now: invocation.now)
      guard watch, !answer.decision.canProceed, LimitWatch.isPossible(on: invocation.output) else {
        return try explanation.show(answer, invocation.output)
      }
      explanation.showSteps(of: answer, invocation.output)
      let watch = LimitWatch(invocation.output) {
        try invocation.session(desk, store: store).standing()
          .openPopup(feature, now: invocation.clock())
      }
      try await watch.run(from: answer)
    }
  }

  struct Use: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "use",
      abstract: "Use the feature once, if the profile may.",
      discussion: "Ends with status 75 when the profile may not proceed; then nothing is counted.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      try explanation.show(try session.use(feature, now: invocation.now), invocation.output)
    }
  }
}

/// How a decision is told: its popup, and its steps when those were asked for.
struct LimitExplanation: ParsableArguments {
  @Flag(help: "Say the steps of the decision.")
  var explain = false

  /// Prints the decision.
  ///
  /// - Throws: `CommandError.blocked` with the popup when the profile may not proceed.
  func show(_ answer: LimitAnswer, _ output: Output) throws {
    if output.isJSON {
      try output.show(json: LimitLine(answer, explain: explain))
    } else {
      showSteps(of: answer, output)
      if answer.decision.canProceed { output.show(PopupText.block(answer)) }
    }
    guard answer.decision.canProceed else {
      throw CommandError.blocked(PopupText.block(answer))
    }
  }

  func showSteps(of answer: LimitAnswer, _ output: Output) {
    guard explain else { return }
    for (number, step) in answer.decision.steps.enumerated() {
      output.show("\(number + 1). \(step.id): \(step.text)")
    }
  }
}
