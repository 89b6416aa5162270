/// What people did before and after the settings changed: docs/people.md#experiments.
package struct ExperimentData: Sendable {
  /// The people of one side of a change, or with one limit.
  package struct Side: Hashable, Sendable {
    /// People with an event as a free user.
    package var people: Int
    /// Of them, those who were blocked, and those who tapped the subscription button.
    package var blocked: Int
    package var tapped: Int

    package init(people: Int = 0, blocked: Int = 0, tapped: Int = 0) {
      self.people = people
      self.blocked = blocked
      self.tapped = tapped
    }
  }

  /// Settings that changed at the same time.
  package struct Experiment: Hashable, Sendable {
    package var at: Instant
    package var changes: [SettingChange]
    /// The length of each side in whole days, at most `longestDays`; 0 when none is over.
    package var days: Int
    /// Days of each side that are in no number, since lines of them or of their counterparts on the
    /// other side are missing.
    package var leftOut: Int
    /// The first instants of the civil days whose lines are missing, oldest first.
    package var missing: [Instant]
    package var before: Side
    package var after: Side
    /// Other changes within the two sides, oldest first.
    package var overlapping: [Instant]

    package init(
      at: Instant, changes: [SettingChange], days: Int, leftOut: Int = 0, missing: [Instant] = [],
      before: Side = Side(), after: Side = Side(), overlapping: [Instant] = []
    ) {
      self.at = at
      self.changes = changes
      self.days = days
      self.leftOut = leftOut
      self.missing = missing
      self.before = before
      self.after = after
      self.overlapping = overlapping
    }

    /// Days of each side that are counted.
    package var countedDays: Int { days - leftOut }
  }

  /// Two limits of a feature that events carried at the same time.
  package struct LimitSplit: Hashable, Sendable {
    package var feature: Feature
    /// From the later first event of the two limits to the earlier last one.
    package var start: Instant
    package var end: Instant
    package var lowerLimit: Int
    package var higherLimit: Int
    /// People whose popups had that limit alone.
    package var lower: Side
    package var higher: Side
    /// People whose popups had both, who are in neither.
    package var seenWithBoth: Int

    package init(
      feature: Feature, start: Instant, end: Instant, lowerLimit: Int, higherLimit: Int,
      lower: Side, higher: Side, seenWithBoth: Int
    ) {
      self.feature = feature
      self.start = start
      self.end = end
      self.lowerLimit = lowerLimit
      self.higherLimit = higherLimit
      self.lower = lower
      self.higher = higher
      self.seenWithBoth = seenWithBoth
    }
  }

  /// The length of each side of a change, unless less is known.
  package static let longestDays = 14

  /// Newest first.
  package var experiments: [Experiment]
  /// By feature.
  package var splits: [LimitSplit]
  /// The splits count the people of one in so many ids; 1 for all.
  package var sampledOneIn: Int

  package init(
    experiments: [Experiment] = [], splits: [LimitSplit] = [], sampledOneIn: Int = 1
  ) {
    self.experiments = experiments
    self.splits = splits
    self.sampledOneIn = sampledOneIn
  }
}
