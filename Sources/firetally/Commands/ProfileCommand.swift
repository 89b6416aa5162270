import App
import ArgumentParser
import Feeds
import Foundation
import Jobs
import Model
import Reports
import Store
import Workspace

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Show and change profiles: the app users that commands act as.",
    group: [
      Show.self, List.self, Set.self, Create.self, ProfileLocateCommand.self, SignOut.self,
    ])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile.",
      examples: ["firetally profile show"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let snapshot = try invocation.limitSnapshot()
      let (profile, allowance) = (snapshot.profile, MomentAllowance(snapshot.settings))
      let columns = Profile.columns(allowance)
      try invocation.output.print(
        columns.fields(of: profile).text, json: .compact(columns.object(of: profile, as: "profile"))
      )
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the profiles, default first.",
      examples: ["firetally profile list"])

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      let store = try opened.readStore()
      var profiles = try store?.read { try $0.profiles() } ?? []
      if profiles.first?.name != Profile.defaultName { profiles.insert(Profile(), at: 0) }
      try invocation.output.print(
        profiles, as: "profile",
        [
          OutputColumn("NAME") { $0.name },
          OutputColumn("DEFAULT") { $0.name == Profile.defaultName ? "yes" : nil },
          OutputColumn("TIER") { $0.tier.rawValue },
          OutputColumn("USER ID") { $0.userId },
          OutputColumn("USERS REFRESHED") { $0.usersRefreshedAt.map(opened.clock) ?? "never" },
        ], whole: { JSONObject.compact(Profile.columns().object(of: $0)) })
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change the profile; an empty text clears a value.",
      examples: [
        "firetally profile set --user-id u-1 --city Madrid", #"firetally profile set --city """#,
      ])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var options: ProfileOptions

    func validate() throws {
      guard !options.isEmpty else {
        throw ValidationError("Name what to change, such as --city or --tier.")
      }
    }

    func run() throws {
      let (invocation, _, session) = try global.openSession()
      try session.store.write { writer in
        try session.expireCooldowns(now: invocation.now, in: writer)
        // The user id comes first, so that the event of the tier is that user's.
        try session.updateProfile(in: writer) { options.apply(to: &$0) }
        if let tier = options.tier {
          try session.changeTier(tier, now: invocation.now, in: writer)
        }
      }
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a profile.",
      examples: ["firetally profile create ana --user-id u-2 --tier lite"])

    @OptionGroup var global: GlobalOptions
    @OptionGroup var options: ProfileOptions

    @Argument(help: "The profile's name, for --profile.")
    var name: String

    func validate() throws {
      if let problem = ProfileTextRule.problem(name, in: .name) {
        throw ValidationError("The name \(problem)")
      }
    }

    func run() throws {
      var global = global
      global.profile = name
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace(createsProfile: true)
      let session = try invocation.session(opened, store: try opened.store())
      let profile = try session.createProfile { profile in
        options.apply(to: &profile)
        profile.tier = options.tier ?? .free
      }
      guard profile != nil else {
        throw CommandError(
          .usage,
          "The profile '\(name)' exists already. Change it with `firetally profile set --profile "
            + "\(name)`.")
      }
    }
  }

  struct SignOut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign-out",
      abstract: "Clear the local users, and the profile's filter and refresh time.",
      discussion: """
        All profiles share the local users: the next load of any profile fetches them again. \
        Keeps tier, limits, ratings and the outbox. On a terminal it lists what it will remove and \
        asks first; --yes skips the question.
        """,
      examples: ["firetally profile sign-out --yes"])

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let (invocation, opened, session) = try global.openSession()
      try invocation.confirm(
        "Signing out '\(global.profile)' removes \(try losses(session.store)).", yes: yes)
      let lock = try await invocation.lock(opened, store: session.store, wait: turn)
      defer { lock.release() }
      let removed = try session.clearUsers(keepingFilter: false)
      try invocation.output.remark(
        "Signed out; \(removed) users removed.",
        json: ["message_type": "sign_out", "profile": global.profile, "usersRemoved": removed])
    }

    /// Returns a list of what would be deleted now.
    private func losses(_ store: Store) throws -> String {
      let (profile, users) = try store.read {
        (try $0.profile(named: global.profile) ?? Profile(), try $0.usersCount())
      }
      var parts = [NumberWords.counted(users, "user") + " of the local copy"]
      if !profile.filter.isEmpty { parts.append("the saved filter") }
      if let at = profile.usersRefreshedAt { parts.append("the refresh time \(at.iso8601)") }
      return parts.listed
    }
  }
}

struct ProfileLocateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locate",
    abstract: "Find this machine's city by the geo service, and save it for --nearby.",
    discussion: """
      The service is geo.base_url of firetally.yml. Replaces the profile's city and prints the \
      old one. Shows the country but does not save it.
      """,
    examples: ["firetally profile locate"])

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (invocation, opened, session) = try global.openSession()
    let place = try await GeoClient(
      http: invocation.serviceAccess.httpClient(opened.workspace, opened.config),
      baseURL: opened.config.geoBaseURL
    ).locate()
    var cityBefore: String?
    try session.updateProfile { profile in
      if profile.city != place.city { cityBefore = profile.city }
      profile.city = place.city
    }
    let fields: [OutputColumn<GeoPlace>] = [
      OutputColumn("city", "city") { $0.city },
      OutputColumn("city before", "cityBefore") { _ in cityBefore },
      OutputColumn("region", "region") { $0.region },
      OutputColumn("country", "country") { $0.country },
      OutputColumn("address", "address") { $0.address },
    ]
    try invocation.output.print(
      fields.filter { $0.cell(place) != nil }.fields(of: place).text,
      json: .compact(fields.object(of: place, as: "place")))
  }
}

extension Profile {
  /// Returns all that a profile has; no moments if no allowance is given.
  fileprivate static func columns(_ allowance: MomentAllowance? = nil) -> [OutputColumn<Profile>] {
    [
      OutputColumn("name", "name") { $0.name },
      OutputColumn("user id", "userId") { $0.userId },
      OutputColumn("tier", "tier") { $0.tier.rawValue },
      OutputColumn("city", "city") { $0.city },
      OutputColumn("gender", "gender") { $0.gender },
      OutputColumn("country", "country") { $0.country },
      OutputColumn("app version", "appVersion") { $0.appVersion },
      .time("first account", "firstAccountCreatedAt", words: \.description) {
        $0.firstAccountCreatedAt
      },
      .time("account created", "accountCreatedAt", words: \.description) { $0.authCreatedAt },
      OutputColumn("time zone", "timeZone") { $0.timeZone },
      OutputColumn("price", "price") { $0.price },
      .time("users refreshed", "usersRefreshedAt", words: \.iso8601) { $0.usersRefreshedAt },
      OutputColumn("messages sent") { "\($0.rating.sent)" },
      OutputColumn("messages received") { "\($0.rating.received)" },
      OutputColumn("rating tries") { "\($0.rating.tries)" },
      OutputColumn("moments", "moments") { allowance?.words(for: $0.tier) },
      OutputColumn(
        "timeline", "isTimelineRestricted", value: { $0.isTimelineRestricted },
        cell: { $0.isTimelineRestricted ? "restricted to the newest moments" : "whole" }),
      .members {
        [
          "isDefault": $0.name == Profile.defaultName, "filter": $0.filter, "rating": $0.rating,
        ]
      },
    ]
  }
}

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

    @Argument(help: "The new tier.")
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

  /// Returns the tier, with the number of moments queued again if it was set.
  private static func line(_ profile: String, _ tier: Tier, requeued: Int? = nil) -> JSONObject {
    .compact([
      "message_type": "tier", "profile": profile, "tier": tier,
      "isSubscribed": tier.isSubscribed, "requeued": requeued,
    ])
  }
}
