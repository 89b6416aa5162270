/// Whether an account is young enough to bypass the limits; docs/limits.md#new-user-grace.
package enum NewUserRule {
  /// How far ahead of `now` a creation time may lie, inclusive.
  package static let futureTolerance: Duration = .seconds(300)

  package static func decide(
    firstAccountCreatedAt: Instant?, periodSeconds: Int, now: Instant
  ) -> NewUserGrace {
    guard periodSeconds > 0 else { return .off }
    guard let createdAt = firstAccountCreatedAt, createdAt.microseconds > 0 else {
      return .creationUnknown
    }
    let age = now - createdAt
    guard age >= .zero - futureTolerance else { return .createdInTheFuture(by: .zero - age) }
    return age < .seconds(periodSeconds) ? .isNew(age: age) : .periodIsOver(age: age)
  }
}

/// What `NewUserRule` found out about an account.
package enum NewUserGrace: Hashable, Sendable {
  /// Inside the free period; `age` is negative when the creation time is slightly ahead of `now`.
  case isNew(age: Duration)
  case off
  case creationUnknown
  /// Created further in the future than a wrong clock explains.
  case createdInTheFuture(by: Duration)
  case periodIsOver(age: Duration)

  package var isNew: Bool {
    if case .isNew = self { true } else { false }
  }

  /// The finding as a sentence.
  func text(periodSeconds: Int) -> String {
    switch self {
    case .isNew(let age) where age < .zero:
      "New user: the account was created \((.zero - age).secondsText) in the future; treated as new."
    case .isNew(let age):
      "New user: the account is \(age.secondsText) old, less than \(periodSeconds) s."
    case .off: "The free period for new users is switched off."
    case .creationUnknown: "Not a new user: the account's creation time is unknown."
    case .createdInTheFuture(let gap):
      "Not a new user: the account's creation time is \(gap.secondsText) in the future."
    case .periodIsOver(let age):
      "Not a new user: the account is \(age.secondsText) old, the free period was \(periodSeconds) s."
    }
  }
}
