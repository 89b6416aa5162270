import ArgumentParser
import Jobs
import Model
import Store

struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback of low ratings, own and the app's.",
    subcommands: [List.self, Export.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List feedback, newest first.",
      discussion: """
        Own feedback comes from `rating submit`. Foreign feedback comes from the app itself; a job \
        of kind sync-feedback fetches it.

        EXAMPLES:
          firetally feedback list --stars 1
          firetally feedback list --state rejected
        """)

    @OptionGroup var global: GlobalOptions

    @Option(help: "Only feedback with this number of stars, 1 to 5.")
    var stars: Int?

    @Option(help: "Only feedback in this state: queued, sending, delivered, parked or rejected.")
    var state: OutboxItem.State?

    @Option(help: "Only feedback of this origin: own or foreign.")
    var origin: RatingsData.FeedbackEntry.Origin?

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
      guard (1...5).contains(stars ?? 1) else { throw ValidationError("--stars takes 1 to 5.") }
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      let entries = try store.read {
        try $0.feedbackEntries(
          FeedbackFilter(stars: stars, state: state, origin: origin), limit: limit)
      }
      guard !invocation.output.isJSON else {
        for entry in entries { try invocation.output.show(json: Line(entry)) }
        return
      }
      var table = TextTable(
        ["WRITTEN", "STARS", "ORIGIN", "STATE", "USER", "FEEDBACK"], rightAligned: [1])
      for entry in entries {
        let feedback = entry.feedback
        table.add([
          Instant(unixSeconds: feedback.timestamp).iso8601, String(feedback.stars),
          entry.origin.rawValue, entry.state?.rawValue ?? "-", feedback.userId, feedback.text,
        ])
      }
      invocation.output.show(table.text)
    }
  }

  private struct Line: Encodable {
    let message_type = "feedback"
    let feedback: Feedback
    let origin: RatingsData.FeedbackEntry.Origin
    /// Nil for foreign feedback.
    let state: OutboxItem.State?
    let remoteName: String?

    init(_ entry: RatingsData.FeedbackEntry) {
      feedback = entry.feedback
      origin = entry.origin
      state = entry.state
      remoteName = entry.remoteName
    }
  }
}

extension RatingsData.FeedbackEntry.Origin: ExpressibleByArgument {}
