import Model

/// A limit decision in the making: the question, and what its steps have settled so far.
struct LimitCourse {
  let question: LimitQuestion
  let newUser: NewUserRule.Verdict
  var state: LimitState
  var justReset = false
  var events: [EventKind] = []
  var steps: [LimitStep] = []

  init(_ question: LimitQuestion) {
    self.question = question
    newUser = NewUserRule.decide(
      firstAccountCreatedAt: question.firstAccountCreatedAt,
      periodSeconds: question.newUserFreePeriodSeconds, now: question.now)
    state = question.state
  }

  var isNewUser: Bool { newUser.isNew }

  private var userType: UserType {
    if question.tier.isSubscribed { return .liteSubscriber }
    return isNewUser ? .newUser : .freeUser
  }

  /// Restarts a cooldown that seems to begin in the future, so that it never lasts longer than once.
  mutating func settleClock() {
    guard let startedAt = state.cooldownStartedAt, question.now < startedAt else { return }
    steps.append(.clockWentBack(by: startedAt - question.now))
    events.append(.clockSkew)
    state.cooldownStartedAt = question.now
  }

  /// Gives a fresh allowance once the cooldown is over, or within the tolerance of it.
  mutating func settleExpiry(after cooldown: Duration) {
    guard let remaining = remaining(of: cooldown) else { return steps.append(.noCooldown) }
    guard remaining <= LimitRule.expiryTolerance else {
      return steps.append(.cooldownRuns(remaining: remaining))
    }
    state = .initial
    justReset = true
    steps.append(.cooldownOver(remaining: remaining))
    events += [.limitReset, .cooldownCompleted]
  }

  func proceedUnlimited() -> LimitDecision {
    decision(.notLimited(question.feature), canProceed: true, showPopup: false)
  }

  func proceedSubscribed() -> LimitDecision {
    decision(
      .subscribed(question.tier), canProceed: true, showPopup: false,
      emitting: .liteSubscriberBypass)
  }

  func proceedAsNewUser() -> LimitDecision {
    decision(newUserStep, canProceed: true, showPopup: false, emitting: .newUserBypass)
  }

  mutating func proceedUnder(_ limit: FeatureLimit) -> LimitDecision {
    steps.append(newUserStep)
    let step = LimitStep.underLimit(usage: state.usage, limit: limit.limit, isFresh: justReset)
    guard !justReset else { return decision(step, canProceed: true, showPopup: false) }
    return decision(step, canProceed: true, showPopup: true, emitting: .popupShown)
  }

  mutating func block(at limit: FeatureLimit) -> LimitDecision {
    steps.append(newUserStep)
    events.append(.popupShown)
    if let remaining = remaining(of: limit.cooldown) {
      return blocked(
        .stillCoolingDown(usage: state.usage, limit: limit.limit, remaining: remaining),
        remaining: remaining, emitting: .blockedCooldown)
    }
    state.cooldownStartedAt = question.now
    return blocked(
      .cooldownStarts(usage: state.usage, limit: limit.limit, duration: limit.cooldown),
      remaining: limit.cooldown, emitting: .blockedLimitReached)
  }

  mutating func previewBlock(at limit: FeatureLimit) -> LimitDecision {
    guard remaining(of: limit.cooldown) == nil else { return block(at: limit) }
    steps.append(newUserStep)
    return decision(
      .atLimit(usage: state.usage, limit: limit.limit), canProceed: false, showPopup: true)
  }

  private var newUserStep: LimitStep {
    .newUser(newUser, periodSeconds: question.newUserFreePeriodSeconds)
  }

  /// What is left of the running cooldown; nil when none runs.
  private func remaining(of cooldown: Duration) -> Duration? {
    guard let startedAt = state.cooldownStartedAt else { return nil }
    return cooldown - (question.now - startedAt)
  }

  private func blocked(
    _ step: LimitStep, remaining: Duration, emitting event: EventKind
  ) -> LimitDecision {
    var blocked = decision(step, canProceed: false, showPopup: true, emitting: event)
    blocked.remainingCooldown = remaining
    blocked.resetsAt = question.now + remaining
    return blocked
  }

  private func decision(
    _ step: LimitStep, canProceed: Bool, showPopup: Bool, emitting event: EventKind? = nil
  ) -> LimitDecision {
    LimitDecision(
      feature: question.feature, canProceed: canProceed, showPopup: showPopup,
      remainingCooldown: .zero, currentUsage: state.usage, limit: question.limit,
      tier: question.tier, userType: userType, resetsAt: nil, justReset: justReset,
      events: event.map { events + [$0] } ?? events, newState: state, steps: steps + [step])
  }
}
