/// One rule of a limit, as a table of all rules shows it; docs/limits.md#cooldowns.
package struct LimitTraceEntry: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    /// It decided nothing; the next rule decides.
    case goesOn
    case proceeds, blocks
    /// An earlier rule had decided.
    case notAsked
  }

  package var rule: LimitStep.Rule
  /// What the rule looked at, such as `usage 2` and `limit 5`; empty when it was not asked.
  package var inputs: [String]
  package var effect: Effect
  /// What it found, as a sentence; nil when it was not asked.
  package var finding: String?
}

extension LimitResult {
  /// All rules in their order; `steps` has only those that were asked and had something to say.
  package var trace: [LimitTraceEntry] {
    let rules = LimitStep.Rule.allCases.filter { ($0 == .notLimited) == (limit == nil) }
    let deciding = steps.last
    var isSettled = false
    return rules.map { rule in
      guard !isSettled else { return LimitTraceEntry(rule: rule, inputs: [], effect: .notAsked) }
      isSettled = rule == deciding?.rule
      let step = steps.first { $0.rule == rule }
      return LimitTraceEntry(
        rule: rule, inputs: inputs(of: rule),
        effect: !isSettled ? .goesOn : canProceed ? .proceeds : .blocks,
        finding: step?.text ?? silence(of: rule))
    }
  }

  /// The finding of a rule that leaves no step.
  private func silence(of rule: LimitStep.Rule) -> String {
    rule == .underLimit
      ? "\(currentUsage) of \(limit?.limit ?? 0) used: nothing is left."
      : "No cooldown seems to begin in the future."
  }

  private func inputs(of rule: LimitStep.Rule) -> [String] {
    let allowance = limit.map { ["usage \(currentUsage)", "limit \($0.limit)"] } ?? ["no limit"]
    switch rule {
    case .notLimited, .underLimit: return allowance
    case .clockSanity: return [beginning]
    case .expiry:
      guard let limit, input.state.cooldownStartedAt != nil else { return [beginning] }
      let tolerance = LimitRule.expiryTolerance.secondsText
      return [beginning, "cooldown \(limit.cooldown.secondsText)", "tolerance \(tolerance)"]
    case .subscribed: return ["tier \(tier.rawValue)"]
    case .newUser: return [age, "free period \(input.newUserFreePeriodSeconds) s"]
    case .atLimit:
      let isRunning = remainingCooldown > .zero
      return allowance + [isRunning ? "left \(remainingCooldown.secondsText)" : "no cooldown"]
    }
  }

  /// How long ago the cooldown began.
  private var beginning: String {
    guard let startedAt = input.state.cooldownStartedAt else { return "no cooldown" }
    return input.now < startedAt
      ? "begins in \((startedAt - input.now).secondsText)"
      : "began \((input.now - startedAt).secondsText) ago"
  }

  private var age: String {
    guard let createdAt = input.firstAccountCreatedAt, createdAt.microseconds > 0 else {
      return "account's age unknown"
    }
    return "account's age \((input.now - createdAt).secondsText)"
  }
}
