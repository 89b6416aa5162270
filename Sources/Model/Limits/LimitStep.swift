/// One step of a limit decision, with the numbers that it saw.
package enum LimitStep: Hashable, Sendable {
  case notLimited(Feature)
  case clockWentBack(by: Duration)
  case noCooldown
  case cooldownRuns(remaining: Duration)
  /// Over, or within the tolerance of it.
  case cooldownOver(remaining: Duration)
  case subscribed(Tier)
  case notSubscribed
  case newUser(NewUserGrace, periodSeconds: Int)
  /// `isFresh`: the allowance was just reset.
  case underLimit(usage: Int, limit: Int, isFresh: Bool)
  /// At the limit while no cooldown runs and no popup was opened.
  case atLimit(usage: Int, limit: Int)
  case cooldownStarts(usage: Int, limit: Int, duration: Duration)
  case stillCoolingDown(usage: Int, limit: Int, remaining: Duration)

  /// The rules in the order of docs/limits.md#cooldowns.
  ///
  /// Their names are stable: the database, the reports and `--explain` have them.
  package enum Rule: String, CaseIterable, Sendable {
    case notLimited = "not-limited"
    case clockSanity = "clock-sanity"
    case expiry, subscribed
    case newUser = "new-user"
    case underLimit = "under-limit"
    case atLimit = "at-limit"

    /// Its number there; 0 for the one that comes before the first.
    package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
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
    case .notLimited(let feature): "The settings do not limit \(feature.rawValue)."
    case .clockWentBack(let gap):
      "The cooldown started \(gap.secondsText) in the future: the clock went back. It restarts now."
    case .noCooldown: "No cooldown runs."
    case .cooldownRuns(let remaining): "A cooldown runs for another \(remaining.secondsText)."
    case .cooldownOver: "The cooldown is over: usage is back to 0."
    case .subscribed(let tier): "Subscribed (\(tier.rawValue)): limits do not apply."
    case .notSubscribed: "Not subscribed."
    case .newUser(let grace, let period): grace.text(periodSeconds: period)
    case .underLimit(let usage, let limit, let isFresh):
      isFresh
        ? "\(usage) of \(limit) used, just reset: may proceed at once."
        : "\(usage) of \(limit) used: may proceed."
    case .atLimit(let usage, let limit):
      "\(usage) of \(limit) used: at the limit, and the cooldown starts when the popup opens."
    case .cooldownStarts(let usage, let limit, let duration):
      "\(usage) of \(limit) used: at the limit, and a cooldown of \(duration.secondsText) "
        + "starts now."
    case .stillCoolingDown(let usage, let limit, let remaining):
      "\(usage) of \(limit) used: at the limit, with \(remaining.secondsText) of the cooldown left."
    }
  }
}
