import ArgumentParser
import Jobs
import Model
import Rules
import Session

struct PaywallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paywall",
    abstract: "What offers the profile an upgrade.",
    subcommands: [Show.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the paywall in the state that the profile is in, or in another.")

    @OptionGroup var global: GlobalOptions

    @Option(
      help: """
        A preview: daily_limit_reached, total_limit_reached, timeline_restricted or manual.
        """)
    var trigger: Paywall.Trigger?

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      let standing = try session.momentStanding(now: invocation.now)
      let paywall = Paywall(
        trigger ?? standing.paywall.trigger, allowance: standing.allowance)
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: Line(paywall, standing))
      }
      invocation.output.show(PaywallText.block(paywall))
    }
  }

  private struct Line: Encodable {
    let message_type = "paywall"
    let trigger: Paywall.Trigger
    /// Whether a limit puts it in the profile's way now, whatever trigger was asked for.
    let shouldShow: Bool
    let banner: String?
    let header: String
    let premiumDescription: String
    let freeDescription: String
    let benefits: [String]

    init(_ paywall: Paywall, _ standing: MomentStanding) {
      trigger = paywall.trigger
      shouldShow = standing.paywall.shouldShow
      banner = paywall.banner
      header = paywall.header
      premiumDescription = paywall.premiumDescription
      freeDescription = paywall.freeDescription
      benefits = paywall.benefits
    }
  }
}

extension Paywall.Trigger: ExpressibleByArgument {}
