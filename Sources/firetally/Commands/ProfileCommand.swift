import ArgumentParser
import Foundation
import Jobs
import Model
import Session

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "The signed-in app user whose session the workspace holds.",
    subcommands: [Show.self, Set.self, ProfileLocateCommand.self])

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the profile.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let profile = try invocation.session(desk, store: try desk.store()).profile()
      guard !invocation.output.isJSON else {
        return try invocation.output.show(json: Line(profile))
      }
      var table = TextTable(["FIELD", "VALUE"])
      for (name, value) in Line(profile).fields { table.add([name, value ?? "-"]) }
      invocation.output.show(table.text)
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change what is given; an empty text clears it.")

    @OptionGroup var global: GlobalOptions

    @Option(help: "The user's own id in Firestore, which no sync stores.")
    var userId: String?
    @Option(help: "free, lite, plus or pro.")
    var tier: Tier?
    @Option(help: "The user's city, for --nearby.")
    var city: String?
    @Option(help: "As feedback states it.")
    var gender: String?
    @Option(help: "As feedback states it.")
    var country: String?
    @Option(help: "As feedback states it.")
    var appVersion: String?
    @Option(help: "When the user's first account was made, for the new-user grace.")
    var firstAccountAt: Instant?
    @Option(help: "An IANA name such as Europe/Berlin.")
    var timeZone: String?
    @Option(help: "What popups say a subscription costs.")
    var price: String?

    func validate() throws {
      if let timeZone, TimeZone(identifier: timeZone) == nil {
        throw ValidationError("'\(timeZone)' is no time zone; give an IANA name.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let desk = try invocation.desk()
      let session = try invocation.session(desk, store: try desk.store())
      if let tier { try session.setTier(tier) }
      try session.updateProfile { profile in
        Self.set(&profile.userId, userId)
        Self.set(&profile.city, city)
        Self.set(&profile.gender, gender)
        Self.set(&profile.country, country)
        Self.set(&profile.appVersion, appVersion)
        Self.set(&profile.price, price)
        profile.firstAccountCreatedAt = firstAccountAt ?? profile.firstAccountCreatedAt
        profile.timeZone = timeZone ?? profile.timeZone
      }
    }

    private static func set(_ field: inout String?, _ text: String?) {
      guard let text else { return }
      field = text.isEmpty ? nil : text
    }
  }

  private struct Line: Encodable {
    let message_type = "profile"
    let name: String
    let userId: String?
    let tier: Tier
    let city: String?
    let gender: String?
    let country: String?
    let appVersion: String?
    let firstAccountCreatedAt: Instant?
    let timeZone: String
    let price: String?
    let filter: UserFilter
    let usersRefreshedAt: Instant?
    let rating: RatingCounters

    init(_ profile: Profile) {
      name = profile.name
      userId = profile.userId
      tier = profile.tier
      city = profile.city
      gender = profile.gender
      country = profile.country
      appVersion = profile.appVersion
      firstAccountCreatedAt = profile.firstAccountCreatedAt
      timeZone = profile.timeZone
      price = profile.price
      filter = profile.filter
      usersRefreshedAt = profile.usersRefreshedAt
      rating = profile.rating
    }

    var fields: [(String, String?)] {
      [
        ("name", name), ("user id", userId), ("tier", tier.rawValue), ("city", city),
        ("gender", gender), ("country", country), ("app version", appVersion),
        ("first account", firstAccountCreatedAt?.iso8601), ("time zone", timeZone),
        ("price", price), ("users refreshed", usersRefreshedAt?.iso8601),
        ("messages sent", String(rating.sent)), ("messages received", String(rating.received)),
        ("rating tries", String(rating.tries)),
      ]
    }
  }
}

extension Tier: ExpressibleByArgument {}
