import GRDB
package import Model

extension Readable {
  /// The profile of this name; nil when it was never saved.
  package func profile(named name: String) throws -> Profile? {
    try Row.fetchOne(
      reader.database, sql: "\(Self.selection) WHERE name = ?", arguments: [name]
    ).map { try Profile($0) }
  }

  /// All saved profiles, `default` first, then by name.
  package func profiles() throws -> [Profile] {
    try Row.fetchAll(
      reader.database, sql: "\(Self.selection) ORDER BY name <> ?, name",
      arguments: [Profile.defaultName]
    ).map { try Profile($0) }
  }

  private static var selection: String {
    """
    SELECT profiles.*, auth_users.created_at AS auth_created_at
    FROM profiles LEFT JOIN auth_users ON auth_users.uid = profiles.user_id
    """
  }
}

extension Profile {
  fileprivate init(_ row: Row) throws {
    self.init(
      name: row["name"], userId: row["user_id"], tier: try row.choice("tier", of: "profiles"),
      city: row["city"], gender: row["gender"], country: row["country"],
      appVersion: row["app_version"],
      firstAccountCreatedAt: row.instant("first_account_created_at"),
      timeZone: row["time_zone"], price: row["price"], filter: try UserFilter(row),
      usersRefreshedAt: row.instant("users_refreshed_at"),
      rating: RatingCounters(
        sent: row["rating_sent"], received: row["rating_received"], tries: row["rating_tries"]),
      isTimelineRestricted: row["is_timeline_restricted"])
    authCreatedAt = row.instant("auth_created_at")
  }
}

extension UserFilter {
  fileprivate init(_ row: Row) throws {
    let gender: String? = row["filter_gender"]
    self.init(
      gender: gender == nil ? nil : try row.choice("filter_gender", of: "profiles"),
      country: row["filter_country"], language: row["filter_language"],
      minAge: row["filter_min_age"], maxAge: row["filter_max_age"],
      isNearbyOnly: row["filter_is_nearby_only"])
  }
}

extension Writer {
  /// Stores the profile, replacing one of the same name.
  package func save(_ profile: Profile) throws {
    try insert(into: "profiles", Self.values(of: profile), orReplace: true)
  }

  private static func values(of profile: Profile) -> [ColumnValue] {
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
      ("is_timeline_restricted", profile.isTimelineRestricted),
    ]
  }
}
