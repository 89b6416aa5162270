/// What the store knows of the app's users, for the users report.
package struct UsersData: Sendable {
  /// How many users share a gender, a country or a language.
  package struct NamedCount: Hashable, Sendable {
    /// The value that the app wrote; empty when the document lacks the field.
    package var name: String
    package var count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// The number of rows in `OnlineUsers`.
  package var total: Int
  /// Each most frequent first; names of equal count in alphabetical order.
  package var genders: [NamedCount]
  package var countries: [NamedCount]
  package var languages: [NamedCount]
  /// Users by age in years; unreadable ages are counted in `unknownAge`.
  package var ages: [Int: Int]
  package var unknownAge: Int
  /// Profiles of the workspace by tier; the app's documents do not contain the tier of users.
  package var tiers: [Tier: Int]
  /// Accounts of Firebase Authentication by the tier in their claims; nil when no claim says.
  package var accountTiers: [Tier: Int]?
  /// Users last seen in the last 24 hours, by whole hours ago; index 0 is the last hour.
  package var seenByHoursAgo: [Int]
  /// Users last seen within the last hour, day, week and 30 days; each contains the one before.
  package var seenWithinHour: Int
  package var seenWithinDay: Int
  package var seenWithinWeek: Int
  package var seenWithinMonth: Int
  /// Seen last first, up to the requested number.
  package var newest: [OnlineUser]
  /// When any profile last fetched the users successfully; nil when none ever did.
  package var refreshedAt: Instant?
  /// Users online at each load of the days that the report shows, oldest first.
  package var onlineCounts: [OnlineCount] = []
  /// The count of the last load before the report; nil when users were never loaded without a filter.
  package var newestOnlineCount: OnlineCount?

  /// Whether the users are only those whom a load with a most number of documents found.
  package var isSample: Bool { total > 0 && newestOnlineCount?.isSample == true }
  /// Who comes back, and what they look for; nil when nobody asked for it.
  package var activity: ActivityData?
  package var demand: DemandData?

  package init(
    total: Int, genders: [NamedCount], countries: [NamedCount], languages: [NamedCount],
    ages: [Int: Int],
    unknownAge: Int, tiers: [Tier: Int] = [:], accountTiers: [Tier: Int]? = nil,
    seenByHoursAgo: [Int], seenWithinHour: Int,
    seenWithinDay: Int, seenWithinWeek: Int, seenWithinMonth: Int, newest: [OnlineUser],
    refreshedAt: Instant?
  ) {
    self.total = total
    self.genders = genders
    self.countries = countries
    self.languages = languages
    self.ages = ages
    self.unknownAge = unknownAge
    self.tiers = tiers
    self.accountTiers = accountTiers
    self.seenByHoursAgo = seenByHoursAgo
    self.seenWithinHour = seenWithinHour
    self.seenWithinDay = seenWithinDay
    self.seenWithinWeek = seenWithinWeek
    self.seenWithinMonth = seenWithinMonth
    self.newest = newest
    self.refreshedAt = refreshedAt
  }
}
