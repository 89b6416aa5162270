import ArgumentParser
import Jobs
import Model

struct PaywallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paywall",
    abstract: "Show the paywall, which offers an upgrade.",
    group: [Show.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the paywall in the profile's state, or in another.",
      discussion: """
        A subscriber sees a thank-you card instead of the offer. An offer leaves an event, a preview \
        does not.
        """,
      examples: ["firetally paywall show --trigger manual"])

    @OptionGroup var global: GlobalOptions

    @Option(
      help: """
        A preview: daily_limit_reached, total_limit_reached, timeline_restricted or manual.
        """)
    var trigger: Paywall.Trigger?

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      let now = invocation.now
      let snapshot =
        try (trigger == nil ? session.showPaywall(now: now) : session.momentSnapshot(now: now))
      let paywall = snapshot.paywall(trigger)
      // A subscriber gets no offer; a preview shows it all the same.
      let isThankYou = snapshot.tier.isSubscribed && trigger == nil
      try invocation.output.print(
        isThankYou ? PaywallText.thankYou(paywall) : PaywallText.block(paywall),
        json: .compact([
          "message_type": "paywall", "card": isThankYou ? "thank_you" : "offer",
          "trigger": paywall.trigger,
          // Whether a limit puts it in the profile's way now, whatever trigger was asked for.
          "shouldShow": snapshot.dueTrigger != nil, "banner": paywall.banner,
          "serverMessage": paywall.serverMessage,
          "header": isThankYou ? Paywall.thanks : paywall.header,
          "premiumDescription": paywall.premiumDescription,
          "freeDescription": isThankYou ? nil : paywall.freeDescription,
          "benefits": paywall.benefits,
        ]))
    }
  }
}

extension Paywall.Trigger: ExpressibleByArgument {}
