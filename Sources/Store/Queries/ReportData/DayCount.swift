import Model

/// Counts feature events by civil day, and people once a day, as the events come in time.
struct DayCount {
  private struct User {
    /// Indices of the last days on which the user was active, and was blocked; -1 for none.
    var activeDay: Int32 = -1
    var blockedDay: Int32 = -1
    /// Events of the active day.
    var events = 0
    var wasFree = false
    var hasSubscribed = false
  }

  struct Place {
    let day: Int
    /// Whether the user has no earlier event on that day.
    let isFirst: Bool
  }

  private(set) var days: [DayFacts]
  /// Index of the day at hand.
  private var day = 0
  /// By the number of the user.
  private var users: [User] = []
  /// The users of the day at hand.
  private var active: [Int] = []

  /// Days that follow each other, oldest first.
  init(_ days: [DayFacts]) {
    self.days = days
  }

  /// From the first instant to the one after the last; nil without days.
  var span: Range<Instant>? {
    guard let first = days.first, let last = days.last else { return nil }
    return first.start..<last.end
  }

  /// Counts an event; `user` is nil for an event that names none.
  ///
  /// - Precondition: no event before came later.
  /// - Returns: nil for an event outside the days, or without a user.
  mutating func add(
    _ user: Int?, _ key: BucketCounter.EventKey, at microseconds: Int64
  ) -> Place? {
    guard let day = index(of: microseconds) else { return nil }
    days[day].totals.add(key.kind, by: key.userType)
    guard let user else { return nil }
    while users.count <= user { users.append(User()) }
    var seen = users[user]
    let isFirst = seen.activeDay != day
    if isFirst {
      if seen.activeDay < 0 { days[day].newcomers += 1 }
      seen.activeDay = Int32(day)
      seen.events = 0
      active.append(user)
      days[day].activeUsers += 1
    }
    seen.events += 1
    if key.kind.isBlocked, seen.blockedDay != day {
      seen.blockedDay = Int32(day)
      days[day].blockedUsers += 1
    }
    if key.userType == .liteSubscriber {
      if seen.wasFree, !seen.hasSubscribed { days[day].newSubscribers += 1 }
      seen.hasSubscribed = true
    } else if key.userType != nil {
      seen.wasFree = true
    }
    users[user] = seen
    return Place(day: day, isFirst: isFirst)
  }

  /// Counts events of a day that were counted before; people come by `add(_:on:)`.
  mutating func add(_ count: Int, _ key: BucketCounter.EventKey, on day: Int) {
    days[day].totals.add(key.kind, count, by: key.userType)
  }

  /// Counts what a person did on a day, as all of their events would.
  mutating func add(_ row: PersonDayRow, on day: Int) {
    if day != self.day {
      finish()
      self.day = day
    }
    while users.count <= row.person { users.append(User()) }
    var seen = users[row.person]
    if seen.activeDay < 0 { days[day].newcomers += 1 }
    seen.activeDay = Int32(day)
    seen.events = row.events
    active.append(row.person)
    days[day].activeUsers += 1
    if row.flags.contains(.blocked) { days[day].blockedUsers += 1 }
    if row.flags.contains(.subscriber) {
      let wasFree = seen.wasFree || row.flags.contains(.unsubscribedFirst)
      if wasFree, !seen.hasSubscribed { days[day].newSubscribers += 1 }
      seen.hasSubscribed = true
    }
    if row.flags.contains(.unsubscribed) { seen.wasFree = true }
    users[row.person] = seen
  }

  /// Ends the last day, also after all events.
  mutating func finish() {
    guard !active.isEmpty else { return }
    days[day].concentration = EventConcentration(of: active.map { users[$0].events })
    active = []
  }

  /// Nil for an instant outside the days.
  private mutating func index(of microseconds: Int64) -> Int? {
    while day < days.count, days[day].end.microseconds <= microseconds {
      finish()
      day += 1
    }
    guard day < days.count, days[day].start.microseconds <= microseconds else { return nil }
    return day
  }
}
