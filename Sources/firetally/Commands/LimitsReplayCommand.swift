import ArgumentParser
import Jobs

struct LimitsReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Decide a file of attempts, or those of the ledger, one decision a line.",
    discussion: """
      A line of the file: {"at": 1769846400, "user": "u1", "feature": "refresh", "verb": "use"}. \
      States begin empty and are not stored. Ends with status 3 when lines were left out, with 65 \
      when no line was good.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The file, plain or gzip; - is standard input.")
  var file: String?

  @Flag(help: "Replay the usage ledger in place of a file.")
  var fromEvents = false

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A setting to decide by, such as refresh.limit=5; may be given several times.",
      valueName: "name=number"),
    transform: SettingAssignments.init(parsing:))
  var assignments: [SettingAssignments] = []

  func validate() throws {
    guard (file != nil) != fromEvents else {
      throw ValidationError("Name one file, or give --from-events.")
    }
  }

  func run() async throws {
    let invocation = Invocation(global)
    try await Interruption.endingAtOnce {
      let desk = try ReplayDesk(invocation)
      let rejected = RejectedLines(of: file ?? "", output: invocation.output)
      let run = ReplayRun(try desk.source(file: file), rejected: rejected.add)
      let decided = try run.decide(under: desk.settings(assignments)) { lines in
        try invocation.output.show(bytes: lines)
      }
      try rejected.settle(goodLines: decided)
    }
  }
}

/// How commands end that change nothing, so that every place is a sound one to stop at.
enum Interruption {
  /// Ends the program on the first signal, even while standard input is silent.
  static func endingAtOnce(_ work: () throws -> Void) async throws {
    try await withTaskCancellationHandler {
      try work()
    } onCancel: {
      Failure(CancellationError()).exit()
    }
  }
}
