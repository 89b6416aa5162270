package import Model

/// Whether an account is young enough to be spared the limits.
package enum NewUserRule {
  package enum Verdict: Hashable, Sendable {
    /// Inside the free period; `age` is negative for an account made by a clock slightly ahead.
    case isNew(age: Duration)
    case graceIsOff
    case creationUnknown
    /// Made further in the future than a wrong clock explains.
    case createdInTheFuture(by: Duration)
    case periodIsOver(age: Duration)

    package var isNew: Bool {
      if case .isNew = self { true } else { false }
    }
  }

  /// How far ahead of `now` a creation time may lie, inclusive; docs/rules.md#new-user-grace.
  package static let futureTolerance: Duration = .seconds(300)

  package static func decide(
    firstAccountCreatedAt: Instant?, periodSeconds: Int, now: Instant
  ) -> Verdict {
    guard periodSeconds > 0 else { return .graceIsOff }
    guard let createdAt = firstAccountCreatedAt, createdAt.microseconds > 0 else {
      return .creationUnknown
    }
    let age = now - createdAt
    guard age >= .zero - futureTolerance else { return .createdInTheFuture(by: .zero - age) }
    return age < .seconds(periodSeconds) ? .isNew(age: age) : .periodIsOver(age: age)
  }
}
