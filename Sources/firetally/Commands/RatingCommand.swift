import ArgumentParser
import Jobs
import Model
import Rules
import Session

struct RatingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rating",
    abstract: "Rate the app as the profile.",
    subcommands: [Submit.self])

  struct Submit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "submit",
      abstract: "Submit 1 to 5 stars; 1 to 3 need feedback.",
      discussion: """
        Feedback of 10 to 500 characters goes into the outbox, and with the next job of kind \
        upload-outbox to Firestore. For 4 and 5 stars the App Store's review link is printed.
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "1 to 5.")
    var stars: Int

    @Option(help: "What is to be told to the app's makers.")
    var feedback: String?

    func run() throws {
      guard let rating = StarRating(rawValue: stars) else {
        throw CommandError.badRating("A rating has 1 to 5 stars, not \(stars).")
      }
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      let answer = try session.submitRating(rating, feedback: feedback, now: invocation.now)
      switch answer {
      case .refused(let verdict):
        throw CommandError.badRating(verdict.problem ?? "The feedback cannot be accepted.")
      case .accepted(let outcome, let outboxId):
        try show(rating, outcome, outboxId, desk.config, invocation.output)
      }
    }

    private func show(
      _ rating: StarRating, _ outcome: RatingOutcome, _ outboxId: Int64?,
      _ config: WorkspaceConfig, _ output: Output
    ) throws {
      let link = outcome.opensStore ? config.app.appStoreURL : nil
      guard !output.isJSON else {
        return try output.show(
          json: Line(stars: stars, outboxId: outboxId, appStoreURL: link))
      }
      output.remark("\(rating.emoji) \(rating.text)")
      if let outboxId { output.remark("The feedback waits in the outbox as item \(outboxId).") }
      if let link { output.show(link) }
    }
  }

  private struct Line: Encodable {
    let message_type = "rating"
    let stars: Int
    let outboxId: Int64?
    let appStoreURL: String?
  }
}
