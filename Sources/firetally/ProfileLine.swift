import Model

/// A profile as JSON, and its fields as a person reads them.
struct ProfileLine: Encodable {
  let message_type = "profile"
  let name: String
  let isDefault: Bool
  let userId: String?
  let tier: Tier
  let city: String?
  let gender: String?
  let country: String?
  let appVersion: String?
  let firstAccountCreatedAt: Instant?
  /// What Firebase Authentication says; nil when it was not asked.
  let accountCreatedAt: Instant?
  let timeZone: String
  let price: String?
  let filter: UserFilter
  let usersRefreshedAt: Instant?
  let rating: RatingCounters
  /// The number of moments that the tier may log, in words; nil where it is not shown.
  let moments: String?
  let isTimelineRestricted: Bool

  init(_ profile: Profile, _ allowance: MomentAllowance? = nil) {
    name = profile.name
    isDefault = profile.name == Profile.defaultName
    userId = profile.userId
    tier = profile.tier
    city = profile.city
    gender = profile.gender
    country = profile.country
    appVersion = profile.appVersion
    firstAccountCreatedAt = profile.firstAccountCreatedAt
    accountCreatedAt = profile.authCreatedAt
    timeZone = profile.timeZone
    price = profile.price
    filter = profile.filter
    usersRefreshedAt = profile.usersRefreshedAt
    rating = profile.rating
    moments = allowance?.words(for: profile.tier)
    isTimelineRestricted = profile.isTimelineRestricted
  }

  var fields: [(String, String?)] {
    [
      ("name", name), ("user id", userId), ("tier", tier.rawValue), ("city", city),
      ("gender", gender), ("country", country), ("app version", appVersion),
      ("first account", firstAccountCreatedAt?.description),
      ("account created", accountCreatedAt?.description), ("time zone", timeZone),
      ("price", price), ("users refreshed", usersRefreshedAt?.iso8601),
      ("messages sent", String(rating.sent)), ("messages received", String(rating.received)),
      ("rating tries", String(rating.tries)), ("moments", moments),
      ("timeline", isTimelineRestricted ? "restricted to the newest moments" : "whole"),
    ]
  }
}
