import Model

/// Who may use a limited feature now; docs/rules.md#cooldowns.
package enum LimitRule {
  /// A cooldown with this much left, inclusive, is over; docs/rules.md#cooldowns.
  package static let expiryTolerance: Duration = .seconds(1)

  /// Decides one attempt; `succeeds` tells how the action of a `use` ended.
  package static func decide(
    _ question: LimitQuestion, verb: LimitVerb, succeeds: Bool = true
  ) -> LimitDecision {
    switch verb {
    case .peek: peek(question)
    case .check: check(question)
    case .use: use(question, succeeds: succeeds)
    }
  }

  /// What `check` would decide, without its effects: no events, the state as it was.
  package static func peek(_ question: LimitQuestion) -> LimitDecision {
    var decision = decide(question, opensPopup: false)
    decision.events = []
    decision.newState = question.state
    return decision
  }

  /// Opens the popup where there is one to show, which at the limit starts the cooldown.
  package static func check(_ question: LimitQuestion) -> LimitDecision {
    decide(question, opensPopup: true)
  }

  /// Checks, and counts the action when it was allowed and succeeded.
  package static func use(_ question: LimitQuestion, succeeds: Bool) -> LimitDecision {
    let decision = check(question)
    return succeeds && decision.canProceed ? recordSuccess(of: decision) : decision
  }

  /// The decision after its action succeeded: `performed`, and one more use of a counted user.
  ///
  /// - Precondition: `decision.canProceed`.
  package static func recordSuccess(of decision: LimitDecision) -> LimitDecision {
    precondition(decision.canProceed)
    var decision = decision
    decision.events.append(.performed)
    if decision.countsUsage {
      decision.newState.usage += 1
      decision.currentUsage = decision.newState.usage
    }
    return decision
  }

  private static func decide(_ question: LimitQuestion, opensPopup: Bool) -> LimitDecision {
    var course = LimitCourse(question)
    guard let limit = question.limit else { return course.proceedUnlimited() }
    course.settleClock()
    course.settleExpiry(after: limit.cooldown)
    if question.tier.isSubscribed { return course.proceedSubscribed() }
    course.steps.append(.notSubscribed)
    if course.isNewUser { return course.proceedAsNewUser() }
    if course.state.usage < limit.limit { return course.proceedUnder(limit) }
    return opensPopup ? course.block(at: limit) : course.previewBlock(at: limit)
  }
}
