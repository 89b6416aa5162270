import ArgumentParser
import Jobs

struct LimitsReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay recorded attempts through the limits, one decision a line.",
    discussion: """
      A line of the file: {"at": 1769846400, "user": "u1", "feature": "refresh", "verb": "use"}. \
      Starts with no usage and stores nothing. Exits with status 3 when some lines were rejected, \
      65 when all were.

      EXAMPLES:
        firetally limits replay --from-events
        firetally limits replay attempts.ndjson --set refresh.limit=5
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The file, plain or gzip; - is standard input.")
  var file: String?

  @Flag(help: "Replay the usage ledger instead of a file.")
  var fromEvents = false

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A setting to decide by, such as refresh.limit=5. May be repeated.",
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
      let opened = try ReplayInputs(invocation)
      let rejected = RejectedLines(of: file ?? "", log: invocation.log)
      let run = ReplayRun(try opened.source(file: file), rejected: rejected.add)
      let decided = try run.decide(under: opened.settings(assignments)) { lines in
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
