package import Model

/// Who may use a limited feature now; docs/rules.md#cooldowns.
package enum LimitRule {
  /// A cooldown with this much left, inclusive, is over; docs/rules.md#cooldowns.
  package static let expiryTolerance: Duration = .seconds(1)

  /// Decides one attempt; `succeeds` tells how the action of a `use` ended.
  package static func decide(
    _ question: LimitQuestion, verb: LimitVerb, succeeds: Bool = true
  ) -> LimitDecision {
    LimitDecision(
      question: question, outcome: outcome(of: question, verb: verb, succeeds: succeeds))
  }

  /// What `check` would decide, without its effects: no events, the state as it was.
  package static func peek(_ question: LimitQuestion) -> LimitDecision {
    decide(question, verb: .peek)
  }

  /// Opens the popup where there is one to show, which at the limit starts the cooldown.
  package static func check(_ question: LimitQuestion) -> LimitDecision {
    decide(question, verb: .check)
  }

  /// Checks, and counts the action when it was allowed and succeeded.
  package static func use(_ question: LimitQuestion, succeeds: Bool) -> LimitDecision {
    decide(question, verb: .use, succeeds: succeeds)
  }

  /// The decision after its action succeeded: `performed`, and one more use of a counted user.
  ///
  /// - Precondition: `decision.canProceed`.
  package static func recordSuccess(of decision: LimitDecision) -> LimitDecision {
    var outcome = decision.outcome
    outcome.recordSuccess()
    return LimitDecision(question: decision.question, outcome: outcome)
  }

  /// The same as `decide`, without what explains it.
  package static func outcome(
    of question: LimitQuestion, verb: LimitVerb, succeeds: Bool
  ) -> LimitOutcome {
    var outcome = settle(question, opensPopup: verb != .peek)
    switch verb {
    case .peek: outcome.forgetEffects(on: question.state)
    case .use where succeeds && outcome.canProceed: outcome.recordSuccess()
    case .check, .use: break
    }
    return outcome
  }

  private static func settle(_ question: LimitQuestion, opensPopup: Bool) -> LimitOutcome {
    var outcome = LimitOutcome(question.state, userType: question.userType)
    guard let limit = question.limit else { return outcome }
    outcome.settleClock(question.now)
    let remaining = outcome.settleExpiry(after: limit.cooldown, question.now)
    switch outcome.userType {
    case .liteSubscriber: outcome.bypass(.subscribed, .liteSubscriberBypass)
    case .newUser: outcome.bypass(.newUser, .newUserBypass)
    case .freeUser where outcome.newState.usage < limit.limit: outcome.proceedUnderLimit()
    case .freeUser:
      if let remaining {
        outcome.keepBlocking(for: remaining)
      } else if opensPopup {
        outcome.startCooldown(of: limit.cooldown, question.now)
      } else {
        outcome.blockWithoutOpening()
      }
    }
    return outcome
  }
}
