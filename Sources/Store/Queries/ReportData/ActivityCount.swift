import Model

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
