/// How far the people of a period went towards a subscription: docs/people.md#funnel.
package struct PeopleData: Sendable {
  /// Nested: each stage is a part of the one before it.
  package struct Stages: Hashable, Sendable {
    /// People with an event as a free user in the period.
    package var active: Int
    package var popup: Int
    package var blocked: Int
    /// At or after their first block of the period.
    package var tapped: Int
    /// At or after that tap.
    package var subscribed: Int

    package init(
      active: Int = 0, popup: Int = 0, blocked: Int = 0, tapped: Int = 0, subscribed: Int = 0
    ) {
      self.active = active
      self.popup = popup
      self.blocked = blocked
      self.tapped = tapped
      self.subscribed = subscribed
    }
  }

  package var stages: Stages
  /// Whether any event of the period says who is free and who subscribes.
  package var knowsUserTypes: Bool = true
  /// People active free who tapped the subscription button, blocked before or not.
  package var tappedAtAll: Int
  /// People whose events called them free or new before, and subscribers first in the period.
  package var newSubscribers: Int
  /// People with an event in the period whose user type no followed event has.
  package var untyped: Int = 0
  /// Parameters are read of the people of one in this number of ids; 1 for all.
  package var sampledOneIn: Int = 1

  package init(stages: Stages = Stages(), tappedAtAll: Int = 0, newSubscribers: Int = 0) {
    self.stages = stages
    self.tappedAtAll = tappedAtAll
    self.newSubscribers = newSubscribers
  }
}

/// What people can filter users by.
package enum FilterCriterion: String, CaseIterable, Codable, Sendable {
  case gender, country, language, age, nearby
}

/// Who comes back: docs/people.md#retention.
package struct ActivityData: Sendable {
  /// The people of a civil day and of the days before it.
  package struct Day: Hashable, Sendable {
    package var start: Instant
    package var coverage: DayFacts.Coverage
    package var daily: Int
    /// People of the 7 and of the 28 days that end with this one; nil before the ledger has as many
    /// from its first whole day on.
    package var weekly: Int?
    package var fourWeekly: Int?

    package init(
      start: Instant, coverage: DayFacts.Coverage = .whole, daily: Int, weekly: Int? = nil,
      fourWeekly: Int? = nil
    ) {
      self.start = start
      self.coverage = coverage
      self.daily = daily
      self.weekly = weekly
      self.fourWeekly = fourWeekly
    }
  }

  /// The newest days that are over, oldest first.
  package var days: [Day]
  /// Days that are over and not known whole, oldest first, without those before the first whole
  /// one.
  package var missingDays: [Instant]
  /// People whose account's beginning is known, of all who were seen.
  package var knownAccounts: Int
  package var people: Int

  package init(
    days: [Day] = [], missingDays: [Instant] = [], knownAccounts: Int = 0, people: Int = 0
  ) {
    self.days = days
    self.missingDays = missingDays
    self.knownAccounts = knownAccounts
    self.people = people
  }
}

/// What people filter by, and what they find, in all: docs/people.md#demand.
package struct DemandData: Sendable {
  /// People who tapped the filter in the period, and their taps.
  package var people: Int
  package var taps: Int
  /// Filters that were performed and say how many users they found, and those that found none.
  package var answered: Int
  package var empty: Int
  /// All numbers count the people of one in this number of ids; 1 for all.
  package var sampledOneIn = 1

  package init(people: Int = 0, taps: Int = 0, answered: Int = 0, empty: Int = 0) {
    self.people = people
    self.taps = taps
    self.answered = answered
    self.empty = empty
  }
}

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
    /// Days of each side that are not counted, since lines of them or of their counterparts on the
    /// other side are missing.
    package var leftOut: Int = 0
    /// The first instants of the civil days whose lines are missing, oldest first.
    package var missing: [Instant] = []
    package var before: Side
    package var after: Side
    /// The most days that each side can come to have, since the ledger begins so long before.
    package var longest: Int
    /// Other changes within the two sides, oldest first.
    package var overlapping: [Instant]

    package init(
      at: Instant, changes: [SettingChange], days: Int, before: Side = Side(),
      after: Side = Side(), longest: Int = ExperimentData.longestDays, overlapping: [Instant] = []
    ) {
      self.at = at
      self.changes = changes
      self.days = days
      self.before = before
      self.after = after
      self.longest = longest
      self.overlapping = overlapping
    }

    /// Days of each side that are counted.
    package var countedDays: Int { days - leftOut }
  }

  /// The length of each side of a change, unless less is known.
  package static let longestDays = 14
  /// Changes that have a card at most, the newest ones.
  package static let mostExperiments = 8
  /// How old a change with a card may be.
  package static let oldest = Duration.seconds(60 * 86_400)

  /// Newest first.
  package var experiments: [Experiment]

  package init(experiments: [Experiment] = []) {
    self.experiments = experiments
  }
}
