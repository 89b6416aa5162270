package import Model

/// One step that a limit decision took, with what it saw.
package enum LimitStep: Hashable, Sendable {
  case notLimited(Feature)
  case clockWentBack(by: Duration)
  case noCooldown
  case cooldownRuns(remaining: Duration)
  /// Over, or within the tolerance of it.
  case cooldownOver(remaining: Duration)
  case subscribed(Tier)
  case notSubscribed
  case newUser(NewUserRule.Verdict, periodSeconds: Int)
  /// `isFresh` when the allowance was reset by this very decision.
  case underLimit(usage: Int, limit: Int, isFresh: Bool)
  /// At the limit while nothing counts down and nothing was opened.
  case atLimit(usage: Int, limit: Int)
  case cooldownStarts(usage: Int, limit: Int, duration: Duration)
  case stillCoolingDown(usage: Int, limit: Int, remaining: Duration)
}

extension LimitStep {
  /// The rules by their stable names, the same in the database, the reports and `--explain`; in the
  /// order of docs/rules.md#cooldowns.
  package enum Rule: String, CaseIterable, Sendable {
    case notLimited = "not-limited"
    case clockSanity = "clock-sanity"
    case expiry, subscribed
    case newUser = "new-user"
    case underLimit = "under-limit"
    case atLimit = "at-limit"
  }

  package var rule: Rule {
    switch self {
    case .notLimited: .notLimited
    case .clockWentBack: .clockSanity
    case .noCooldown, .cooldownRuns, .cooldownOver: .expiry
    case .subscribed, .notSubscribed: .subscribed
    case .newUser: .newUser
    case .underLimit: .underLimit
    case .atLimit, .cooldownStarts, .stillCoolingDown: .atLimit
    }
  }

  package var id: String { rule.rawValue }

  /// What happened in this step and why, as a sentence.
  package var text: String {
    switch self {
    case .notLimited(let feature): "The settings name no limit for \(feature.rawValue)."
    case .clockWentBack(let gap):
      "The clock stands \(gap.secondsText) before the cooldown's start: the cooldown restarts now."
    case .noCooldown: "No cooldown runs."
    case .cooldownRuns(let remaining): "A cooldown runs for another \(remaining.secondsText)."
    case .cooldownOver: "The cooldown is over: usage is back to 0."
    case .subscribed(let tier): "Subscribed (\(tier.rawValue)): limits do not apply."
    case .notSubscribed: "Not subscribed."
    case .newUser(let verdict, let period): verdict.text(periodSeconds: period)
    case .underLimit(let usage, let limit, let isFresh):
      isFresh
        ? "\(usage) of \(limit) used, just reset: may proceed at once."
        : "\(usage) of \(limit) used: may proceed."
    case .atLimit(let usage, let limit):
      "\(usage) of \(limit) used: at the limit, and the cooldown starts when the popup opens."
    case .cooldownStarts(let usage, let limit, let duration):
      "\(usage) of \(limit) used: at the limit, and a cooldown of \(duration.secondsText) starts now."
    case .stillCoolingDown(let usage, let limit, let remaining):
      "\(usage) of \(limit) used: at the limit, with \(remaining.secondsText) of the cooldown left."
    }
  }
}

extension NewUserRule.Verdict {
  fileprivate func text(periodSeconds: Int) -> String {
    switch self {
    case .isNew(let age):
      "New user: the account is \(age.secondsText) old, less than \(periodSeconds) s."
    case .graceIsOff: "The grace for new users is switched off."
    case .creationUnknown: "Not a new user: the account's creation time is unknown."
    case .createdInTheFuture(let gap):
      "Not a new user: the account's creation time lies \(gap.secondsText) in the future."
    case .periodIsOver(let age):
      "Not a new user: the account is \(age.secondsText) old, the free period was \(periodSeconds) s."
    }
  }
}
