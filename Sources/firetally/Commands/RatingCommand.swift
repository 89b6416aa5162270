import ArgumentParser
import Jobs
import Model

struct RatingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rating",
    abstract: "Rate the app as the profile.",
    subcommands: [Status.self, Record.self, Prompt.self, Submit.self, Later.self])

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show whether the profile would be asked for a rating now, and why.",
      discussion: """
        EXAMPLES:
          firetally rating status
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot(try invocation.openWorkspace())
      try RatingCommand.show(snapshot, invocation.output)
    }
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record", abstract: "Add to the counts of sent and received messages.",
      discussion: """
        EXAMPLES:
          firetally rating record --sent 3 --received 4
        """)

    @OptionGroup var global: GlobalOptions

    @Option(help: "Messages that the user sent.")
    var sent: Int64 = 0

    @Option(help: "Messages that others sent to the user.")
    var received: Int64 = 0

    func validate() throws {
      guard sent >= 0, received >= 0, sent > 0 || received > 0 else {
        throw ValidationError("Give --sent or --received, or both, with a number above 0.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      try session.recordMessages(sent: sent, received: received)
      if invocation.output.isJSON {
        try RatingCommand.show(try session.limitSnapshot(), invocation.output)
      }
    }
  }

  struct Later: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "later",
      abstract: "Answer the prompt with \"Maybe Later\": message counts restart at 0.",
      discussion: """
        EXAMPLES:
          firetally rating later
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      try session.rateLater(now: invocation.now)
      if invocation.output.isJSON {
        try RatingCommand.show(try session.limitSnapshot(), invocation.output)
      }
    }
  }

  private static func show(_ snapshot: LimitSnapshot, _ output: Output) throws {
    let line = StatusLine(snapshot)
    guard !output.isJSON else { return try output.show(json: line) }
    output.show(
      """
      Messages sent: \(line.sent), received: \(line.received); more than \(line.threshold) each are \
      needed.
      Low ratings given: \(line.tries) of at most \(line.maxPrompts).
      \(line.isDue ? "A prompt would come." : "No prompt would come.") \(line.reason)
      """)
  }

  private struct StatusLine: Encodable {
    let message_type = "rating_status"
    let sent: Int64
    let received: Int64
    let tries: Int64
    let threshold: Int
    let maxPrompts: Int
    let isDue: Bool
    let reason: String

    init(_ snapshot: LimitSnapshot) {
      let counters = snapshot.profile.rating
      sent = counters.sent
      received = counters.received
      tries = counters.tries
      threshold = snapshot.settings.value(.ratingThreshold) ?? 0
      maxPrompts = snapshot.settings.value(.ratingMaxPrompts) ?? 0
      let prompt = snapshot.ratingPrompt
      isDue = prompt.isDue
      reason = prompt.reason
    }
  }
}
