import Model

/// All rules of a limit in their order, each with what it saw and what came of it.
///
/// A decision's `steps` hold the sentences of the rules that spoke; the trace has all of them, also
/// those that an earlier one left without a say: docs/rules.md#cooldowns.
package struct LimitTrace: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// It settled nothing; the next rule is asked.
    case goesOn
    case proceeds, blocks
    /// An earlier rule had decided.
    case notAsked
  }

  package struct Entry: Hashable, Sendable {
    package var rule: LimitStep.Rule
    /// What the rule looked at, such as `usage 2` and `limit 5`; nothing when it was not asked.
    package var inputs: [String]
    package var verdict: Verdict
    /// What it found, as a sentence; nil when it was not asked.
    package var finding: String?
  }

  package let entries: [Entry]

  package init(_ decision: LimitDecision) {
    let deciding = decision.lastStep
    let rules = LimitStep.Rule.allCases.filter { ($0 == .notLimited) == (decision.limit == nil) }
    var isSettled = false
    entries = rules.map { rule in
      guard !isSettled else { return Entry(rule: rule, inputs: [], verdict: .notAsked) }
      isSettled = rule == deciding.rule
      let step = isSettled ? deciding : decision.steps.first { $0.rule == rule }
      return Entry(
        rule: rule, inputs: decision.inputs(of: rule),
        verdict: !isSettled ? .goesOn : decision.canProceed ? .proceeds : .blocks,
        finding: step?.text ?? decision.silence(of: rule))
    }
  }
}

extension LimitDecision {
  /// What a rule that leaves no step has found.
  fileprivate func silence(of rule: LimitStep.Rule) -> String {
    rule == .underLimit
      ? "\(currentUsage) of \(limit?.limit ?? 0) used: nothing is left."
      : "No cooldown seems to begin in the future."
  }

  fileprivate func inputs(of rule: LimitStep.Rule) -> [String] {
    let allowance = limit.map { ["usage \(currentUsage)", "limit \($0.limit)"] } ?? ["no limit"]
    switch rule {
    case .notLimited, .underLimit: return allowance
    case .clockSanity: return [beginning]
    case .expiry:
      guard let limit, question.state.cooldownStartedAt != nil else { return [beginning] }
      let tolerance = LimitRule.expiryTolerance.secondsText
      return [beginning, "cooldown \(limit.cooldown.secondsText)", "tolerance \(tolerance)"]
    case .subscribed: return ["tier \(tier.rawValue)"]
    case .newUser: return [age, "free period \(question.newUserFreePeriodSeconds) s"]
    case .atLimit:
      let isRunning = remainingCooldown > .zero
      return allowance + [isRunning ? "left \(remainingCooldown.secondsText)" : "no cooldown"]
    }
  }

  /// When the cooldown began, seen from now.
  private var beginning: String {
    guard let startedAt = question.state.cooldownStartedAt else { return "no cooldown" }
    return question.now < startedAt
      ? "begins in \((startedAt - question.now).secondsText)"
      : "began \((question.now - startedAt).secondsText) ago"
  }

  private var age: String {
    guard let createdAt = question.firstAccountCreatedAt, createdAt.microseconds > 0 else {
      return "account's age unknown"
    }
    return "account's age \((question.now - createdAt).secondsText)"
  }
}
