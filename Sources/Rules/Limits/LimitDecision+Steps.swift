import Model

extension LimitDecision {
  /// The steps in the order they were taken; the last one decided.
  package var steps: [LimitStep] {
    switch outcome.verdict {
    case .notLimited: [lastStep]
    case .subscribed: cooldownSteps + [lastStep]
    case .newUser: cooldownSteps + [.notSubscribed, lastStep]
    case .underLimit, .atLimit, .cooldownStarts, .coolingDown:
      cooldownSteps + [.notSubscribed, newUserStep, lastStep]
    }
  }

  /// The step that decided.
  var lastStep: LimitStep {
    // A use that was counted came after the decision.
    let usage = outcome.events.contains(.performed) && countsUsage ? currentUsage - 1 : currentUsage
    let limit = limit?.limit ?? 0
    switch outcome.verdict {
    case .notLimited: return .notLimited(feature)
    case .subscribed: return .subscribed(tier)
    case .newUser: return newUserStep
    case .underLimit: return .underLimit(usage: usage, limit: limit, isFresh: justReset)
    case .atLimit: return .atLimit(usage: usage, limit: limit)
    case .cooldownStarts:
      return .cooldownStarts(usage: usage, limit: limit, duration: remainingCooldown)
    case .coolingDown:
      return .stillCoolingDown(usage: usage, limit: limit, remaining: remainingCooldown)
    }
  }

  private var cooldownSteps: [LimitStep] {
    guard let limit, let startedAt = question.state.cooldownStartedAt else { return [.noCooldown] }
    let ranFor = outcome.clockWentBack ? .zero : question.now - startedAt
    let remaining = limit.cooldown - ranFor
    let expiry: LimitStep =
      justReset ? .cooldownOver(remaining: remaining) : .cooldownRuns(remaining: remaining)
    return outcome.clockWentBack
      ? [.clockWentBack(by: startedAt - question.now), expiry] : [expiry]
  }

  private var newUserStep: LimitStep {
    .newUser(question.newUserVerdict, periodSeconds: question.newUserFreePeriodSeconds)
  }
}
