import ArgumentParser
import Jobs
import Model

extension RatingCommand {
  struct Prompt: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prompt",
      abstract:
        "Show the rating dialog, whether it is due or not.",
      discussion: """
        `rating submit` and `rating later` are its buttons. Records that the dialog was shown, and \
        changes no counter.

        EXAMPLES:
          firetally rating prompt
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      let decision = try session.showRatingPrompt(now: invocation.now)
      let output = invocation.output
      guard !output.isJSON else {
        return try output.show(
          json: PromptLine(app: opened.config.app.name, isDue: decision.isDue))
      }
      let dialog = RatingDialog(.stars(nil), appName: opened.config.app.name)
      output.show(dialog.title)
      for stars in StarRating.allCases { output.show(stars.line(hasColour: output.hasColour)) }
      output.show(dialog.buttons.map { "[ \($0.title) ]" }.joined(separator: "  "))
    }
  }

  struct Submit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "submit",
      abstract: "Submit 1 to 5 stars; 1 to 3 need feedback.",
      discussion: """
        Feedback has 10 to 500 characters. It waits in the outbox until a job of kind \
        upload-outbox delivers it to Firestore. 4 and 5 stars print the App Store's review link.

        EXAMPLES:
          firetally rating submit 2 --feedback "The list is often empty."
          firetally rating submit 5
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "1 to 5.")
    var stars: Int

    @Option(help: "Feedback for the developers.")
    var feedback: String?

    func run() throws {
      guard let rating = StarRating(rawValue: stars) else {
        throw CommandError.badRating("A rating has 1 to 5 stars, not \(stars).")
      }
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      let answer = try session.submitRating(rating, feedback: feedback, now: invocation.now)
      switch answer {
      case .refused(.unwanted):
        throw CommandError.unwantedFeedback(FeedbackCheck.unwanted.problem ?? "")
      case .refused(let verdict):
        throw CommandError.badRating(verdict.problem ?? "The feedback cannot be accepted.")
      case .accepted(let outcome, let outboxId):
        try show(rating, outcome, outboxId, opened.config, invocation.output)
      }
    }

    private func show(
      _ rating: StarRating, _ outcome: RatingOutcome, _ outboxId: Int64?,
      _ config: WorkspaceConfig, _ output: Output
    ) throws {
      let link = outcome.opensStore ? config.app.appStoreURL : nil
      guard !output.isJSON else {
        return try output.show(
          json: SubmitLine(
            stars: stars, outboxId: outboxId, appStoreURL: link,
            note: outcome.opensStore && link == nil ? Self.noLink : nil))
      }
      output.remark(rating.line(hasColour: output.hasColour))
      if let outboxId { output.remark("The feedback waits in the outbox as item \(outboxId).") }
      if let link { output.show(link) }
      if outcome.opensStore, link == nil { LineLog.answer(Self.noLink) }
    }

    private static let noLink =
      "No link to the App Store is set: add app.app_store_url to firetally.yml."
  }

  private struct SubmitLine: Encodable {
    let message_type = "rating"
    let stars: Int
    let outboxId: Int64?
    let appStoreURL: String?
    /// What the operator should know; nil when all is set.
    let note: String?
  }

  private struct PromptLine: Encodable {
    struct Choice: Encodable {
      let stars: Int
      let text: String
      let emoji: String
      let colour: StarRating.Colour
    }

    let message_type = "rating_prompt"
    let app: String
    /// Whether the app would have asked by itself.
    let isDue: Bool
    let choices = StarRating.allCases.map {
      Choice(stars: $0.rawValue, text: $0.text, emoji: $0.emoji, colour: $0.colour)
    }
    let buttons = [RatingDialog.later, RatingDialog.submit]
  }
}

extension StarRating {
  /// `★★☆☆☆  Could be much better. Tell us how! 😕`, the stars and the text in their colour.
  fileprivate func line(hasColour: Bool) -> String {
    let stars =
      String(repeating: "★", count: rawValue) + String(repeating: "☆", count: 5 - rawValue)
    let words = "\(stars)  \(text)"
    return (hasColour ? "\u{1B}[\(colour.code)m\(words)\u{1B}[0m" : words) + " \(emoji)"
  }
}

extension StarRating.Colour {
  /// ECMA-48's graphic rendition; orange is the nearest of the 256 colours.
  fileprivate var code: String {
    switch self {
    case .red: "31"
    case .orange: "38;5;208"
    case .green: "32"
    }
  }
}
