import Model

/// The events of a story about refresh, filter and search, as the app logs them.
struct SampleUsage {
  let story: SampleStory
  private(set) var random: SeededRandom

  /// The events of all users, in no particular order.
  mutating func events(of users: [SampleUser]) -> [Event] {
    guard !users.isEmpty else { return [] }
    var members = users.map { Member($0, in: story, random: &random) }
    var shares = SeededRandom.shares(of: members.map(\.weight))
    let daily = Double(users.count) * story.sessionsPerUser
    var events: [Event] = []
    for daysAgo in (0..<story.days).reversed() {
      if story.isEventful {
        shares = SeededRandom.shares(of: members.map { $0.stay.contains(daysAgo) ? $0.weight : 0 })
      }
      let growth = 1 + story.growth * Double(story.days - daysAgo)
      let count = daily * growth * story.share(ofDayBefore: daysAgo, &random)
      for visit in visits(max(1, Int(count.rounded())), shares, members, daysAgo) {
        let start = max(visit.start, members[visit.member].freeAt)
        // Nobody's counters move in hours that the export lacks, since the ledger cannot show those
        // uses.
        guard start < story.end, story.isExported(start),
          !story.isAway(members[visit.member].user.country, at: start)
        else { continue }
        members[visit.member].renews(chance: story.lapses, &random)
        var session = SampleSession(
          of: members[visit.member], from: start, in: story, random: random)
        let found = session.events()
        events += found
        random = session.random
        members[visit.member].states = session.states
        members[visit.member].leaves(at: session.clock)
        if found.contains(where: \.isSubscriptionTap), random.chance(story.buyers) {
          members[visit.member].type = .liteSubscriber
        }
      }
    }
    return events
  }

  private struct Visit {
    var member: Int
    var start: Instant
  }

  /// The visits of a day, in the order of time.
  private mutating func visits(
    _ count: Int, _ shares: [Int], _ members: [Member], _ daysAgo: Int
  ) -> [Visit] {
    var visits: [Visit] = []
    let newcomers = members.indices.filter { members[$0].stay.upperBound == daysAgo }
    for position in 0..<(count + newcomers.count) {
      let index = position < newcomers.count ? newcomers[position] : random.index(in: shares)
      guard let start = start(daysAgo: daysAgo, of: members[index].user) else { continue }
      visits.append(Visit(member: index, start: start))
    }
    return visits.sorted { ($0.start, $0.member) < ($1.start, $1.member) }
  }

  /// A time on that day, more likely in active hours and on weekends; nil for no session.
  private mutating func start(daysAgo: Int, of user: SampleUser) -> Instant? {
    for _ in 0..<6 {
      let seconds = Int64(daysAgo) * 86_400 + Int64(random.integer(60...86_399))
      let at = story.end - .microseconds(seconds * 1_000_000 - Int64(random.integer(0...999_999)))
      let isWeekend = at.isWeekend(utcOffsetHours: user.utcOffsetHours)
      let hour = at.localHour(utcOffsetHours: user.utcOffsetHours)
      if random.integer(1...15) <= DailyActivity.hours[hour] + (isWeekend ? 3 : 0) { return at }
    }
    return nil
  }
}

extension SampleUsage {
  struct Member {
    let user: SampleUser
    var type: UserType
    /// The relative number of sessions; a few users have most of them.
    let weight: Int
    /// The limits as the last visit left them.
    var states: [Feature: LimitState] = [:]
    /// The earliest start of the next visit, so that visits do not overlap.
    var freeAt = Instant(unixSeconds: 0)

    /// The days before the end of the story on which the user may come.
    let stay: ClosedRange<Int>
    /// Whether the user's first visit is part of the story.
    private var arrives = false

    init(_ user: SampleUser, in story: SampleStory, random: inout SeededRandom) {
      self.user = user
      type =
        switch random.integer(0...99) {
        case 0..<6: .liteSubscriber
        case 6..<14: .newUser
        default: .freeUser
        }
      weight = story.visitWeights[random.index(weights: [30, 30, 20, 12, 6, 2])]
      stay = story.isEventful ? story.stay(&random) : 0...story.days
      guard story.isEventful else { return }
      arrives = stay.upperBound < story.days && !story.isAnonymous(user)
      type = arrives ? .newUser : type == .newUser ? .freeUser : type
    }

    /// Makes a subscriber a free user again, with a chance in percent.
    mutating func renews(chance: Double, _ random: inout SeededRandom) {
      guard chance > 0, type == .liteSubscriber, random.chance(chance) else { return }
      type = .freeUser
    }

    /// Ends a visit; who arrived comes again when the free period of new users is over.
    mutating func leaves(at clock: Instant) {
      let isArrival = arrives && type == .newUser
      freeAt = clock + (isArrival ? SampleLimits.freePeriod : .seconds(60))
      if isArrival { type = .freeUser }
    }
  }
}

extension Event {
  fileprivate var isSubscriptionTap: Bool { name.hasSuffix("_subscription_button_tapped") }
}

/// How active people are in a chat app over a day.
enum DailyActivity {
  /// The activity in each local hour, from 1 (asleep) to 12 (after dinner).
  static let hours = [
    5, 3, 2, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 6, 5, 5, 6, 7, 9, 10, 11, 12, 11, 8,
  ]
}

extension Instant {
  /// The local hour, 0 to 23.
  func localHour(utcOffsetHours: Int) -> Int {
    let hours = Int(unixSeconds / 3600) + utcOffsetHours
    return ((hours % 24) + 24) % 24
  }

  /// Whether it is Saturday or Sunday; 1970-01-01 was a Thursday.
  func isWeekend(utcOffsetHours: Int) -> Bool {
    let day = (unixSeconds + Int64(utcOffsetHours) * 3600) / 86_400
    return [2, 3].contains(day % 7)
  }
}
