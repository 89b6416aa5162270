package import Model

/// What a limit decides, without anything on the heap: a replay makes millions of them.
package struct LimitOutcome: Hashable, Sendable {
  /// The step that decided.
  package enum Verdict: Hashable, Sendable {
    case notLimited, subscribed, newUser, underLimit
    /// At the limit while nothing counts down and nothing was opened.
    case atLimit
    case cooldownStarts, coolingDown
  }

  package private(set) var verdict: Verdict
  package let userType: UserType
  /// The running cooldown seemed to begin in the future, and was restarted.
  package private(set) var clockWentBack = false
  /// The allowance was reset by this very decision.
  package private(set) var justReset = false
  package private(set) var events: LimitEvents = []
  /// What to store.
  package private(set) var newState: LimitState
  package private(set) var currentUsage: Int
  /// Zero wherever the user may proceed.
  package private(set) var remainingCooldown = Duration.zero

  /// Nothing settled yet: as if the settings named no limit.
  init(_ state: LimitState, userType: UserType) {
    verdict = .notLimited
    self.userType = userType
    newState = state
    currentUsage = state.usage
  }

  package var canProceed: Bool {
    switch verdict {
    case .notLimited, .subscribed, .newUser, .underLimit: true
    case .atLimit, .cooldownStarts, .coolingDown: false
    }
  }

  package var showPopup: Bool {
    switch verdict {
    case .notLimited, .subscribed, .newUser: false
    case .underLimit: !justReset
    case .atLimit, .cooldownStarts, .coolingDown: true
    }
  }

  /// A free user's uses are counted, those under a bypass or without a limit are not.
  package var countsUsage: Bool { verdict != .notLimited && userType == .freeUser }

  package func isLimitReached(of limit: FeatureLimit?) -> Bool {
    guard let limit else { return false }
    return currentUsage >= limit.limit
  }
}

/// The steps, in the order of docs/rules.md#cooldowns.
extension LimitOutcome {
  /// Restarts a cooldown that seems to begin in the future, so that it never lasts longer than once.
  mutating func settleClock(_ now: Instant) {
    guard let startedAt = newState.cooldownStartedAt, now < startedAt else { return }
    newState.cooldownStartedAt = now
    clockWentBack = true
    events.insert(.clockSkew)
  }

  /// Gives a fresh allowance once the cooldown is over, or within the tolerance of it.
  ///
  /// Returns what is left of the cooldown; nil when none runs any more.
  mutating func settleExpiry(after cooldown: Duration, _ now: Instant) -> Duration? {
    guard let startedAt = newState.cooldownStartedAt else { return nil }
    let remaining = cooldown - (now - startedAt)
    guard remaining <= LimitRule.expiryTolerance else { return remaining }
    newState = .initial
    currentUsage = 0
    justReset = true
    events.formUnion([.limitReset, .cooldownCompleted])
    return nil
  }

  mutating func bypass(_ verdict: Verdict, _ event: LimitEvents) {
    self.verdict = verdict
    events.insert(event)
  }

  mutating func proceedUnderLimit() {
    verdict = .underLimit
    if !justReset { events.insert(.popupShown) }
  }

  mutating func keepBlocking(for remaining: Duration) {
    verdict = .coolingDown
    remainingCooldown = remaining
    events.formUnion([.popupShown, .blockedCooldown])
  }

  mutating func startCooldown(of cooldown: Duration, _ now: Instant) {
    verdict = .cooldownStarts
    remainingCooldown = cooldown
    newState.cooldownStartedAt = now
    events.formUnion([.popupShown, .blockedLimitReached])
  }

  mutating func blockWithoutOpening() {
    verdict = .atLimit
  }

  /// Takes back all effects on the state and the ledger; what was found out stays.
  mutating func forgetEffects(on state: LimitState) {
    newState = state
    events = []
  }

  /// Performs the action: one more use of a counted user.
  ///
  /// - Precondition: `canProceed`.
  mutating func recordSuccess() {
    precondition(canProceed)
    events.insert(.performed)
    guard countsUsage else { return }
    newState.usage += 1
    currentUsage = newState.usage
  }
}
