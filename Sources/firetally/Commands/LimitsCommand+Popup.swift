import ArgumentParser
import Jobs
import Model
import Rules
import Session

extension LimitsCommand {
  struct Dismiss: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "dismiss",
      abstract: "Close the feature's popup: records that, and changes nothing.",
      discussion: "Ends with status 64 when the profile is shown no popup.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (answer, invocation, _) = try tapped(.popupDismissed, feature, global)
      guard invocation.output.isJSON else { return }
      try invocation.output.show(json: LimitLine(answer))
    }
  }

  struct Subscribe: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "subscribe",
      abstract: "Tap the subscription button of the feature's popup: records that.",
      discussion: """
        Nothing is bought here: `tier set lite` says that somebody subscribed. Ends with status \
        64 when the profile is shown no popup.
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: featureHelp)
    var feature: Feature

    func run() throws {
      let (answer, invocation, desk) = try tapped(.subscriptionButtonTapped, feature, global)
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: LimitLine(answer))
      }
      let price = answer.popup?.price.map { " for \($0)" } ?? ""
      invocation.output.remark(
        "\(desk.config.app.name) Lite\(price): `firetally tier set lite` once it is bought.")
    }
  }

  /// Records a tap on the popup that the profile sees.
  private static func tapped(
    _ kind: EventKind, _ feature: Feature, _ global: GlobalOptions
  ) throws -> (LimitAnswer, Invocation, Invocation.Desk) {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let session = try invocation.session(desk, store: try desk.store())
    let answer = try session.tap(kind, on: feature, now: invocation.now)
    guard answer.popup != nil else {
      throw CommandError.noPopup(feature: feature, reason: answer.decision.reason)
    }
    return (answer, invocation, desk)
  }
}
