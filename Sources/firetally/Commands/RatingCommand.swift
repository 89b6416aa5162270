import ArgumentParser
import Jobs
import Model
import Rules
import Session

struct RatingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rating",
    abstract: "Rate the app as the profile.",
    subcommands: [Status.self, Record.self, Prompt.self, Submit.self, Later.self])

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Say whether the profile would be asked for a rating now, and why.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let standing = try invocation.standing(try invocation.desk())
      try RatingCommand.show(standing, invocation.output)
    }
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record", abstract: "Count messages that were sent and received.")

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
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      try session.recordMessages(sent: sent, received: received)
      if invocation.output.isJSON {
        try RatingCommand.show(try session.standing(), invocation.output)
      }
    }
  }

  struct Later: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "later",
      abstract: "Answer the prompt with \"Maybe Later\": the messages are counted anew.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      try session.rateLater()
      if invocation.output.isJSON {
        try RatingCommand.show(try session.standing(), invocation.output)
      }
    }
  }

  private static func show(_ standing: Standing, _ output: Output) throws {
    let line = StatusLine(standing)
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

    init(_ standing: Standing) {
      let counters = standing.profile.rating
      sent = counters.sent
      received = counters.received
      tries = counters.tries
      threshold = standing.settings.value(.ratingThreshold) ?? 0
      maxPrompts = standing.settings.value(.ratingMaxPrompts) ?? 0
      let prompt = standing.ratingPrompt
      isDue = prompt.isDue
      reason = prompt.reason
    }
  }
}
