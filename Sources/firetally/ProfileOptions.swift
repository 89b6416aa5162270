import ArgumentParser
import Jobs
import Model
import Workspace

/// The options for creating and changing a profile.
struct ProfileOptions: ParsableArguments {
  @Option(help: "The user's id in Firestore; loads leave this user out.")
  var userId: String?
  @Option(help: "The user's tier.")
  var tier: Tier?
  @Option(help: "The user's city, for --nearby.")
  var city: String?
  @Option(help: "Sent with feedback.")
  var gender: String?
  @Option(help: "Sent with feedback.")
  var country: String?
  @Option(help: "Sent with feedback.")
  var appVersion: String?
  @Option(
    help: ArgumentHelp(
      "When the first account was created: an instant or unix seconds.", valueName: "instant"),
    transform: AccountTime.init)
  var firstAccountAt: AccountTime?
  @Option(help: "An IANA name such as Europe/Berlin.")
  var timeZone: String?
  @Option(help: "The subscription price that popups show.")
  var price: String?
  @Flag(inversion: .prefixedNo, help: "Whether the app shows only the newest moments.")
  var timelineRestricted: Bool?

  /// An empty text clears a value and has no bounds; the time zone cannot be cleared, since every
  /// profile has one.
  func validate() throws {
    for (option, text, field) in texts {
      guard let text, !text.isEmpty, let problem = ProfileTextRule.problem(text, in: field) else {
        continue
      }
      throw ValidationError("--\(option) \(problem)")
    }
    if let timeZone, !TimeZoneName.isValid(timeZone) {
      throw ValidationError(
        "'\(timeZone.prefix(60))' is no time zone; give an IANA name such as Europe/Berlin.")
    }
  }

  var isEmpty: Bool {
    texts.allSatisfy { $0.text == nil } && tier == nil && firstAccountAt == nil && timeZone == nil
      && timelineRestricted == nil
  }

  /// Applies the given options, except the tier, which the session changes.
  func apply(to profile: inout Profile) {
    Self.set(&profile.userId, userId)
    Self.set(&profile.city, city)
    Self.set(&profile.gender, gender)
    Self.set(&profile.country, country)
    Self.set(&profile.appVersion, appVersion)
    Self.set(&profile.price, price)
    if let firstAccountAt { profile.firstAccountCreatedAt = firstAccountAt.instant }
    profile.timeZone = timeZone ?? profile.timeZone
    profile.isTimelineRestricted = timelineRestricted ?? profile.isTimelineRestricted
  }

  private var texts: [(option: String, text: String?, field: ProfileTextRule.Field)] {
    [
      ("user-id", userId, .userId), ("city", city, .city), ("gender", gender, .gender),
      ("country", country, .country), ("app-version", appVersion, .appVersion),
      ("price", price, .price),
    ]
  }

  private static func set(_ field: inout String?, _ text: String?) {
    guard let text else { return }
    field = text.isEmpty ? nil : text
  }
}

/// The time when an account was created, from 1970 to 9999; empty text means unknown.
struct AccountTime {
  /// Nil when unknown.
  let instant: Instant?

  init(_ argument: String) throws {
    instant = argument.isEmpty ? nil : try Self.read(argument)
  }

  private static func read(_ text: String) throws -> Instant {
    guard let instant = Instant(iso8601: text) ?? seconds(text) else {
      throw ValidationError("give an instant such as 2026-01-31T08:00:00Z, or unix seconds.")
    }
    guard (0...lastSecond).contains(instant.unixSeconds) else {
      throw ValidationError("it lies outside of 1970 to 9999; are those milliseconds?")
    }
    return instant
  }

  /// 9999-12-31T23:59:59Z; larger values are assumed to be milliseconds.
  private static let lastSecond: Int64 = 253_402_300_799

  private static func seconds(_ text: String) -> Instant? {
    guard text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }), let seconds = Double(text)
    else { return nil }
    return Instant(fractionalUnixSeconds: seconds)
  }
}

extension Tier: ExpressibleByArgument {}
