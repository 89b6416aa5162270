/// What the store knows of the app's users, for the users report.
package struct UsersFacts: Sendable {
  package struct Count: Hashable, Sendable {
    /// As the app wrote it; empty when the documents lack the field.
    package var name: String
    package var count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// Rows of `OnlineUsers`.
  package var total: Int
  /// Each most frequent first; names of equal count in alphabetical order.
  package var genders: [Count]
  package var countries: [Count]
  package var languages: [Count]
  /// Users by age in years; unreadable ages are counted in `unknownAge`.
  package var ages: [Int: Int]
  package var unknownAge: Int
  /// Profiles of the workspace by tier; the app's documents do not tell theirs.
  package var tiers: [Tier: Int]
  /// Users last seen in the 24 hours up to now, by whole hours ago (0 = within the last hour).
  package var seenByHoursAgo: [Int]
  /// Last seen within the last hour, day, week and 30 days, each containing the one before.
  package var seenWithinHour: Int
  package var seenWithinDay: Int
  package var seenWithinWeek: Int
  package var seenWithinMonth: Int
  /// Newest first; at most as many as asked for.
  package var newest: [OnlineUser]
  /// When the users were last fetched with success, by any profile; nil when never.
  package var refreshedAt: Instant?

  package init(
    total: Int, genders: [Count], countries: [Count], languages: [Count], ages: [Int: Int],
    unknownAge: Int, tiers: [Tier: Int] = [:], seenByHoursAgo: [Int], seenWithinHour: Int,
    seenWithinDay: Int,
    seenWithinWeek: Int, seenWithinMonth: Int, newest: [OnlineUser], refreshedAt: Instant?
  ) {
    self.total = total
    self.genders = genders
    self.countries = countries
    self.languages = languages
    self.ages = ages
    self.unknownAge = unknownAge
    self.tiers = tiers
    self.seenByHoursAgo = seenByHoursAgo
    self.seenWithinHour = seenWithinHour
    self.seenWithinDay = seenWithinDay
    self.seenWithinWeek = seenWithinWeek
    self.seenWithinMonth = seenWithinMonth
    self.newest = newest
    self.refreshedAt = refreshedAt
  }
}
