/// The subscription of a user; every tier but `free` bypasses the cooldown limits.
package enum Tier: String, CaseIterable, Codable, Sendable {
  case free, lite, plus, pro

  package var isSubscribed: Bool { self != .free }
}

/// A signed-in app user of the workspace.
package struct Profile: Hashable, Sendable {
  /// The name for `--profile`.
  package var name = Profile.defaultName
  /// The user's id in Firestore; nil until it is set.
  ///
  /// A sync never stores this user's document.
  package var userId: String?
  package var tier = Tier.free
  package var city: String?
  package var gender: String?
  package var country: String?
  package var appVersion: String?
  /// Nil or the epoch means unknown: no new-user grace.
  package var firstAccountCreatedAt: Instant?
  /// When Firebase Authentication created the user's account; nil when that is not known here.
  ///
  /// Comes from `auth_users` and is never saved with the profile.
  package var authCreatedAt: Instant?
  /// IANA name; decides when a calendar day ends.
  package var timeZone = "UTC"
  /// Overrides the workspace's price in popups, for example `$2.99/week`.
  package var price: String?
  package var filter = UserFilter.none
  /// The last successful load of users; nil when never, or reset by `filter clear`.
  package var usersRefreshedAt: Instant?
  package var rating = RatingCounters()
  /// Whether the app shows only the newest moments, until an upgrade.
  package var isTimelineRestricted = false

  /// What decides whether the user is new: Firebase Authentication's time where it is known, else
  /// the one that was set; docs/limits.md#new-user-grace.
  package var accountCreatedAt: Instant? { authCreatedAt ?? firstAccountCreatedAt }

  /// Whose the profile's events are: the user's, or without a user id those of `profile NAME`;
  /// docs/rules.md#profiles.
  package var eventUserId: String { userId ?? Self.eventUserId(ofProfile: name) }

  package static func eventUserId(ofProfile name: String) -> String { "\(unnamedPrefix)\(name)" }

  /// What the ids of profiles without a user id begin with.
  package static let unnamedPrefix = "profile "

  package static let defaultName = "default"
}

extension Profile {
  /// A profile by what decides about its limits.
  package init(
    name: String = Profile.defaultName, userId: String? = nil, tier: Tier = .free,
    city: String? = nil, firstAccountCreatedAt: Instant? = nil
  ) {
    self.init(
      name: name, userId: userId, tier: tier, city: city, gender: nil,
      firstAccountCreatedAt: firstAccountCreatedAt)
  }
}

/// The counters that decide whether a profile is asked for a rating.
package struct RatingCounters: Hashable, Codable, Sendable {
  /// Messages that the user sent since the last reset of the counters.
  package var sent: Int64
  /// Messages that the user received since then.
  package var received: Int64
  /// The number of low ratings.
  package var tries: Int64

  package init(sent: Int64 = 0, received: Int64 = 0, tries: Int64 = 0) {
    self.sent = sent
    self.received = received
    self.tries = tries
  }
}

/// Which texts a profile accepts; docs/rules.md#profiles.
package enum ProfileTextRule {
  package enum Field: String, CaseIterable, Sendable {
    case name, userId, city, gender, country, appVersion, price
  }

  /// The most UTF-8 bytes of a user id, as Firestore limits document ids; docs/rules.md#profiles.
  package static let mostIdBytes = 1_500
  /// The most characters of any other text; docs/rules.md#profiles.
  package static let mostCharacters = 200
  /// The most characters of a profile's name; docs/rules.md#profiles.
  package static let mostNameCharacters = 64

  /// What is wrong with a text; nil when it may be stored.
  ///
  /// The end of a sentence that begins with the option or field.
  package static func problem(_ text: String, in field: Field) -> String? {
    if text.isEmpty { return "must not be empty." }
    let (count, most) =
      switch field {
      case .userId: (text.utf8.count, mostIdBytes)
      case .name: (text.unicodeScalars.count, mostNameCharacters)
      default: (text.unicodeScalars.count, mostCharacters)
      }
    if count > most { return "is too long: \(count), at most \(most) are allowed." }
    let controls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return controls ? "has control characters, such as a line break; leave them out." : nil
  }
}
