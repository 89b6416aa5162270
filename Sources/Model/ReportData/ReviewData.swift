/// What the store knows of the App Store's reviews, for the ratings report.
package struct ReviewData: Sendable {
  /// Reviews of one version in one country.
  package struct Group: Hashable, Sendable {
    /// Two lower-case letters of ISO 3166-1.
    package var country: String
    /// Empty when the feed does not name it.
    package var version: String
    /// By stars: index 0 for one star.
    package var counts: [Int]
    /// The counts of the period and of the one before it, also by stars.
    package var periodCounts: [Int]
    package var previousCounts: [Int]

    package init(
      country: String, version: String, counts: [Int], periodCounts: [Int], previousCounts: [Int]
    ) {
      self.country = country
      self.version = version
      self.counts = counts
      self.periodCounts = periodCounts
      self.previousCounts = previousCounts
    }
  }

  /// Ordered by country, then version.
  package var groups: [Group]
  /// Newest first, up to the requested number.
  package var newest: [AppReview]
  /// When the feeds were last read successfully.
  package var fetchedAt: Instant

  package init(groups: [Group], newest: [AppReview], fetchedAt: Instant) {
    self.groups = groups
    self.newest = newest
    self.fetchedAt = fetchedAt
  }
}
