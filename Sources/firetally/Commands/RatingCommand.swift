import App
import ArgumentParser
import Jobs
import Model
import Workspace

struct RatingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rating",
    abstract: "Rate the app as the profile.",
    group: [Status.self, Record.self, Prompt.self, Submit.self, Later.self, WhatIf.self])

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show whether the profile would be asked for a rating now, and why.",
      examples: ["firetally rating status"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot()
      try RatingCommand.print(snapshot, invocation.output)
    }
  }

  struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record", abstract: "Add to the counts of sent and received messages.",
      examples: ["firetally rating record --sent 3 --received 4"])

    @OptionGroup var global: GlobalOptions

    @Option(parsing: .unconditional, help: "Messages that the user sent.")
    var sent: Int64 = 0

    @Option(parsing: .unconditional, help: "Messages that others sent to the user.")
    var received: Int64 = 0

    func validate() throws {
      guard sent >= 0, received >= 0, sent > 0 || received > 0 else {
        throw ValidationError("Give --sent or --received, or both, with a number above 0.")
      }
    }

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      try session.recordMessages(sent: sent, received: received, now: invocation.now)
      if invocation.output.isJSON {
        try RatingCommand.print(try session.limitSnapshot(), invocation.output)
      }
    }
  }

  struct Later: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "later",
      abstract: "Answer the prompt with \"Maybe Later\": message counts restart at 0.",
      examples: ["firetally rating later"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      try session.rateLater(now: invocation.now)
      if invocation.output.isJSON {
        try RatingCommand.print(try session.limitSnapshot(), invocation.output)
      }
    }
  }

  private static func print(_ snapshot: LimitSnapshot, _ output: Output) throws {
    let (counters, prompt) = (snapshot.profile.rating, snapshot.ratingPrompt)
    let threshold = snapshot.settings.value(.ratingThreshold) ?? 0
    let maxPrompts = snapshot.settings.value(.ratingMaxPrompts) ?? 0
    try output.print(
      """
      Messages sent: \(counters.sent), received: \(counters.received); more than \(threshold) each \
      are needed.
      Low ratings given: \(counters.tries) of at most \(maxPrompts).
      \(prompt.isDue ? "A prompt would come." : "No prompt would come.") \(prompt.reason)
      """,
      json: [
        "message_type": "rating_status", "sent": counters.sent, "received": counters.received,
        "tries": counters.tries, "threshold": threshold, "maxPrompts": maxPrompts,
        "isDue": prompt.isDue, "reason": prompt.reason,
      ])
  }

  struct Prompt: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prompt",
      abstract:
        "Show the rating dialog, whether it is due or not.",
      discussion: """
        `rating submit` and `rating later` are its buttons. Records that the dialog was shown. \
        Changes no counter.
        """,
      examples: ["firetally rating prompt"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened, session) = try global.openSession()
      let decision = try session.showRatingPrompt(now: invocation.now)
      let (app, output) = (opened.config.app.name, invocation.output)
      guard !output.isJSON else {
        let choices: [JSONObject] = StarRating.allCases.map {
          ["stars": $0.rawValue, "text": $0.text, "emoji": $0.emoji, "colour": $0.colour]
        }
        return try output.print(
          json: [
            "message_type": "rating_prompt", "app": app,
            // Whether the app would have asked on its own.
            "isDue": decision.isDue, "choices": choices,
            "buttons": [RatingDialog.later, RatingDialog.submit],
          ])
      }
      let dialog = RatingDialog(.stars(nil), appName: app)
      output.print(dialog.title)
      for stars in StarRating.allCases { output.print(stars.line(on: output)) }
      output.print(dialog.buttons.map { "[ \($0.title) ]" }.joined(separator: "  "))
    }
  }

  struct Submit: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "submit",
      abstract: "Submit 1 to 5 stars; 1 to 3 need feedback.",
      discussion: """
        Feedback has 10 to 500 characters. It waits in the outbox until a job of kind \
        upload-outbox delivers it to Firestore. 4 and 5 stars print the App Store's review link.
        """,
      examples: [
        #"firetally rating submit 2 --feedback "The list is often empty.""#,
        "firetally rating submit 5",
      ])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "1 to 5.")
    var stars: Int

    @Option(help: "Feedback for the developers.")
    var feedback: String?

    func run() throws {
      guard let rating = StarRating(rawValue: stars) else {
        throw CommandError(.usage, "A rating has 1 to 5 stars, not \(stars).")
      }
      let (invocation, opened, session) = try global.openSession()
      switch try session.submitRating(rating, feedback: feedback, now: invocation.now) {
      case .unwantedFeedback:
        throw CommandError(
          .badData,
          "A rating of 4 or 5 stars takes no feedback: it leads to the App Store. Leave "
            + "--feedback out, or rate 1 to 3 stars.")
      case .refused(let problem): throw CommandError(.usage, problem)
      case .accepted(let outcome, let outboxId):
        try print(rating, outcome, outboxId, opened.config, invocation.output)
      }
    }

    private func print(
      _ rating: StarRating, _ outcome: RatingOutcome, _ outboxId: Int64?,
      _ config: WorkspaceConfig, _ output: Output
    ) throws {
      let link = outcome.opensStore ? config.app.appStoreURL : nil
      guard !output.isJSON else {
        return try output.print(
          json: .compact([
            "message_type": "rating", "stars": stars, "outboxId": outboxId, "appStoreURL": link,
            // A note for the operator.
            "note": outcome.opensStore && link == nil ? Self.noLink : nil,
          ]))
      }
      output.remark(rating.line(on: output))
      if let outboxId { output.remark("The feedback waits in the outbox as item \(outboxId).") }
      if let link { output.print(link) }
      if outcome.opensStore, link == nil { LineLog.print(Self.noLink) }
    }

    private static let noLink =
      "No link to the App Store is set: add app.app_store_url to firetally.yml."
  }
}

extension StarRating {
  /// Returns the stars and the text in their colour: `★★☆☆☆  Could be much better. Tell us how! 😕`.
  fileprivate func line(on output: Output) -> String {
    let stars =
      String(repeating: "★", count: rawValue) + String(repeating: "☆", count: 5 - rawValue)
    let colour: Output.Colour =
      switch colour {
      case .red: .red
      case .orange: .orange
      case .green: .green
      }
    return "\(output.coloured("\(stars)  \(text)", colour)) \(emoji)"
  }
}
