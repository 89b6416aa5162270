import ArgumentParser
import Jobs
import Model

struct TierCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tier",
    abstract: "Show and set the profile's tier; lite, plus and pro have no cooldown limits.",
    subcommands: [Show.self, Set.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile's tier.",
      discussion: """
        EXAMPLES:
          firetally tier show
        """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let profile = try invocation.limitSnapshot(try invocation.openWorkspace()).profile
      guard invocation.output.isJSON else { return invocation.output.show(profile.tier.rawValue) }
      try invocation.output.show(json: JSONOutput(profile.name, profile.tier))
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change the profile's tier.",
      discussion: """
        A subscription clears reached moment limits and queues the moments that waited for it. \
        Usage and cooldowns are kept for when the subscription ends.

        EXAMPLES:
          firetally tier set lite
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "free, lite, plus or pro.")
    var tier: Tier

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let requeued = try invocation.session(opened, store: try opened.store()).setTier(tier)
      guard !invocation.output.isJSON else {
        return try invocation.output.show(
          json: JSONOutput(global.profile, tier, requeued: requeued))
      }
      guard requeued > 0 else { return }
      invocation.output.remark("Moments that waited and are queued again: \(requeued).")
    }
  }

  private struct JSONOutput: Encodable {
    let message_type = "tier"
    let profile: String
    let tier: Tier
    let isSubscribed: Bool
    /// Moments; nil where nothing was changed.
    let requeued: Int?

    init(_ profile: String, _ tier: Tier, requeued: Int? = nil) {
      self.profile = profile
      self.tier = tier
      isSubscribed = tier.isSubscribed
      self.requeued = requeued
    }
  }
}
