import ArgumentParser
import Jobs
import Model
import Store

extension LimitsCommand {
  struct Peek: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "peek",
      abstract: "Show what check would decide; changes nothing.",
      discussion: """
        Exits with status 75 when the profile may not proceed.

        EXAMPLES:
          firetally limits peek refresh --explain
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot(try invocation.openWorkspace())
      try explanation.show(snapshot.peek(feature, now: invocation.now), invocation.output)
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Open the feature's popup; at the limit this starts the cooldown.",
      discussion: """
        Exits with status 75 when the profile may not proceed. With --watch on a terminal, the \
        popup counts down until the profile may proceed, then closes and exits with status 0.

        EXAMPLES:
          firetally limits check refresh
          firetally limits check filter --watch
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    @Flag(help: "Count down on the terminal until the cooldown is over.")
    var watch = false

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.store()
      let session = try invocation.session(opened, store: store)
      try feature.refuseBadFilter(of: session, in: store)
      let answer = try session.check(feature, now: invocation.now)
      guard watch, !answer.result.canProceed, LimitWatch.isPossible(on: invocation.output) else {
        return try explanation.show(answer, invocation.output)
      }
      explanation.showSteps(of: answer, invocation.output)
      let watch = LimitWatch(invocation.output) {
        try invocation.session(opened, store: store).limitSnapshot()
          .openPopup(feature, now: invocation.clock.now)
      }
      let ending = await watch.run(from: answer)
      // The ledger says how the popup that stood here was closed, and after how long.
      _ = try invocation.session(opened, store: store).tap(
        .popupDismissed, on: feature, now: invocation.clock.now, reason: ending.reason)
      try ending.result.get()
    }
  }

  struct Use: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "use",
      abstract: "Use the feature once, if the profile may.",
      discussion: """
        Exits with status 75, and counts nothing, when the profile may not proceed.

        EXAMPLES:
          firetally limits use search
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.store()
      let session = try invocation.session(opened, store: store)
      try feature.refuseBadFilter(of: session, in: store)
      let answer = try session.use(feature, now: invocation.now)
      invocation.noteUse(answer)
      try explanation.show(answer, invocation.output)
    }
  }
}

extension Feature {
  /// Refuses a saved filter that is not valid, where the feature goes by it.
  fileprivate func refuseBadFilter(of session: Session, in store: Store) throws {
    guard self == .filter else { return }
    _ = try store.read { try $0.validFilter(of: try session.profile(in: $0)) }
  }
}

/// How a decision is printed: its popup, and its steps when they were asked for.
struct LimitExplanation: ParsableArguments {
  @Flag(help: "Print the steps of the decision.")
  var explain = false

  /// Prints the decision.
  ///
  /// - Throws: `CommandError.blocked` with the popup when the profile may not proceed.
  func show(_ answer: LimitCheck, _ output: Output) throws {
    if output.isJSON {
      try output.show(json: answer.line(explain: explain))
    } else {
      showSteps(of: answer, output)
      if answer.result.canProceed { output.show(PopupText.block(answer)) }
    }
    guard answer.result.canProceed else {
      throw CommandError.blocked(answer)
    }
  }

  func showSteps(of answer: LimitCheck, _ output: Output) {
    guard explain else { return }
    for (number, step) in answer.result.steps.enumerated() {
      output.show("\(number + 1). \(step.id): \(step.text)")
    }
  }
}
