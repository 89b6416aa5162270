import App
import ArgumentParser
import Jobs
import Model
import Store
import Workspace

struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "Show, test and use the limits of the app's features.",
    group: [
      Show.self, Peek.self, Check.self, Use.self, Reset.self, Dismiss.self, Subscribe.self,
      LimitsReplayCommand.self, LimitsWhatIfCommand.self,
    ])

  static let featureHelp: ArgumentHelp = "The limited feature."

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every limit and the profile's usage; changes nothing.",
      examples: ["firetally limits show", "firetally limits show --profile ana --json"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot()
      let checks = Feature.allCases.map { snapshot.peek($0, now: invocation.now) }
      try invocation.output.print(checks, as: "limit", LimitCheck.columns, whole: { $0.members })
    }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset",
      abstract: "Reset the profile's usage and cooldowns.",
      discussion: """
        Without a feature, resets all that are limited or were used.
        """,
      examples: ["firetally limits reset", "firetally limits reset refresh"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var features: [Feature] = []

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      let named = Feature.allCases.filter { features.contains($0) }
      let checks = try session.reset(
        features.isEmpty ? try session.limitSnapshot().touchedFeatures : named, now: invocation.now)
      for check in checks {
        try invocation.output.remark(
          "\(check.result.feature.rawValue): \(check.result.reason)", json: check.line())
      }
    }
  }
}

extension Feature: ExpressibleByArgument {}

extension LimitsCommand {
  struct Peek: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "peek",
      abstract: "Show what check would decide; changes nothing.",
      discussion: """
        Exits with status 75 when the profile may not proceed.
        """,
      examples: ["firetally limits peek refresh --explain"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot()
      try explanation.print(snapshot.peek(feature, now: invocation.now), invocation.output)
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Open the feature's popup; at the limit this starts the cooldown.",
      discussion: """
        Exits with status 75 when the profile may not proceed. With --watch on a terminal, the \
        popup counts down until the profile may proceed, then closes and exits with status 0.
        """,
      examples: ["firetally limits check refresh", "firetally limits check filter --watch"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    @Flag(help: "Count down on the terminal until the cooldown is over.")
    var watch = false

    func run() async throws {
      let (invocation, opened, session) = try global.openSession()
      try feature.refuseBadFilter(of: session)
      let check = try session.check(feature, now: invocation.now)
      guard watch, !check.result.canProceed, LimitWatch.isPossible(on: invocation.output) else {
        return try explanation.print(check, invocation.output)
      }
      explanation.printSteps(of: check, invocation.output)
      let watch = LimitWatch(output: invocation.output) {
        try invocation.session(opened, store: session.store).limitSnapshot()
          .openPopup(feature, now: invocation.clock.now)
      }
      let ending = await watch.run(from: check)
      // The ledger records how the popup was closed, and after how long.
      _ = try invocation.session(opened, store: session.store).tap(
        .popupDismissed, on: feature, now: invocation.clock.now, reason: ending.reason)
      try ending.result.get()
    }
  }

  struct Use: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "use",
      abstract: "Use the feature once, if the profile may.",
      discussion: """
        Exits with status 75, and counts nothing, when the profile may not proceed.
        """,
      examples: ["firetally limits use search"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var explanation: LimitExplanation

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      try feature.refuseBadFilter(of: session)
      let check = try session.use(feature, now: invocation.now)
      invocation.logUse(check)
      try explanation.print(check, invocation.output)
    }
  }
}

extension Feature {
  /// Refuses an invalid saved filter, if the feature uses it.
  fileprivate func refuseBadFilter(of session: ProfileSession) throws {
    guard self == .filter else { return }
    _ = try session.store.read { try $0.validFilter(of: try session.profile(in: $0)) }
  }
}

/// The options for printing a decision: its popup and, if requested, its steps.
struct LimitExplanation: ParsableArguments {
  @Flag(help: "Print the steps of the decision.")
  var explain = false

  /// Prints the decision.
  ///
  /// - Throws: `CommandError.blocked` with the popup when the profile may not proceed.
  func print(_ check: LimitCheck, _ output: Output) throws {
    if output.isJSON {
      try output.print(json: check.line(explain: explain))
    } else {
      printSteps(of: check, output)
      if check.result.canProceed { output.remark(PopupText.block(check), always: true) }
    }
    guard check.result.canProceed else { throw CommandError.blocked(check) }
  }

  func printSteps(of check: LimitCheck, _ output: Output) {
    guard explain else { return }
    for entry in check.result.trace {
      guard let finding = entry.finding else { continue }
      output.print("\(entry.rule.number). \(entry.rule.rawValue): \(finding)")
    }
  }
}

extension LimitsCommand {
  struct Dismiss: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss",
      abstract: "Record that the feature's popup was closed; changes nothing else.",
      discussion: """
        Exits with status 64 for a profile that sees no popup, such as a subscriber.
        """,
      examples: ["firetally limits dismiss refresh"])

    @OptionGroup var global: GlobalOptions

    @Option(
      help: ArgumentHelp(
        "Why it closed.", valueName: "reason"))
    var reason = DismissReason.dismissed

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (check, invocation, _) = try tapped(.popupDismissed, feature, global, reason)
      if invocation.output.isJSON { try invocation.output.print(json: check.line()) }
    }
  }

  struct Subscribe: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "subscribe",
      abstract: "Record a tap on the popup's subscription button.",
      discussion: """
        Buys nothing: record a purchase with `tier set lite`. Exits with status 64 for a \
        profile that sees no popup, such as a subscriber.
        """,
      examples: ["firetally limits subscribe refresh"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (check, invocation, opened) = try tapped(.subscriptionButtonTapped, feature, global)
      let price = check.popup?.price.map { " for \($0)" } ?? ""
      try invocation.output.remark(
        "\(opened.config.app.name) Lite\(price): `firetally tier set lite` once it is bought.",
        json: check.line())
    }
  }

  /// Records a tap on the profile's current popup.
  private static func tapped(
    _ kind: EventKind, _ feature: Feature, _ global: GlobalOptions,
    _ reason: DismissReason = .dismissed
  ) throws -> (LimitCheck, Invocation, OpenWorkspace) {
    let (invocation, opened, session) = try global.openSession()
    let check = try session.tap(kind, on: feature, now: invocation.now, reason: reason)
    guard check.popup != nil else {
      throw CommandError(
        .usage,
        "No \(feature.rawValue) popup is open for this profile. \(check.result.reason)")
    }
    return (check, invocation, opened)
  }
}

extension DismissReason: ExpressibleByArgument {}

extension Invocation {
  /// Logs an allowed use, for `--verbose`.
  func logUse(_ check: LimitCheck) {
    guard check.result.canProceed, let usage = check.result.usageText else { return }
    log.debug("\(check.result.feature.rawValue): \(usage)")
  }
}

/// A decision as JSON; the names are those of `docs/limits.md#cooldowns`.
extension LimitCheck {
  func line(explain: Bool = false) -> JSONObject {
    let line = Self.columns.object(of: self, as: "limit").merging(members)
    let steps: [JSONObject] = result.steps.map { ["id": $0.id, "text": $0.text] }
    return explain ? line.merging(["steps": steps]) : line
  }

  /// What all decisions say, without `members`.
  fileprivate static var columns: [OutputColumn<LimitCheck>] {
    [
      OutputColumn("FEATURE", "feature") { $0.result.feature.rawValue },
      OutputColumn("USED", "currentUsage") { $0.result.currentUsage },
      OutputColumn("LIMIT", "limit") { $0.result.limit?.limit },
      OutputColumn("COOLDOWN") { $0.result.limit.map { "\($0.cooldownSeconds) s" } },
      OutputColumn(
        "MAY PROCEED", "canProceed", value: { $0.result.canProceed },
        cell: { $0.result.canProceed ? "yes" : "no" }),
      OutputColumn("WHY", "reason") { $0.result.reason },
      .members {
        [
          "showPopup": $0.result.showPopup, "isLimitReached": $0.result.isLimitReached,
          "tier": $0.result.tier, "userType": $0.result.userType,
        ]
      },
    ]
  }

  /// The limit's state as members of a limited command's own JSON object.
  var members: JSONObject {
    [
      "popup": popup?.members,
      // In seconds, with a fraction.
      "remainingCooldown": result.remainingCooldown.fractionalSeconds,
      "resetsAt": result.resetsAt,
    ]
  }
}

extension Popup {
  /// The members of the popup, as described in `docs/limits.md#popup`.
  fileprivate var members: JSONObject {
    // The cooldown hides the action button.
    let action = isCoolingDown ? nil : action
    return [
      "title": title, "text": description, "buttons": [action, subscribe].compactMap(\.self),
      "action": action, "remaining": remainingText, "bar": barFraction,
      "timeLeft": timeLeftText, "subscribe": subscribe, "price": price,
    ]
  }
}

extension Invocation {
  /// Returns the limits of the command's profile without writing; the defaults when nothing is
  /// stored.
  func limitSnapshot() throws -> LimitSnapshot {
    let opened = try openWorkspace()
    if let store = try opened.readStore() {
      return try session(opened, store: store).limitSnapshot()
    }
    return LimitSnapshot(
      profile: Profile(name: options.profile),
      settings: WorkspaceSettings.inForce(fetched: [], config: opened.config),
      appName: opened.config.app.name, price: opened.config.prices[.lite])
  }
}
