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
  /// Uses after the verb: a successful `use` is counted.
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

  /// Uses before the verb; equal to `currentUsage` unless a use was counted.
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
