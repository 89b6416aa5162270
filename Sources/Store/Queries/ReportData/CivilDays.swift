import Model

/// The civil days of a time zone that end with a certain one.
struct CivilDays {
  /// Oldest first, without gaps.
  let starts: [Int64]
  /// Days that are over; the last one may be running.
  let completeCount: Int
  /// The places of the days that begin a week.
  let mondays: [Int]

  /// The most days that are looked at: 74 and the 28 before them.
  static let most = 102

  /// Up to `end` (exclusive), from the day of `first` on, at most `most` days.
  init(from first: Instant, to end: Instant, in timeZone: String) {
    var day = LocalDay(of: end - .microseconds(1), in: timeZone)
    var days = [day]
    while days.count < Self.most, day.start > first {
      day = LocalDay(of: day.start - .microseconds(1), in: timeZone)
      days.append(day)
    }
    self.init(days.reversed(), to: end)
  }

  private init(_ days: [LocalDay], to end: Instant) {
    starts = days.map(\.start.microseconds)
    completeCount = days.count { $0.end <= end }
    mondays = days.indices.filter { days[$0].weekday == 1 }
  }
}

/// What the days on which people were seen say of their coming back: docs/people.md#retention.
struct ActivityCount {
  let people: [PeopleCount.Person]
  let days: CivilDays

  /// Days that the page shows.
  static let shownDays = 28
  /// Weeks that the page shows.
  static let mostCohorts = 12
  /// Days of the ledger before the first week: who came in them may have been there before.
  static let daysBeforeCohorts = 14

  func data(firstEventAt: Instant?) -> ActivityData {
    ActivityData(days: activeDays(), cohorts: cohorts(), firstEventAt: firstEventAt)
  }

  private func activeDays() -> [ActivityData.Day] {
    (max(0, days.completeCount - Self.shownDays)..<days.completeCount).map { day in
      func people(ofLast length: Int) -> Int? {
        guard day + 1 >= length else { return nil }
        let mask = ((1 as UInt128) << UInt128(length) - 1) << UInt128(day + 1 - length)
        return self.people.count { $0.days & mask != 0 }
      }
      return ActivityData.Day(
        start: Instant(microseconds: days.starts[day]), daily: people(ofLast: 1) ?? 0,
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
    let members = people.filter { person in
      person.days != 0 && !person.flags.contains(.seenEarlier)
        && (monday..<monday + 7).contains(person.days.trailingZeroBitCount)
    }
    /// Nil until the day is over for those who came on Sunday.
    func returned(after length: Int) -> Int? {
      guard monday + 6 + length < days.completeCount else { return nil }
      return members.count { $0.days >> UInt128($0.days.trailingZeroBitCount + length) & 1 == 1 }
    }
    return ActivityData.Cohort(
      weekStart: Instant(microseconds: days.starts[monday]), people: members.count,
      day1: returned(after: 1), day7: returned(after: 7), day30: returned(after: 30))
  }
}
