/// Where people tapped lately, and where before: samples of taps by country.
package struct CountryShares: Hashable, Sendable {
  /// The taps of a span that were looked at.
  package struct Sample: Hashable, Sendable {
    /// Taps of every country, those that name none included.
    package var taps = 0
    /// Distinct users with a tap, those without a known country included.
    package var people = 0
    package var tapsByCountry: [String: Int] = [:]
    package var peopleByCountry: [String: Int] = [:]

    package init() {}
  }

  /// Of the last seven complete days.
  package var recent: Sample
  /// Of the 28 days before them.
  package var earlier: Sample

  package init(recent: Sample = Sample(), earlier: Sample = Sample()) {
    self.recent = recent
    self.earlier = earlier
  }
}
