import Model

/// Two weeks of taps on refresh, filter and search, as the app would have logged them.
struct UsageDiary {
  private let now: Instant
  private var random: SeededRandom

  /// Sessions a day for each user, on average.
  private static let sessionsPerUser = 0.125
  /// Of 100 who tapped the subscription button, so many went on to subscribe.
  private static let buyers = 35.0

  init(now: Instant, random: SeededRandom) {
    self.now = now
    self.random = random
  }

  /// In no particular order.
  mutating func events(of users: [SampleUser]) -> [Event] {
    guard !users.isEmpty else { return [] }
    var members = users.map { Member($0, random: &random) }
    let weights = members.map(\.weight)
    let daily = Double(users.count) * UsageDiary.sessionsPerUser
    var events: [Event] = []
    for daysAgo in (0..<SampleApp.days).reversed() {
      let growth = 1 + 0.02 * Double(SampleApp.days - daysAgo)
      for _ in 0..<max(1, Int((daily * growth).rounded())) {
        let index = random.index(weights: weights)
        guard let start = start(daysAgo: daysAgo, of: members[index].user) else { continue }
        var session = UsageSession(of: members[index], from: start, until: now, random: random)
        let found = session.events()
        events += found
        random = session.random
        if found.contains(where: \.isSubscriptionTap), random.chance(UsageDiary.buyers) {
          members[index].type = .liteSubscriber
        }
      }
    }
    return events
  }

  /// A moment of that day as the hours of a day and the weekend have it; nil for a quiet one.
  private mutating func start(daysAgo: Int, of user: SampleUser) -> Instant? {
    for _ in 0..<6 {
      let seconds = Int64(daysAgo) * 86_400 + Int64(random.integer(60...86_399))
      let at = now - .microseconds(seconds * 1_000_000 - Int64(random.integer(0...999_999)))
      let isWeekend = at.isWeekend(utcOffsetHours: user.utcOffsetHours)
      let hour = at.localHour(utcOffsetHours: user.utcOffsetHours)
      if random.integer(1...15) <= Rhythm.hours[hour] + (isWeekend ? 3 : 0) { return at }
    }
    return nil
  }
}

extension UsageDiary {
  /// A user with the habits that events depend on.
  struct Member {
    let user: SampleUser
    var type: UserType
    /// How many sessions, compared with others: a few users have most of them.
    let weight: Int

    init(_ user: SampleUser, random: inout SeededRandom) {
      self.user = user
      type =
        switch random.integer(0...99) {
        case 0..<6: .liteSubscriber
        case 6..<14: .newUser
        default: .freeUser
        }
      weight = [0, 1, 2, 4, 12, 40][random.index(weights: [30, 30, 20, 12, 6, 2])]
    }
  }
}

extension Event {
  fileprivate var isSubscriptionTap: Bool { name.hasSuffix("_subscription_button_tapped") }
}
