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

  /// The people of a country or with a criterion.
  package struct Group: Hashable, Sendable {
    /// Empty when the events do not say.
    package var name: String
    package var stages: Stages

    package init(name: String, stages: Stages) {
      self.name = name
      self.stages = stages
    }
  }

  /// The people who saw a popup with so many uses left.
  package struct Attempt: Hashable, Sendable {
    /// 0 for a popup at the limit.
    package var left: Int
    package var people: Int
    /// Of them, those who tapped the subscription button with as many left.
    package var tapped: Int

    package init(left: Int, people: Int, tapped: Int) {
      self.left = left
      self.people = people
      self.tapped = tapped
    }
  }

  package var stages: Stages
  /// Whether any event of the period says who is free and who subscribes.
  package var knowsUserTypes: Bool
  /// People active free who tapped the subscription button, blocked before or not.
  package var tappedAtAll: Int
  /// People whose events called them free or new before, and subscribers first in the period.
  package var newSubscribers: Int
  /// Seconds from the first tap to the first block, ascending, of people blocked later than at it.
  package var blockDelays: [Int]
  /// People whose first tap of the period was blocked.
  package var blockedAtFirstTap: Int
  /// What follows counts the people of one in so many ids; 1 for all.
  package var sampledOneIn: Int
  /// Fewest uses left first.
  package var attempts: [Attempt]
  /// Most people first, then by name.
  package var countries: [Group]
  /// Those who filtered by it, in the order of `FilterCriterion`; none comes last.
  package var criteria: [Group]

  package init(
    stages: Stages = Stages(), knowsUserTypes: Bool = true, tappedAtAll: Int = 0,
    newSubscribers: Int = 0, blockDelays: [Int] = [], blockedAtFirstTap: Int = 0,
    sampledOneIn: Int = 1, attempts: [Attempt] = [], countries: [Group] = [],
    criteria: [Group] = []
  ) {
    self.stages = stages
    self.knowsUserTypes = knowsUserTypes
    self.tappedAtAll = tappedAtAll
    self.newSubscribers = newSubscribers
    self.blockDelays = blockDelays
    self.blockedAtFirstTap = blockedAtFirstTap
    self.sampledOneIn = sampledOneIn
    self.attempts = attempts
    self.countries = countries
    self.criteria = criteria
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

  /// People who were seen again on a day, of those of whom that day is known whole.
  package struct Returned: Hashable, Sendable {
    package var people: Int
    package var of: Int

    package init(people: Int, of: Int) {
      self.people = people
      self.of = of
    }
  }

  /// The people who came in a week that begins on Monday: by their accounts, else by their first
  /// event.
  package struct Cohort: Hashable, Sendable {
    package var weekStart: Instant
    package var people: Int
    /// Seen again on the 1st, 7th and 30th day after their first; nil until that day is over for
    /// all, and when it is known whole for nobody.
    package var day1: Returned?
    package var day7: Returned?
    package var day30: Returned?

    package init(
      weekStart: Instant, people: Int, day1: Returned?, day7: Returned?, day30: Returned?
    ) {
      self.weekStart = weekStart
      self.people = people
      self.day1 = day1
      self.day7 = day7
      self.day30 = day30
    }
  }

  /// The newest days that are over, oldest first.
  package var days: [Day]
  /// Oldest first; without the weeks whose people may have been there before the ledger.
  package var cohorts: [Cohort]
  /// The oldest event that was looked at; nil without events.
  package var firstEventAt: Instant?
  /// Days that are over and not known whole, oldest first, without those before the first whole one.
  package var missingDays: [Instant]
  /// People whose account's beginning is known, of all who were seen.
  package var knownAccounts: Int
  package var people: Int

  package init(
    days: [Day] = [], cohorts: [Cohort] = [], firstEventAt: Instant? = nil,
    missingDays: [Instant] = [], knownAccounts: Int = 0, people: Int = 0
  ) {
    self.days = days
    self.cohorts = cohorts
    self.firstEventAt = firstEventAt
    self.missingDays = missingDays
    self.knownAccounts = knownAccounts
    self.people = people
  }
}

/// What people filter by, and what they find: docs/people.md#demand.
package struct DemandData: Sendable {
  /// Filters by the same criteria.
  package struct Combination: Hashable, Sendable {
    /// In the order of `FilterCriterion`; empty for a filter without criteria.
    package var criteria: [FilterCriterion]
    /// Taps on the filter.
    package var taps: Int
    package var people: Int
    /// Filters that were performed and say how many users they found, and those that found none.
    package var answered: Int
    package var empty: Int

    package init(
      criteria: [FilterCriterion], taps: Int, people: Int, answered: Int, empty: Int
    ) {
      self.criteria = criteria
      self.taps = taps
      self.people = people
      self.answered = answered
      self.empty = empty
    }
  }

  /// People who filtered for a gender or a country.
  package struct Wanted: Hashable, Sendable {
    /// As the first event that names it writes it.
    package var name: String
    package var people: Int

    package init(name: String, people: Int) {
      self.name = name
      self.people = people
    }
  }

  /// People who tapped the filter in the period.
  package var people: Int
  /// Most taps first.
  package var combinations: [Combination]
  /// Most people first, then by name.
  package var genders: [Wanted]
  package var countries: [Wanted]
  /// All numbers count the people of one in so many ids; 1 for all.
  package var sampledOneIn: Int

  package init(
    people: Int = 0, combinations: [Combination] = [], genders: [Wanted] = [],
    countries: [Wanted] = [], sampledOneIn: Int = 1
  ) {
    self.people = people
    self.combinations = combinations
    self.genders = genders
    self.countries = countries
    self.sampledOneIn = sampledOneIn
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
