import ArgumentParser
import Jobs
import Model

struct TierCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tier",
    abstract: "Show and set the profile's tier; lite, plus and pro have no cooldown limits.",
    group: [Show.self, Set.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile's tier.",
      examples: ["firetally tier show"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let profile = try invocation.limitSnapshot().profile
      try invocation.output.print(
        profile.tier.rawValue, json: TierCommand.line(profile.name, profile.tier))
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change the profile's tier.",
      discussion: """
        A subscription clears reached moment limits and queues the moments that waited for it. \
        Usage and cooldowns are kept for when the subscription ends.
        """,
      examples: ["firetally tier set lite"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "free, lite, plus or pro.")
    var tier: Tier

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      let requeued = try session.changeTier(tier, now: invocation.now)
      if invocation.output.isJSON {
        try invocation.output.print(
          json: TierCommand.line(global.profile, tier, requeued: requeued))
      } else if requeued > 0 {
        invocation.output.remark("Moments that waited and are queued again: \(requeued).")
      }
    }
  }

  /// With the number of moments that were queued again, where the tier was set.
  private static func line(_ profile: String, _ tier: Tier, requeued: Int? = nil) -> JSONObject {
    .compact([
      "message_type": "tier", "profile": profile, "tier": tier,
      "isSubscribed": tier.isSubscribed, "requeued": requeued,
    ])
  }
}
