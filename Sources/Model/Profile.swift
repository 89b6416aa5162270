/// One signed-in app user whose session the workspace holds.
package struct Profile: Hashable, Sendable {
  /// What `--profile` names; `default` unless told.
  package var name: String
  /// The user's own id in Firestore; nil until it is set.
  ///
  /// A sync never lists this user among the users online.
  package var userId: String?
  package var tier: Tier
  package var city: String?
  package var gender: String?
  package var country: String?
  package var appVersion: String?
  /// Nil or the epoch: unknown, so no new-user grace.
  package var firstAccountCreatedAt: Instant?
  /// IANA name; decides where a calendar day ends.
  package var timeZone: String
  /// Overrides the workspace's price in popups, for example `$2.99/week`.
  package var price: String?
  package var filter: UserFilter
  /// When the users were last fetched with success; nil when never, or reset by `filter clear`.
  package var usersRefreshedAt: Instant?
  package var rating: RatingCounters

  package init(
    name: String = Profile.defaultName, userId: String? = nil, tier: Tier = .free,
    city: String? = nil, gender: String? = nil, country: String? = nil, appVersion: String? = nil,
    firstAccountCreatedAt: Instant? = nil, timeZone: String = "UTC", price: String? = nil,
    filter: UserFilter = .none, usersRefreshedAt: Instant? = nil,
    rating: RatingCounters = RatingCounters()
  ) {
    self.name = name
    self.userId = userId
    self.tier = tier
    self.city = city
    self.gender = gender
    self.country = country
    self.appVersion = appVersion
    self.firstAccountCreatedAt = firstAccountCreatedAt
    self.timeZone = timeZone
    self.price = price
    self.filter = filter
    self.usersRefreshedAt = usersRefreshedAt
    self.rating = rating
  }

  package static let defaultName = "default"
}

/// What decides whether a profile is asked for a rating.
package struct RatingCounters: Hashable, Codable, Sendable {
  /// Messages the user sent since the counters were last reset.
  package var sent: Int64
  /// Messages of others that the user received since then.
  package var received: Int64
  /// How often a low rating was given.
  package var tries: Int64

  package init(sent: Int64 = 0, received: Int64 = 0, tries: Int64 = 0) {
    self.sent = sent
    self.received = received
    self.tries = tries
  }
}
