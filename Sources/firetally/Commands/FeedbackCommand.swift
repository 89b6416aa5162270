import ArgumentParser
import Jobs
import Model
import Store

struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback that low ratings brought.",
    subcommands: [List.self, Export.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List feedback, the newest first.")

    @OptionGroup var global: GlobalOptions

    @Option(help: "Only feedback with so many stars, 1 to 3.")
    var stars: Int?

    @Option(help: "Only feedback in this state: queued, sending, delivered, parked or rejected.")
    var state: OutboxItem.State?

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
      guard (1...3).contains(stars ?? 1) else {
        throw ValidationError("--stars takes 1 to 3: higher ratings bring no feedback.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      let entries = try store.read {
        try $0.feedbackEntries(stars: stars, state: state, limit: limit)
      }
      guard !invocation.output.isJSON else {
        for entry in entries { try invocation.output.show(json: Line(entry)) }
        return
      }
      var table = TextTable(["WRITTEN", "STARS", "STATE", "USER", "FEEDBACK"], rightAligned: [1])
      for entry in entries {
        let feedback = entry.feedback
        table.add([
          Instant(unixSeconds: feedback.timestamp).iso8601, String(feedback.stars),
          entry.state.rawValue, feedback.userId, feedback.text,
        ])
      }
      invocation.output.show(table.text)
    }
  }

  private struct Line: Encodable {
    let message_type = "feedback"
    let feedback: Feedback
    let state: OutboxItem.State
    let remoteName: String?

    init(_ entry: RatingsFacts.FeedbackEntry) {
      feedback = entry.feedback
      state = entry.state
      remoteName = entry.remoteName
    }
  }
}
