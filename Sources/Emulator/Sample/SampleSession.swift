import Model

/// One session of a user: taps, the limits' reactions, and what the user does then.
struct SampleSession {
  private(set) var random: SeededRandom
  private let member: SampleUsage.Member
  private let story: SampleStory
  private let sessionId: String
  private(set) var clock: Instant
  private(set) var states: [Feature: LimitState]
  /// The newest tap, with which a cooldown begins.
  private var tappedAt: Instant
  private let platform: String
  private let isAnonymous: Bool
  /// What the last tap on the filter looked for.
  private var wanted: SampleFilter
  private var log: [Event] = []

  init(
    of member: SampleUsage.Member, from start: Instant, in story: SampleStory,
    random: SeededRandom
  ) {
    self.member = member
    self.story = story
    self.random = random
    (clock, tappedAt) = (start, start)
    states = member.states
    wanted = SampleFilter(of: member.user)
    platform = story.platform(ofId: member.user.id)
    isAnonymous = story.isAnonymous(member.user)
    sessionId = self.random.token(12)
  }

  mutating func events() -> [Event] {
    let taps = 1 + random.index(weights: story.tapWeights)
    var feature = nextFeature(nil)
    for _ in 0..<taps {
      tap(feature)
      feature = nextFeature(feature)
      wait(8...70)
    }
    return log.filter { $0.at <= story.end }
  }

  private mutating func tap(_ feature: Feature) {
    let isFresh = expireCooldown(of: feature)
    if feature == .filter, story.isEventful {
      wanted = SampleFilter(of: member.user, random: &random)
    }
    record(feature, .buttonTapped)
    tappedAt = clock
    switch member.type {
    case .liteSubscriber: bypass(feature, .liteSubscriberBypass)
    case .newUser: bypass(feature, .newUserBypass)
    case .freeUser: decide(feature, isFresh: isFresh)
    }
  }

  private mutating func bypass(_ feature: Feature, _ kind: EventKind) {
    record(feature, kind)
    wait(0...1)
    record(feature, .performed)
  }

  /// Ends an expired cooldown at its end; returns whether there was one.
  private mutating func expireCooldown(of feature: Feature) -> Bool {
    let state = states[feature] ?? .initial
    guard let ended = LimitRule.ended(state, limit: limit(of: feature), now: clock) else {
      return false
    }
    let now = clock
    clock = ended.at
    states[feature] = .initial
    record(feature, .limitReset)
    record(feature, .cooldownCompleted)
    clock = max(now, clock)
    return true
  }

  private mutating func decide(_ feature: Feature, isFresh: Bool) {
    if isFresh {
      perform(feature)
    } else if usage(of: feature) < limit(of: feature).limit {
      showPopup(feature, "available")
      answerOffer(feature)
    } else {
      block(feature)
    }
  }

  private mutating func showPopup(_ feature: Feature, _ reason: String) {
    record(feature, .popupShown, [name("popup_trigger_reason"): .string(reason)])
    record(feature, .pricingDisplayed, shownPrice)
  }

  private var shownPrice: [String: EventValue] {
    [name("subscription_price_displayed"): .string(story.price(for: member.user, at: clock))]
  }

  private mutating func answerOffer(_ feature: Feature) {
    let shownAt = clock
    wait(1...6)
    switch random.integer(0...99) {
    case 0..<84: perform(feature)
    case 84..<97: dismiss(feature, since: shownAt, "available")
    default: subscribe(feature)
    }
  }

  private mutating func block(_ feature: Feature) {
    let runs = states[feature]?.cooldownStartedAt != nil
    let reason = runs ? "cooldown_active" : "limit_reached"
    showPopup(feature, reason)
    if !runs { states[feature, default: .initial].cooldownStartedAt = tappedAt }
    record(feature, runs ? .blockedCooldown : .blockedLimitReached)
    let shownAt = clock
    wait(2...9)
    switch random.integer(0...99) {
    case 0..<13: subscribe(feature)
    case 13..<45: wait(100...150)
    default: dismiss(feature, since: shownAt, reason)
    }
  }

  private mutating func dismiss(_ feature: Feature, since shownAt: Instant, _ reason: String) {
    record(
      feature, .popupDismissed,
      [
        name("popup_trigger_reason"): .string(reason), name("dismiss_reason"): .string("dismissed"),
        name("popup_seconds"): .integer((clock - shownAt).components.seconds),
      ])
  }

  private mutating func subscribe(_ feature: Feature) {
    wait(1...5)
    record(feature, .subscriptionButtonTapped, shownPrice)
  }

  private mutating func perform(_ feature: Feature) {
    states[feature, default: .initial].usage += 1
    record(feature, .performed)
  }

  private func limit(of feature: Feature) -> FeatureLimit {
    FeatureLimit(
      limit: story.limit(of: feature, at: clock), cooldownSeconds: SampleLimits.cooldownSeconds)
  }

  private func usage(of feature: Feature) -> Int { states[feature]?.usage ?? 0 }

  private mutating func nextFeature(_ last: Feature?) -> Feature {
    if let last, random.chance(62) { return last }
    return [Feature.refresh, .filter, .search][random.index(weights: [58, 25, 17])]
  }

  private mutating func wait(_ seconds: ClosedRange<Int>) {
    let microseconds = random.integer(0...999_999)
    clock =
      clock + .seconds(random.integer(seconds))
      + .microseconds(Int64(microseconds))
  }

  private mutating func record(
    _ feature: Feature, _ kind: EventKind, _ more: [String: EventValue] = [:]
  ) {
    clock = clock + .microseconds(Int64(random.integer(900...90_000)))
    let version = story.version(of: member.user, at: clock)
    let limit = story.limit(of: feature, at: clock)
    var parameters: [String: EventValue] = [
      name("user_type"): .string(member.type.rawValue),
      name("current_usage"): .integer(Int64(usage(of: feature))),
      name("usage_limit"): .integer(Int64(limit)),
      name("remaining_cooldown_seconds"): .integer(remainingSeconds(feature)),
      name("conversion_funnel_step"): .string(kind.funnelStep),
      name("session_id"): .string(sessionId),
      name("timestamp"): .double(clock.fractionalUnixSeconds),
      name("app_version"): .string(version),
    ]
    if !isAnonymous { parameters[name("user_id")] = .string(member.user.id) }
    if feature == .filter { parameters.merge(filter(kind)) { _, new in new } }
    parameters.merge(more) { _, new in new }
    log.append(
      Event(
        name: FeatureEventName(platform: platform, feature: feature, kind: kind).text, at: clock,
        userId: isAnonymous ? "" : member.user.id, parameters: parameters,
        country: member.user.country, appVersion: version))
  }

  /// The name of a parameter of the person's platform.
  private func name(_ parameter: String) -> String { "\(platform)_\(parameter)" }

  private mutating func filter(_ kind: EventKind) -> [String: EventValue] {
    let found = kind == .performed ? wanted.found(&random) : nil
    return Dictionary(
      uniqueKeysWithValues: wanted.parameters(found: found).map { (name($0.key), $0.value) })
  }

  private func remainingSeconds(_ feature: Feature) -> Int64 {
    guard let started = states[feature]?.cooldownStartedAt else { return 0 }
    return max(0, (limit(of: feature).cooldown - (clock - started)).wholeSecondsRoundedUp)
  }
}
