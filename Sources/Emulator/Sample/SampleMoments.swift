import Model

/// The moments that people of an eventful story log, the quotas that refuse some of them, and the
/// paywalls that follow.
struct SampleMoments {
  let story: SampleStory
  /// Apart, so that it changes no other draw.
  private var random: SeededRandom

  init(story: SampleStory, seed: UInt64) {
    self.story = story
    random = SeededRandom(seed: seed, stream: 7)
  }

  /// `arrivals` say when people came, and when they subscribed.
  mutating func events(of users: [SampleUser], _ arrivals: SampleArrivals) -> [Event] {
    guard story.isEventful else { return [] }
    var events: [Event] = []
    for user in users where !story.isAnonymous(user) && random.chance(30) {
      guard let arrival = arrivals[user.id] else { continue }
      events += self.events(of: user, arrival)
    }
    return events
  }

  /// One person's: moments on some days, and the subscription after the first paywall.
  private mutating func events(
    of user: SampleUser, _ arrival: SampleArrivals.Arrival
  ) -> [Event] {
    var events: [Event] = []
    var total = 0
    var firstPaywall: Instant?
    for daysAgo in (1...story.days).reversed() where random.chance(4) {
      let midnight = story.end - .seconds(daysAgo * 86_400)
      var at = midnight + .seconds(random.integer(28_800...64_800))
      guard at >= arrival.at else { continue }
      for today in 0...random.index(weights: [35, 25, 18, 14, 8]) {
        at = at + .seconds(random.integer(40...2_400))
        let isFree = !arrival.isSubscriber(at: at)
        let trigger = isFree ? Self.refusal(today: today, total: total) : nil
        for kind in trigger == nil ? [MomentEvent.added] : [.refused, .paywallShown] {
          let counts: [(MomentEvent.Parameter, Int)] = [(.countToday, today), (.countTotal, total)]
          events.append(event(kind, of: user, at: at, isFree ? .free : .lite, counts, trigger))
        }
        guard trigger == nil else {
          firstPaywall = firstPaywall ?? at
          break
        }
        total += 1
      }
    }
    let upgrade = arrival.changes.first { change in
      change.isSubscriber && firstPaywall.map { change.at > $0 } ?? false
    }
    return events
      + (upgrade.map { [event(.tierChanged, of: user, at: $0.at, .lite, [], nil)] } ?? [])
  }

  /// The trigger of the paywall; nil while no quota is reached.
  private static func refusal(today: Int, total: Int) -> Paywall.Trigger? {
    let allowance = MomentAllowance.builtIn
    if total >= allowance.freeTotal { return .totalLimitReached }
    return today >= allowance.freePerDay ? .dailyLimitReached : nil
  }

  private func event(
    _ kind: MomentEvent, of user: SampleUser, at: Instant, _ tier: Tier,
    _ counts: [(MomentEvent.Parameter, Int)], _ trigger: Paywall.Trigger?
  ) -> Event {
    let platform = story.platform(ofId: user.id)
    var values: [MomentEvent.Parameter: EventValue] = [.tier: .string(tier.rawValue)]
    for (name, count) in counts { values[name] = .integer(Int64(count)) }
    values[.trigger] = trigger.map { .string($0.rawValue) }
    if kind == .tierChanged { values[.previousTier] = .string(Tier.free.rawValue) }
    return Event(
      name: kind.rawValue, at: at, userId: user.id,
      parameters: Dictionary(
        uniqueKeysWithValues: values.map { ("\(platform)_\($0.key.rawValue)", $0.value) }),
      country: user.country, appVersion: story.version(of: user, at: at), platform: platform)
  }
}
