/// A feature with a cooldown limit of its own.
package enum Feature: String, CaseIterable, Codable, Sendable {
  case refresh, filter, search
  /// Limited only when the settings name a limit for them.
  case message, conversation

  /// The place in `allCases`, for arrays by feature.
  package var position: Int {
    switch self {
    case .refresh: 0
    case .filter: 1
    case .search: 2
    case .message: 3
    case .conversation: 4
    }
  }

  /// Without this, its name would be hashed.
  package func hash(into hasher: inout Hasher) { hasher.combine(position) }
}

extension Feature {
  package var limitKey: SettingKey { Self.keys[position].limit }
  package var cooldownKey: SettingKey { Self.keys[position].cooldown }

  /// By `position`.
  private static let keys: [(limit: SettingKey, cooldown: SettingKey)] = allCases.map { feature in
    func key(_ role: SettingDescriptor.Role) -> SettingKey {
      guard let row = SettingDescriptor.all.first(where: { $0.role == role }) else {
        preconditionFailure("no setting is the \(role)")
      }
      return row.key
    }
    return (key(.limit(of: feature)), key(.cooldown(of: feature)))
  }
}

/// How often a feature may be used before a cooldown.
package struct FeatureLimit: Hashable, Codable, Sendable {
  package var limit: Int
  package var cooldownSeconds: Int

  package init(limit: Int, cooldownSeconds: Int) {
    (self.limit, self.cooldownSeconds) = (limit, cooldownSeconds)
  }

  package var cooldown: Duration { .seconds(cooldownSeconds) }
}

package struct LimitState: Hashable, Codable, Sendable {
  /// Counted uses since the last reset.
  package var usage: Int
  /// The start of the running cooldown; nil when none runs.
  package var cooldownStartedAt: Instant?
  /// A cooldown ended since the last attempt, so the next one acts at once, without a popup.
  package var isFresh: Bool

  package init(usage: Int = 0, cooldownStartedAt: Instant? = nil, isFresh: Bool = false) {
    self.usage = usage
    self.cooldownStartedAt = cooldownStartedAt
    self.isFresh = isFresh
  }

  package static let initial = LimitState()
}

package enum LimitAction: String, CaseIterable, Codable, Sendable {
  /// Reports what `check` would decide and changes nothing: no events, and the state as it was.
  case peek
  /// Opens the popup, which at the limit starts the cooldown.
  case check
  /// Checks, acts, and counts a successful action.
  case use
}

package struct LimitInput: Hashable, Sendable {
  package var feature: Feature
  package var state: LimitState
  /// Nil when the settings do not limit the feature.
  package var limit: FeatureLimit?
  package var tier: Tier
  /// Nil or the epoch means unknown: no grace.
  package var firstAccountCreatedAt: Instant?
  /// Zero or less switches the grace off.
  package var newUserFreePeriodSeconds: Int
  package var now: Instant
}

extension LimitInput {
  package init(
    feature: Feature, state: LimitState, profile: Profile, settings: Settings, now: Instant
  ) {
    self.init(
      feature: feature, state: state, limit: settings.limit(of: feature), tier: profile.tier,
      firstAccountCreatedAt: profile.accountCreatedAt,
      newUserFreePeriodSeconds: settings.value(.newUserFreePeriod) ?? 0, now: now)
  }

  package var grace: NewUserGrace {
    NewUserRule.decide(
      firstAccountCreatedAt: firstAccountCreatedAt, periodSeconds: newUserFreePeriodSeconds,
      now: now)
  }

  /// The user's segment; a subscription counts before the grace.
  package var userType: UserType {
    if tier.isSubscribed { return .liteSubscriber }
    return grace.isNew ? .newUser : .freeUser
  }
}

/// Decides whether a person may use a limited feature now; docs/limits.md#cooldowns.
package enum LimitRule {
  /// A cooldown with this much left, inclusive, is over; docs/limits.md#cooldowns.
  package static let expiryTolerance: Duration = .seconds(1)

  /// Decides one attempt; `succeeds` says how the action of a `use` ended.
  package static func decide(
    _ input: LimitInput, action: LimitAction, succeeds: Bool = true
  ) -> LimitResult {
    var result = decide(input, opensPopup: action != .peek)
    switch action {
    case .peek: result.forgetEffects()
    case .use where succeeds && result.canProceed: result.recordSuccess()
    case .check, .use: break
    }
    return result
  }

  /// The result after its action succeeded: `performed`, and one more use of a counted user.
  ///
  /// - Precondition: `result.canProceed`.
  package static func recordSuccess(of result: LimitResult) -> LimitResult {
    var result = result
    result.recordSuccess()
    return result
  }

  /// The fresh allowance after a cooldown, and when the cooldown ended; nil unless one is over.
  ///
  /// Storing it changes no later decision: a fresh allowance has the same result as one that the
  /// decision itself resets.
  package static func ended(
    _ state: LimitState, limit: FeatureLimit?, now: Instant
  ) -> (state: LimitState, at: Instant)? {
    guard let limit, let startedAt = state.cooldownStartedAt, now >= startedAt,
      limit.cooldown - (now - startedAt) <= expiryTolerance
    else { return nil }
    return (LimitState(isFresh: true), min(now, startedAt + limit.cooldown))
  }

  private static func decide(_ input: LimitInput, opensPopup: Bool) -> LimitResult {
    var result = LimitResult(input)
    guard let limit = input.limit else {
      result.pass(.notLimited(input.feature))
      return result
    }
    result.checkClock()
    let remaining = result.expireCooldown(limit.cooldown)
    guard !input.tier.isSubscribed else {
      result.pass(.subscribed(input.tier), .liteSubscriberBypass)
      return result
    }
    result.pass(.notSubscribed)
    let grace = input.grace
    result.pass(
      .newUser(grace, periodSeconds: input.newUserFreePeriodSeconds),
      grace.isNew ? .newUserBypass : nil)
    if grace.isNew { return result }
    if result.newState.usage < limit.limit {
      result.proceed(under: limit.limit)
    } else {
      result.block(at: limit, remaining: remaining, opensPopup: opensPopup)
    }
    return result
  }
}

/// Whether an account is young enough to bypass the limits; docs/limits.md#new-user-grace.
package enum NewUserRule {
  /// How far ahead of `now` a creation time may lie, inclusive.
  package static let futureTolerance: Duration = .seconds(300)

  package static func decide(
    firstAccountCreatedAt: Instant?, periodSeconds: Int, now: Instant
  ) -> NewUserGrace {
    guard periodSeconds > 0 else { return .off }
    guard let createdAt = firstAccountCreatedAt, createdAt.microseconds > 0 else {
      return .creationUnknown
    }
    let age = now - createdAt
    guard age >= .zero - futureTolerance else { return .createdInTheFuture(by: .zero - age) }
    return age < .seconds(periodSeconds) ? .isNew(age: age) : .periodIsOver(age: age)
  }
}

package enum NewUserGrace: Hashable, Sendable {
  /// Inside the free period; `age` is negative when the creation time is slightly ahead of `now`.
  case isNew(age: Duration)
  case off
  case creationUnknown
  /// Created further in the future than a wrong clock explains.
  case createdInTheFuture(by: Duration)
  case periodIsOver(age: Duration)

  package var isNew: Bool {
    if case .isNew = self { true } else { false }
  }

  func text(periodSeconds: Int) -> String {
    switch self {
    case .isNew(let age) where age < .zero:
      "New user: the account was created \((.zero - age).secondsText) in the future; "
        + "treated as new."
    case .isNew(let age):
      "New user: the account is \(age.secondsText) old, less than \(periodSeconds) s."
    case .off: "The free period for new users is switched off."
    case .creationUnknown: "Not a new user: the account's creation time is unknown."
    case .createdInTheFuture(let gap):
      "Not a new user: the account's creation time is \(gap.secondsText) in the future."
    case .periodIsOver(let age):
      "Not a new user: the account is \(age.secondsText) old, the free period was "
        + "\(periodSeconds) s."
    }
  }
}

/// What a limit decided about one input, why, and what to remember of it.
package struct LimitResult: Hashable, Sendable {
  package let input: LimitInput
  package let userType: UserType
  /// The steps in the order in which they were taken; the last one decided.
  package private(set) var steps: [LimitStep] = []
  package private(set) var canProceed = true
  package private(set) var showPopup = false
  /// Whether the user acts without a popup: a cooldown ended now, or since the last attempt.
  package private(set) var justReset = false
  /// What happened, in order, without `button_tapped`.
  package private(set) var events: [EventKind] = []
  /// The state to store; that of the input when nothing changed.
  package private(set) var newState: LimitState
  /// Uses after the action: a successful `use` is counted.
  package private(set) var currentUsage: Int
  /// Zero wherever the user may proceed.
  package private(set) var remainingCooldown = Duration.zero

  /// The result before any step.
  init(_ input: LimitInput) {
    self.input = input
    userType = input.userType
    newState = input.state
    currentUsage = input.state.usage
  }

  package var feature: Feature { input.feature }
  /// Nil when the settings do not limit the feature.
  package var limit: FeatureLimit? { input.limit }
  package var tier: Tier { input.tier }

  /// The deciding step as a sentence.
  package var reason: String { steps.last?.text ?? "" }

  /// Whether uses count: those of a free user under a limit do, those under a bypass do not.
  package var countsUsage: Bool { limit != nil && userType == .freeUser }

  package var isLimitReached: Bool {
    guard let limit else { return false }
    return currentUsage >= limit.limit
  }

  /// Uses before the action; equal to `currentUsage` unless a use was counted.
  package var usageBefore: Int {
    events.last == .performed && countsUsage ? currentUsage - 1 : currentUsage
  }

  /// The uses of all, as the app logs them; nil when the settings do not limit the feature.
  package var usageText: String? {
    limit.map { "Usage: \(currentUsage)/\($0.limit)" }
  }

  /// What is left of a cooldown that counts as over; zero without one.
  package var toleratedCooldown: Duration {
    for case .cooldownOver(let remaining) in steps { return max(.zero, remaining) }
    return .zero
  }

  /// When a blocking cooldown ends; nil when nothing blocks or nothing counts down.
  package var resetsAt: Instant? {
    remainingCooldown > .zero ? input.now + remainingCooldown : nil
  }
}

/// What each step of `LimitRule` does to the result, in the order of docs/limits.md#cooldowns.
extension LimitResult {
  /// Restarts a cooldown that seems to begin in the future, so that nobody waits longer than once.
  mutating func checkClock() {
    guard let startedAt = newState.cooldownStartedAt, input.now < startedAt else { return }
    newState.cooldownStartedAt = input.now
    steps.append(.clockWentBack(by: startedAt - input.now))
    events.append(.clockSkew)
  }

  /// Gives a fresh allowance when the cooldown is over, or within the tolerance of its end.
  ///
  /// Returns what is left of the cooldown; nil when none runs.
  mutating func expireCooldown(_ cooldown: Duration) -> Duration? {
    guard let startedAt = newState.cooldownStartedAt else {
      justReset = newState.isFresh
      newState.isFresh = false
      steps.append(justReset ? .cooldownOver(remaining: .zero) : .noCooldown)
      return nil
    }
    let remaining = cooldown - (input.now - startedAt)
    guard remaining <= LimitRule.expiryTolerance else {
      steps.append(.cooldownRuns(remaining: remaining))
      return remaining
    }
    newState = .initial
    currentUsage = 0
    justReset = true
    steps.append(.cooldownOver(remaining: remaining))
    events += [.limitReset, .cooldownCompleted]
    return nil
  }

  /// Adds a step that decides nothing, or that lets everybody proceed without a popup.
  mutating func pass(_ step: LimitStep, _ event: EventKind? = nil) {
    steps.append(step)
    if let event { events.append(event) }
  }

  mutating func proceed(under limit: Int) {
    steps.append(.underLimit(usage: currentUsage, limit: limit, isFresh: justReset))
    showPopup = !justReset
    if showPopup { events.append(.popupShown) }
  }

  /// Blocks; `remaining` is what is left of a cooldown that ran before, nil when none did.
  mutating func block(at limit: FeatureLimit, remaining: Duration?, opensPopup: Bool) {
    (canProceed, showPopup) = (false, true)
    let (usage, most) = (currentUsage, limit.limit)
    if let remaining {
      remainingCooldown = remaining
      steps.append(.stillCoolingDown(usage: usage, limit: most, remaining: remaining))
      events += [.popupShown, .blockedCooldown]
    } else if opensPopup {
      remainingCooldown = limit.cooldown
      newState.cooldownStartedAt = input.now
      steps.append(.cooldownStarts(usage: usage, limit: most, duration: limit.cooldown))
      events += [.popupShown, .blockedLimitReached]
    } else {
      steps.append(.atLimit(usage: usage, limit: most))
    }
  }

  /// Undoes all effects on the state and the events; the findings stay.
  mutating func forgetEffects() {
    newState = input.state
    events = []
  }

  /// Performs the action, which counts one use of a counted user.
  ///
  /// - Precondition: `canProceed`.
  mutating func recordSuccess() {
    precondition(canProceed)
    events.append(.performed)
    guard countsUsage else { return }
    newState.usage += 1
    currentUsage = newState.usage
  }
}
