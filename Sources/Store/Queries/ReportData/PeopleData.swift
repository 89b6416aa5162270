package import Model

/// How far the people of a period went towards a subscription: docs/people.md#funnel.
package struct PeopleData: Sendable {
  /// Nested: each stage is a part of the one before it.
  package struct Stages: Hashable, Sendable {
    /// People with an event as a free user in the period.
    package var active: Int = 0
    package var popup: Int = 0
    package var blocked: Int = 0
    /// At or after their first block of the period.
    package var tapped: Int = 0
    /// At or after that tap.
    package var subscribed: Int = 0
  }

  package var stages: Stages = Stages()
  /// Whether any event of the period says who is free and who subscribes.
  package var knowsUserTypes: Bool = true
  /// People active free who tapped the subscription button, blocked before or not.
  package var tappedAtAll: Int = 0
  /// People whose events called them free or new before, and subscribers first in the period.
  package var newSubscribers: Int = 0
  /// People with an event in the period whose user type no followed event has.
  package var untyped: Int = 0
  /// Parameters are read of the people of one in this number of ids; 1 for all.
  package var sampledOneIn: Int = 1
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
    package var coverage: DayFacts.Coverage = .whole
    package var daily: Int
    /// People of the 7 and of the 28 days that end with this one; nil before the ledger has as many
    /// from its first whole day on.
    package var weekly: Int?
    package var fourWeekly: Int?
  }

  /// The newest days that are over, oldest first.
  package var days: [Day] = []
  /// Days that are over and not known whole, oldest first, without those before the first whole
  /// one.
  package var missingDays: [Instant] = []
  /// People whose account's beginning is known, of all who were seen.
  package var knownAccounts: Int = 0
  package var people: Int = 0
}

/// What people filter by, and what they find, in all: docs/people.md#demand.
package struct DemandData: Sendable {
  /// People who tapped the filter in the period, and their taps.
  package var people: Int = 0
  package var taps: Int = 0
  /// Filters that were performed and say how many users they found, and those that found none.
  package var answered: Int = 0
  package var empty: Int = 0
  /// All numbers count the people of one in this number of ids; 1 for all.
  package var sampledOneIn = 1
}

/// What people did before and after the settings changed: docs/people.md#experiments.
package struct ExperimentData: Sendable {
  /// The people of one side of a change, or with one limit.
  package struct Side: Hashable, Sendable {
    /// People with an event as a free user.
    package var people: Int = 0
    /// Of them, those who were blocked, and those who tapped the subscription button.
    package var blocked: Int = 0
    package var tapped: Int = 0
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
    package var before: Side = Side()
    package var after: Side = Side()
    /// The most days that each side can come to have, since the ledger begins so long before.
    package var longest: Int = ExperimentData.longestDays
    /// Other changes within the two sides, oldest first.
    package var overlapping: [Instant] = []

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
  package var experiments: [Experiment] = []
}

/// What the days on which people were seen say of their coming back: docs/people.md#retention.
struct ActivityCount {
  let people: [PeopleCount.Person]
  let days: CivilDays
  /// The days on which people's accounts were made, by the number of the person; -1 for days before
  /// the first one.
  var accountDays: [Int: Int] = [:]

  /// Days that the page shows.
  static let shownDays = 28

  var data: ActivityData {
    ActivityData(
      days: activeDays(), missingDays: missingDays(),
      knownAccounts: accountDays.keys.count { people.indices.contains($0) && people[$0].wasMet },
      people: people.count(where: \.wasMet))
  }

  /// Days from the first whole one on that have something missing.
  private func missingDays() -> [Instant] {
    (min(days.firstWhole, days.completeCount)..<days.completeCount)
      .filter { days.coverage[$0] != .whole }.map { Instant(microseconds: days.starts[$0]) }
  }

  private func activeDays() -> [ActivityData.Day] {
    (max(0, days.completeCount - Self.shownDays)..<days.completeCount).map { day in
      func people(ofLast length: Int) -> Int? {
        guard day + 1 - length >= days.firstWhole else { return nil }
        let mask = ((1 as UInt128) << UInt128(length) - 1) << UInt128(day + 1 - length)
        return self.people.count { $0.days & mask != 0 }
      }
      return ActivityData.Day(
        start: Instant(microseconds: days.starts[day]), coverage: days.coverage[day],
        daily: self.people.count { $0.days >> UInt128(day) & 1 == 1 },
        weekly: people(ofLast: 7), fourWeekly: people(ofLast: 28))
    }
  }
}
