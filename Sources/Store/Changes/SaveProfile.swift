import GRDB
package import Model

extension Writer {
  /// Stores the profile under its name, in place of the one that was there.
  package func save(_ profile: Profile) throws {
    let values = Self.values(of: profile)
    let names = values.map(\.column).joined(separator: ", ")
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try run(
      "INSERT OR REPLACE INTO profiles (\(names)) VALUES (\(marks))",
      StatementArguments(values.map(\.value)))
  }

  private static func values(
    of profile: Profile
  ) -> [(column: String, value: (any DatabaseValueConvertible)?)] {
    [
      ("name", profile.name),
      ("user_id", profile.userId),
      ("tier", profile.tier.rawValue),
      ("city", profile.city),
      ("gender", profile.gender),
      ("country", profile.country),
      ("app_version", profile.appVersion),
      ("first_account_created_at", profile.firstAccountCreatedAt?.microseconds),
      ("time_zone", profile.timeZone),
      ("price", profile.price),
      ("filter_gender", profile.filter.gender?.rawValue),
      ("filter_country", profile.filter.country),
      ("filter_language", profile.filter.language),
      ("filter_min_age", profile.filter.minAge),
      ("filter_max_age", profile.filter.maxAge),
      ("filter_is_nearby_only", profile.filter.isNearbyOnly),
      ("users_refreshed_at", profile.usersRefreshedAt?.microseconds),
      ("rating_sent", profile.rating.sent),
      ("rating_received", profile.rating.received),
      ("rating_tries", profile.rating.tries),
    ]
  }
}
