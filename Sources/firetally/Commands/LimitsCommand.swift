import ArgumentParser
import Jobs
import Model
import Rules
import Session

struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "Who may use a limited feature now, and why.",
    subcommands: [Show.self, Check.self, Use.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every limit and where the profile stands; changes nothing.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      let answers = try Feature.allCases.map { try session.peek($0, now: invocation.now) }
      guard !invocation.output.isJSON else {
        for answer in answers { try invocation.output.show(json: LimitLine(answer)) }
        return
      }
      var table = TextTable(["FEATURE", "USED", "LIMIT", "COOLDOWN", "MAY PROCEED", "WHY"])
      for decision in answers.map(\.decision) {
        table.add([
          decision.feature.rawValue, String(decision.currentUsage),
          decision.limit.map { String($0.limit) } ?? "-",
          decision.limit.map { "\($0.cooldownSeconds) s" } ?? "-",
          decision.canProceed ? "yes" : "no", decision.reason,
        ])
      }
      invocation.output.show(table.text)
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Open the feature's popup: at the limit this starts the cooldown.",
      discussion: "Ends with status 75 when the profile may not proceed.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "refresh, filter, search, message or conversation.")
    var feature: Feature

    @Flag(help: "Say the steps of the decision.")
    var explain = false

    func run() throws {
      try LimitsCommand.decide(global, explain: explain) { session, now in
        try session.check(feature, now: now)
      }
    }
  }

  struct Use: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "use",
      abstract: "Use the feature once, if the profile may.",
      discussion: "Ends with status 75 when the profile may not proceed; then nothing is counted.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: "refresh, filter, search, message or conversation.")
    var feature: Feature

    @Flag(help: "Say the steps of the decision.")
    var explain = false

    func run() throws {
      try LimitsCommand.decide(global, explain: explain) { session, now in
        try session.use(feature, now: now)
      }
    }
  }

  private static func decide(
    _ global: GlobalOptions, explain: Bool, _ verb: (Session, Instant) throws -> LimitAnswer
  ) throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let session = try invocation.session(desk, store: try desk.store())
    let answer = try verb(session, invocation.now)
    let output = invocation.output
    if output.isJSON {
      try output.show(json: LimitLine(answer, explain: explain))
    } else {
      if explain { output.show(steps(of: answer.decision)) }
      if answer.decision.canProceed { output.show(PopupText.block(answer)) }
    }
    guard !answer.decision.canProceed else { return }
    if output.isJSON { throw StatusOnly(status: .tryLater) }
    throw CommandError.blocked(PopupText.block(answer))
  }

  private static func steps(of decision: LimitDecision) -> String {
    decision.steps.enumerated().map { number, step in
      "\(number + 1). \(step.id): \(step.text)"
    }.joined(separator: "\n")
  }
}

/// A decision as JSON; the names are those of `docs/rules.md#cooldowns`.
private struct LimitLine: Encodable {
  struct Step: Encodable {
    let id: String
    let text: String
  }

  let message_type = "limit"
  let feature: Feature
  let canProceed: Bool
  let showPopup: Bool
  /// Seconds, with milliseconds kept.
  let remainingCooldown: Double
  let currentUsage: Int
  let limit: Int?
  let isLimitReached: Bool
  let tier: Tier
  let userType: UserType
  let reason: String
  let resetsAt: Instant?
  let steps: [Step]?

  init(_ answer: LimitAnswer, explain: Bool = false) {
    let decision = answer.decision
    feature = decision.feature
    canProceed = decision.canProceed
    showPopup = decision.showPopup
    remainingCooldown = decision.remainingCooldown.fractionalSeconds
    currentUsage = decision.currentUsage
    limit = decision.limit?.limit
    isLimitReached = decision.isLimitReached
    tier = decision.tier
    userType = decision.userType
    reason = decision.reason
    resetsAt = decision.resetsAt
    steps = explain ? decision.steps.map { Step(id: $0.id, text: $0.text) } : nil
  }
}

extension Feature: ExpressibleByArgument {}
