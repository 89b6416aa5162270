import ArgumentParser
import Jobs
import Model

extension LimitsCommand {
  struct Dismiss: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss",
      abstract: "Record that the feature's popup was closed; changes nothing else.",
      discussion: """
        Exits with status 64 for a profile that sees no popup, such as a subscriber's.

        EXAMPLES:
          firetally limits dismiss refresh
        """)

    @OptionGroup var global: GlobalOptions

    @Option(
      help: ArgumentHelp(
        "Why it closed: dismissed, action, subscribe or expired.", valueName: "reason"))
    var reason = DismissReason.dismissed

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (answer, invocation, _) = try tapped(.popupDismissed, feature, global, reason)
      guard invocation.output.isJSON else { return }
      try invocation.output.show(json: answer.line())
    }
  }

  struct Subscribe: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "subscribe",
      abstract: "Record a tap on the popup's subscription button.",
      discussion: """
        Buys nothing: record a purchase with `tier set lite`. Exits with status 64 for a \
        profile that sees no popup, such as a subscriber's.

        EXAMPLES:
          firetally limits subscribe refresh
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (answer, invocation, opened) = try tapped(.subscriptionButtonTapped, feature, global)
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: answer.line())
      }
      let price = answer.popup?.price.map { " for \($0)" } ?? ""
      invocation.output.remark(
        "\(opened.config.app.name) Lite\(price): `firetally tier set lite` once it is bought.")
    }
  }

  /// Records a tap on the popup that the profile sees.
  private static func tapped(
    _ kind: EventKind, _ feature: Feature, _ global: GlobalOptions,
    _ reason: DismissReason = .dismissed
  ) throws -> (LimitCheck, Invocation, OpenWorkspace) {
    let invocation = Invocation(global)
    let opened = try invocation.openWorkspace()
    let session = try invocation.session(opened, store: try opened.store())
    let answer = try session.tap(kind, on: feature, now: invocation.now, reason: reason)
    guard answer.popup != nil else {
      throw CommandError.noPopup(feature: feature, reason: answer.result.reason)
    }
    return (answer, invocation, opened)
  }
}

extension DismissReason: ExpressibleByArgument {}
