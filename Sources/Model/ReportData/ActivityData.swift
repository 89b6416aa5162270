/// Who comes back: docs/people.md#retention.
package struct ActivityData: Sendable {
  /// The people of a civil day and of the days before it.
  package struct Day: Hashable, Sendable {
    package var start: Instant
    package var daily: Int
    /// People of the 7 and of the 28 days that end with this one; nil before the ledger has as many.
    package var weekly: Int?
    package var fourWeekly: Int?

    package init(start: Instant, daily: Int, weekly: Int? = nil, fourWeekly: Int? = nil) {
      self.start = start
      self.daily = daily
      self.weekly = weekly
      self.fourWeekly = fourWeekly
    }
  }

  /// The people first seen in a week that begins on Monday.
  package struct Cohort: Hashable, Sendable {
    package var weekStart: Instant
    package var people: Int
    /// Seen again on the 1st, 7th and 30th day after their first; nil until that day is over for
    /// all.
    package var day1: Int?
    package var day7: Int?
    package var day30: Int?

    package init(weekStart: Instant, people: Int, day1: Int?, day7: Int?, day30: Int?) {
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

  package init(days: [Day] = [], cohorts: [Cohort] = [], firstEventAt: Instant? = nil) {
    self.days = days
    self.cohorts = cohorts
    self.firstEventAt = firstEventAt
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
