import Model

/// The civil days of a time zone that end with a certain one.
struct CivilDays {
  /// Oldest first, without gaps.
  let starts: [Int64]
  /// Days that are over and whose export has come, whole or not.
  let completeCount: Int
  /// How much the ledger knows of each day.
  let coverage: [DayFacts.Coverage]
  /// The places of the days that begin a week.
  let mondays: [Int]

  /// The most days that are looked at: 74 and the 28 before them.
  static let most = 102

  /// Up to `end` (exclusive), from the day of `first` on, at most `most` days.
  ///
  /// Days that are not among `facts` are known whole.
  init(from first: Instant, to end: Instant, in timeZone: String, facts: [DayFacts] = []) {
    var day = LocalDay(of: end - .microseconds(1), in: timeZone)
    var days = [day]
    while days.count < Self.most, day.start > first {
      day = LocalDay(of: day.start - .microseconds(1), in: timeZone)
      days.append(day)
    }
    self.init(
      days.reversed(), to: end,
      Dictionary(facts.map { ($0.start, $0.coverage) }, uniquingKeysWith: { $1 }))
  }

  private init(_ days: [LocalDay], to end: Instant, _ known: [Instant: DayFacts.Coverage]) {
    starts = days.map(\.start.microseconds)
    coverage = days.map { known[$0.start] ?? .whole }
    completeCount =
      zip(days, coverage).prefix { day, coverage in
        day.end <= end && coverage != .running && coverage != .awaited
      }.count
    mondays = days.indices.filter { days[$0].weekday == 1 }
  }

  /// The first day of which all is known.
  var firstWhole: Int { coverage.firstIndex(of: .whole) ?? coverage.count }

  /// The place of the day of an instant; -1 for an earlier one.
  func place(of microseconds: Int64) -> Int {
    (starts.firstIndex { $0 > microseconds } ?? starts.count) - 1
  }
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
  /// Weeks that the page shows.
  static let mostCohorts = 12
  /// Days of the ledger before the first week: who came in them may have been there before.
  static let daysBeforeCohorts = 14

  func data(firstEventAt: Instant?) -> ActivityData {
    ActivityData(
      days: activeDays(), cohorts: cohorts(), firstEventAt: firstEventAt,
      missingDays: missingDays(), knownAccounts: accountDays.count, people: people.count)
  }

  /// Days from the first whole one on of which something is missing.
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

  private func cohorts() -> [ActivityData.Cohort] {
    let mondays = days.mondays.filter { day in
      day >= Self.daysBeforeCohorts && day + 7 <= days.completeCount
    }
    return mondays.suffix(Self.mostCohorts).map(cohort)
  }

  private func cohort(from monday: Int) -> ActivityData.Cohort {
    let members = people.indices.compactMap { number -> (first: Int, days: UInt128)? in
      let person = people[number]
      guard person.days != 0, !person.flags.contains(.seenEarlier) else { return nil }
      let seen = person.days.trailingZeroBitCount
      let first = min(seen, accountDays[number] ?? seen)
      return (monday..<monday + 7).contains(first) ? (first, person.days) : nil
    }
    /// Nil until the day is over for those who came on Sunday, and without a day that is known whole.
    func returned(after length: Int) -> ActivityData.Returned? {
      guard monday + 6 + length < days.completeCount else { return nil }
      let known = members.filter { days.coverage[$0.first + length] == .whole }
      guard !known.isEmpty || members.isEmpty else { return nil }
      return ActivityData.Returned(
        people: known.count { $0.days >> UInt128($0.first + length) & 1 == 1 }, of: known.count)
    }
    return ActivityData.Cohort(
      weekStart: Instant(microseconds: days.starts[monday]), people: members.count,
      day1: returned(after: 1), day7: returned(after: 7), day30: returned(after: 30))
  }
}
