import GRDB
package import Model

extension Readable {
  /// The profile of this name; nil when it was never saved.
  package func profile(named name: String) throws -> Profile? {
    try reader.first("\(Self.selection) WHERE name = ?", [name]) { try Profile($0) }
  }

  /// All saved profiles, `default` first, then by name.
  package func profiles() throws -> [Profile] {
    try reader.rows("\(Self.selection) ORDER BY name <> ?, name", [Profile.defaultName]) {
      try Profile($0)
    }
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
      city: row["city"], firstAccountCreatedAt: row.instant("first_account_created_at"))
    (gender, country, appVersion) = (row["gender"], row["country"], row["app_version"])
    (timeZone, price, filter) = (row["time_zone"], row["price"], try UserFilter(row))
    usersRefreshedAt = row.instant("users_refreshed_at")
    rating = RatingCounters(
      sent: row["rating_sent"], received: row["rating_received"], tries: row["rating_tries"])
    isTimelineRestricted = row["is_timeline_restricted"]
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

extension Store {
  /// Gives back the uses of all profiles whose owner died, and returns their number.
  ///
  /// No owner can end its use during the transaction, so a pending use of a dead owner is
  /// abandoned.
  @discardableResult
  package func refundAbandonedUses(isAlive: (_ owner: String) throws -> Bool) throws -> Int {
    guard try !read({ try $0.pendingUses() }).isEmpty else { return 0 }
    return try write { writer in
      let abandoned = try writer.pendingUses().filter { try !isAlive($0.owner) }
      try writer.apply(
        abandoned.map { .giveBack(use: $0.id, profile: $0.profile, feature: $0.feature) })
      return abandoned.count
    }
  }
}

extension Writer {
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

/// An allowed use whose action is running.
package struct PendingUse: Hashable, Sendable {
  package var id: Int64
  package var profile: String
  package var feature: Feature
  package var startedAt: Instant
  /// Identifies the process of the action, so that a later run can check that it is alive.
  package var owner: String
}

extension Readable {
  /// The states of the features that were used or reset.
  package func limitStates(profile: String) throws -> [Feature: LimitState] {
    var states: [Feature: LimitState] = [:]
    try reader.forEachRow("SELECT * FROM limit_states WHERE profile = ?", [profile]) { row in
      states[try row.choice("feature", of: "limit_states")] = LimitState(
        usage: row["usage"], cooldownStartedAt: row.instant("cooldown_started_at"),
        isFresh: row["is_fresh"])
    }
    return states
  }

  /// The names of the profiles with a limit state, saved or not, in alphabetical order.
  package func profileNamesWithLimitStates() throws -> [String] {
    try reader.values("SELECT DISTINCT profile FROM limit_states ORDER BY profile")
  }

  /// The uses whose action has not ended, oldest first.
  package func pendingUses() throws -> [PendingUse] {
    try reader.rows("SELECT * FROM pending_uses ORDER BY id") { row in
      PendingUse(
        id: row["id"], profile: row["profile"],
        feature: try row.choice("feature", of: "pending_uses"),
        startedAt: row.requiredInstant("started_at"), owner: row["owner"])
    }
  }
}

extension Writer {
  package func setLimitState(_ state: LimitState, profile: String, feature: Feature) throws {
    try insert(
      into: "limit_states",
      [
        ("profile", profile), ("feature", feature.rawValue), ("usage", state.usage),
        ("cooldown_started_at", state.cooldownStartedAt?.microseconds), ("is_fresh", state.isFresh),
      ], orReplace: true)
  }

  /// Stores the begin of an allowed use and returns its id; call it in the transaction that counts
  /// it.
  package func beginPendingUse(
    profile: String, feature: Feature, at now: Instant, owner: String
  ) throws -> Int64 {
    try insert(
      into: "pending_uses",
      [
        ("profile", profile), ("feature", feature.rawValue), ("started_at", now.microseconds),
        ("owner", owner),
      ])
  }

  /// Takes one use from what was counted, if anything was.
  func uncountUse(profile: String, feature: Feature) throws {
    try run(
      """
      UPDATE limit_states SET usage = usage - 1 WHERE profile = ? AND feature = ? AND usage > 0
      """, [profile, feature.rawValue])
  }

  /// Deletes a pending use; false when it had ended before.
  @discardableResult
  package func finishPendingUse(id: Int64) throws -> Bool {
    try run("DELETE FROM pending_uses WHERE id = ?", [id]) == 1
  }
}

extension Readable {
  /// The profile's app sessions that an event may still belong to, the earliest first.
  package func appSessions(profile: String) throws -> [AppSession] {
    var counts: [String: [Feature: Int64]] = [:]
    try reader.forEachRow("SELECT * FROM app_session_counts WHERE profile = ?", [profile]) { row in
      let feature: Feature = try row.choice("feature", of: "app_session_counts")
      counts[row["session_id"], default: [:]][feature] = row["performed"]
    }
    return try reader.rows(
      "SELECT * FROM app_sessions WHERE profile = ? ORDER BY started_at, id", [profile]
    ) { row in
      AppSession(
        id: row["id"], startedAt: row.requiredInstant("started_at"),
        lastEventAt: row.requiredInstant("last_event_at"), eventCount: row["event_count"],
        performedCounts: counts[row["id"]] ?? [:])
    }
  }

  package func popupsShownAt(profile: String) throws -> [Feature: Instant] {
    let pairs: [(Feature, Instant)] = try reader.rows(
      "SELECT feature, shown_at FROM open_popups WHERE profile = ?", [profile]
    ) { (try $0.choice("feature", of: "open_popups"), $0.requiredInstant("shown_at")) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}

extension Writer {
  /// Stores the profile's app sessions, replacing all that it had.
  package func save(_ sessions: [AppSession], profile: String) throws {
    try run("DELETE FROM app_sessions WHERE profile = ?", [profile])
    try run("DELETE FROM app_session_counts WHERE profile = ?", [profile])
    for session in sessions {
      try insert(
        into: "app_sessions",
        [
          ("profile", profile), ("id", session.id), ("started_at", session.startedAt.microseconds),
          ("last_event_at", session.lastEventAt.microseconds), ("event_count", session.eventCount),
        ])
      for (feature, count) in session.performedCounts {
        try insert(
          into: "app_session_counts",
          [
            ("profile", profile), ("session_id", session.id), ("feature", feature.rawValue),
            ("performed", count),
          ])
      }
    }
  }

  /// Stores when the feature's open popup was shown; nil closes it.
  package func setPopupShownAt(_ time: Instant?, profile: String, feature: Feature) throws {
    guard let time else {
      try run(
        "DELETE FROM open_popups WHERE profile = ? AND feature = ?", [profile, feature.rawValue])
      return
    }
    try run(
      "INSERT OR REPLACE INTO open_popups (profile, feature, shown_at) VALUES (?, ?, ?)",
      [profile, feature.rawValue, time.microseconds])
  }
}
