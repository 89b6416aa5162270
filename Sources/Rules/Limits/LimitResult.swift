package import Model

/// What a limit decided about one input, and what to remember of it.
///
/// It holds no memory on the heap, since a replay makes millions; sentences are made when asked
/// for.
package struct LimitResult: Hashable, Sendable {
  package let input: LimitInput
  package let userType: UserType
  /// The step that decided.
  package private(set) var verdict = LimitVerdict.notLimited
  /// Whether the running cooldown seemed to begin in the future, and was restarted.
  package private(set) var clockWentBack = false
  /// Whether the user acts without a popup: a cooldown ended now, or since the last attempt.
  package private(set) var justReset = false
  /// What happened, without `button_tapped`.
  package private(set) var eventSet: LimitEvents = []
  /// The state to store; that of the input when nothing changed.
  package private(set) var newState: LimitState
  /// Uses after the verb: a successful `use` is counted.
  package private(set) var currentUsage: Int
  /// Zero wherever the user may proceed.
  package private(set) var remainingCooldown = Duration.zero

  /// The result before any step: as if the settings named no limit.
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

  /// Whether uses count: those of a free user under a limit do, those under a bypass do not.
  package var countsUsage: Bool { verdict != .notLimited && userType == .freeUser }

  package var isLimitReached: Bool {
    guard let limit else { return false }
    return currentUsage >= limit.limit
  }

  /// Uses before the verb; equal to `currentUsage` unless a use was counted.
  package var usageBefore: Int {
    eventSet.contains(.performed) && countsUsage ? currentUsage - 1 : currentUsage
  }

  /// When a blocking cooldown ends; nil when nothing blocks or nothing counts down.
  package var resetsAt: Instant? {
    remainingCooldown > .zero ? input.now + remainingCooldown : nil
  }

  /// What happened, in order, without `button_tapped`.
  package var events: [EventKind] { eventSet.kinds }
}

/// The step of a limit that decided.
package enum LimitVerdict: Hashable, Sendable {
  case notLimited, subscribed, newUser, underLimit
  /// At the limit while no cooldown runs and no popup was opened.
  case atLimit
  case cooldownStarts, coolingDown
}

/// What each step of `LimitRule` does to the result, in the order of docs/limits.md#cooldowns.
extension LimitResult {
  /// Restarts a cooldown that seems to begin in the future, so that nobody waits longer than once.
  mutating func settleClock() {
    guard let startedAt = newState.cooldownStartedAt, input.now < startedAt else { return }
    newState.cooldownStartedAt = input.now
    clockWentBack = true
    eventSet.insert(.clockSkew)
  }

  /// Gives a fresh allowance when the cooldown is over, or within the tolerance of its end.
  ///
  /// Returns what is left of the cooldown; nil when none runs.
  mutating func settleExpiry(after cooldown: Duration) -> Duration? {
    guard let startedAt = newState.cooldownStartedAt else {
      justReset = newState.isFresh
      newState.isFresh = false
      return nil
    }
    let remaining = cooldown - (input.now - startedAt)
    guard remaining <= LimitRule.expiryTolerance else { return remaining }
    newState = .initial
    currentUsage = 0
    justReset = true
    eventSet.formUnion([.limitReset, .cooldownCompleted])
    return nil
  }

  mutating func bypass(_ verdict: LimitVerdict, _ event: LimitEvents) {
    self.verdict = verdict
    eventSet.insert(event)
  }

  mutating func proceedUnderLimit() {
    verdict = .underLimit
    if !justReset { eventSet.insert(.popupShown) }
  }

  mutating func keepBlocking(for remaining: Duration) {
    verdict = .coolingDown
    remainingCooldown = remaining
    eventSet.formUnion([.popupShown, .blockedCooldown])
  }

  mutating func startCooldown(of cooldown: Duration) {
    verdict = .cooldownStarts
    remainingCooldown = cooldown
    newState.cooldownStartedAt = input.now
    eventSet.formUnion([.popupShown, .blockedLimitReached])
  }

  mutating func blockWithoutOpening() {
    verdict = .atLimit
  }

  /// Undoes all effects on the state and the events; the findings stay.
  mutating func forgetEffects() {
    newState = input.state
    eventSet = []
  }

  /// Performs the action, which counts one use of a counted user.
  ///
  /// - Precondition: `canProceed`.
  mutating func recordSuccess() {
    precondition(canProceed)
    eventSet.insert(.performed)
    guard countsUsage else { return }
    newState.usage += 1
    currentUsage = newState.usage
  }
}

/// The events of one decision as a set, since their order is always the same.
package struct LimitEvents: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let clockSkew = LimitEvents(rawValue: 1 << 0)
  package static let limitReset = LimitEvents(rawValue: 1 << 1)
  package static let cooldownCompleted = LimitEvents(rawValue: 1 << 2)
  package static let liteSubscriberBypass = LimitEvents(rawValue: 1 << 3)
  package static let newUserBypass = LimitEvents(rawValue: 1 << 4)
  package static let popupShown = LimitEvents(rawValue: 1 << 5)
  package static let blockedLimitReached = LimitEvents(rawValue: 1 << 6)
  package static let blockedCooldown = LimitEvents(rawValue: 1 << 7)
  package static let performed = LimitEvents(rawValue: 1 << 8)

  /// The kind of each bit, the lowest bit first: the order in which a decision emits them.
  private static let order: [EventKind] = [
    .clockSkew, .limitReset, .cooldownCompleted, .liteSubscriberBypass, .newUserBypass,
    .popupShown, .blockedLimitReached, .blockedCooldown, .performed,
  ]

  /// The number of sets; raw values are below it.
  package static let setsCount = 1 << order.count

  /// The events in the order in which they happen; docs/limits.md#cooldowns.
  package var kinds: [EventKind] {
    Self.order.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
  }
}
