/// What the store knows of the App Store's reviews, for the ratings report.
package struct ReviewFacts: Sendable {
  /// Reviews of one version in one country.
  package struct Group: Hashable, Sendable {
    /// Two lower-case letters of ISO 3166-1.
    package var country: String
    /// Empty when the feed does not say.
    package var version: String
    /// By stars: index 0 for one star.
    package var counts: [Int]
    /// Those of the period, and of the one before it, likewise.
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

  /// In the order of country and version.
  package var groups: [Group]
  /// Newest first; at most as many as asked for.
  package var newest: [AppReview]
  /// When the feeds were last read with success.
  package var fetchedAt: Instant

  package init(groups: [Group], newest: [AppReview], fetchedAt: Instant) {
    self.groups = groups
    self.newest = newest
    self.fetchedAt = fetchedAt
  }
}
