import ArgumentParser
import Jobs
import Model

struct PaywallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paywall",
    abstract: "Show the paywall, which offers an upgrade.",
    subcommands: [Show.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the paywall in the profile's state, or in another.",
      discussion: """
        A subscriber sees a thank-you card instead of the offer.

        EXAMPLES:
          firetally paywall show --trigger manual
        """)

    @OptionGroup var global: GlobalOptions

    @Option(
      help: """
        A preview: daily_limit_reached, total_limit_reached, timeline_restricted or manual.
        """)
    var trigger: Paywall.Trigger?

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let session = try invocation.session(opened, store: try opened.store())
      let snapshot = try session.momentSnapshot(now: invocation.now)
      let paywall = snapshot.paywall(trigger)
      // A subscriber gets no offer; a preview shows it all the same.
      let isThankYou = snapshot.tier.isSubscribed && trigger == nil
      guard !invocation.output.isJSON else {
        return try invocation.output.show(
          json: JSONOutput(paywall, snapshot, isThankYou: isThankYou))
      }
      invocation.output.show(
        isThankYou ? PaywallText.thankYou(paywall) : PaywallText.block(paywall))
    }
  }

  private struct JSONOutput: Encodable {
    enum Card: String, Encodable {
      case offer
      case thankYou = "thank_you"
    }

    let message_type = "paywall"
    let card: Card
    let trigger: Paywall.Trigger
    /// Whether a limit puts it in the profile's way now, whatever trigger was asked for.
    let shouldShow: Bool
    let banner: String?
    /// What the service said about the limit; nil when it said nothing.
    let serverMessage: String?
    /// The thanks to a subscriber.
    let header: String
    let premiumDescription: String
    /// Nil for a subscriber.
    let freeDescription: String?
    let benefits: [String]

    init(_ paywall: Paywall, _ snapshot: MomentSnapshot, isThankYou: Bool) {
      card = isThankYou ? .thankYou : .offer
      trigger = paywall.trigger
      shouldShow = snapshot.paywall.shouldShow
      banner = paywall.banner
      serverMessage = paywall.serverMessage
      header = isThankYou ? Paywall.thanks : paywall.header
      premiumDescription = paywall.premiumDescription
      freeDescription = isThankYou ? nil : paywall.freeDescription
      benefits = paywall.benefits
    }
  }
}

extension Paywall.Trigger: ExpressibleByArgument {}
