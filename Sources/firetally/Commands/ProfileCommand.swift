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
      try invocation.output.print(
        TextTable.fields(profile.fields(allowance)).text, json: profile.line(allowance))
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
        profiles, ["NAME", "DEFAULT", "TIER", "USER ID", "USERS REFRESHED"], json: { $0.line() }
      ) { profile in
        [
          profile.name, profile.name == Profile.defaultName ? "yes" : "-", profile.tier.rawValue,
          profile.userId ?? "-", profile.usersRefreshedAt.map(opened.clock) ?? "never",
        ]
      }
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
      guard let last = parts.popLast() else { return "" }
      return parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
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
    let fields = [
      ("city", place.city), ("city before", cityBefore), ("region", place.region),
      ("country", place.country), ("address", place.address),
    ]
    try invocation.output.print(
      TextTable.fields(fields.filter { $0.1 != nil }).text,
      json: .compact([
        "message_type": "place", "city": place.city, "cityBefore": cityBefore,
        "region": place.region, "country": place.country, "address": place.address,
      ]))
  }
}

extension Profile {
  /// Returns the fields for people; the moments that the tier allows are in words.
  fileprivate func fields(_ allowance: MomentAllowance) -> [(String, String?)] {
    [
      ("name", name), ("user id", userId), ("tier", tier.rawValue), ("city", city),
      ("gender", gender), ("country", country), ("app version", appVersion),
      ("first account", firstAccountCreatedAt?.description),
      ("account created", authCreatedAt?.description), ("time zone", timeZone),
      ("price", price), ("users refreshed", usersRefreshedAt?.iso8601),
      ("messages sent", String(rating.sent)), ("messages received", String(rating.received)),
      ("rating tries", String(rating.tries)), ("moments", allowance.words(for: tier)),
      ("timeline", isTimelineRestricted ? "restricted to the newest moments" : "whole"),
    ]
  }

  /// Returns the profile; without moments if no allowance is given.
  fileprivate func line(_ allowance: MomentAllowance? = nil) -> JSONObject {
    .compact([
      "message_type": "profile", "name": name, "isDefault": name == Profile.defaultName,
      "userId": userId, "tier": tier, "city": city, "gender": gender, "country": country,
      "appVersion": appVersion, "firstAccountCreatedAt": firstAccountCreatedAt,
      "accountCreatedAt": authCreatedAt, "timeZone": timeZone, "price": price, "filter": filter,
      "usersRefreshedAt": usersRefreshedAt, "rating": rating,
      "moments": allowance?.words(for: tier), "isTimelineRestricted": isTimelineRestricted,
    ])
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
