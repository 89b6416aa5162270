import ArgumentParser
import Jobs
import Model
import Session

struct TierCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tier",
    abstract: "What the profile pays for; lite, plus and pro are free of the cooldown limits.",
    subcommands: [Show.self, Set.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile's tier.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let profile = try invocation.standing(try invocation.desk()).profile
      guard invocation.output.isJSON else { return invocation.output.show(profile.tier.rawValue) }
      try invocation.output.show(json: Line(profile.name, profile.tier))
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Change the profile's tier.",
      discussion: """
        A subscription forgets the moment limits that were reached, and queues the moments again \
        that waited for it. Cooldown limits keep their state for the day it ends.
        """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "free, lite, plus or pro.")
    var tier: Tier

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let requeued = try invocation.session(desk, store: try desk.store()).setTier(tier)
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: Line(global.profile, tier, requeued: requeued))
      }
      guard requeued > 0 else { return }
      invocation.output.remark("Moments that waited and are queued again: \(requeued).")
    }
  }

  private struct Line: Encodable {
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
