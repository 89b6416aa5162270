import Model

/// Counts feature events by civil day, and people once a day, as the events come in time.
struct DayCount {
  private struct User {
    /// Indices of the last days on which the user was active, and was blocked; -1 for none.
    var activeDay: Int32 = -1
    var blockedDay: Int32 = -1
    var wasFree = false
    var hasSubscribed = false
  }

  private(set) var days: [DayFacts]
  /// Index of the day at hand.
  private var day = 0
  /// By the number of the user.
  private var users: [User] = []

  /// Days that follow each other, oldest first; `now` is in the last one that can be running.
  init(_ days: [Range<Instant>], now: Instant) {
    self.days = days.map { day in
      DayFacts(
        start: day.lowerBound, end: day.upperBound,
        coverage: day.upperBound > now ? .running : .whole)
    }
  }

  /// From the first instant to the one after the last; nil without days.
  var span: Range<Instant>? {
    guard let first = days.first, let last = days.last else { return nil }
    return first.start..<last.end
  }

  /// Counts an event; `user` is nil for an event that names none.
  ///
  /// - Precondition: no event before came later.
  mutating func add(_ user: Int?, _ event: BucketCounter.EventKey, at microseconds: Int64) {
    guard let day = index(of: microseconds) else { return }
    Self.count(event, in: &days[day])
    guard let user else { return }
    while users.count <= user { users.append(User()) }
    if users[user].activeDay != day {
      users[user].activeDay = Int32(day)
      days[day].activeUsers += 1
    }
    if event.kind.isBlocked, users[user].blockedDay != day {
      users[user].blockedDay = Int32(day)
      days[day].blockedUsers += 1
    }
    if event.userType == .liteSubscriber {
      if users[user].wasFree, !users[user].hasSubscribed { days[day].newSubscribers += 1 }
      users[user].hasSubscribed = true
    } else if event.userType != nil {
      users[user].wasFree = true
    }
  }

  /// Static: an instance that reads itself meanwhile would hold the days, and each event copy them.
  private static func count(_ event: BucketCounter.EventKey, in day: inout DayFacts) {
    switch event.kind {
    case .buttonTapped:
      day.taps += 1
      if UserType.canBeBlocked(event.userType) { day.freeTaps += 1 }
    case .popupShown: day.popups += 1
    case .popupDismissed: day.dismissed += 1
    case .performed: day.performed += 1
    case .blockedLimitReached, .blockedCooldown: day.blocked += 1
    case .subscriptionButtonTapped: day.subscriptionTaps += 1
    case .pricingDisplayed, .newUserBypass, .liteSubscriberBypass, .limitReset,
      .cooldownCompleted, .clockSkew:
      break
    }
  }

  /// Nil for an instant outside the days.
  private mutating func index(of microseconds: Int64) -> Int? {
    while day < days.count, days[day].end.microseconds <= microseconds { day += 1 }
    guard day < days.count, days[day].start.microseconds <= microseconds else { return nil }
    return day
  }
}
