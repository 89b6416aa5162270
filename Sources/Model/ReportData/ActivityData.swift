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
