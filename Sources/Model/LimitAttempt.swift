/// What is asked of a limit.
package enum LimitVerb: String, CaseIterable, Codable, Sendable {
  /// Reports what `check` would decide and changes nothing.
  case peek
  /// Opens the popup: at the limit that starts the cooldown.
  case check
  /// Checks, acts, and counts the action when it succeeded.
  case use
}

/// One attempt at a limited feature, as a replay asks it again; whose it is stands beside it.
package struct LimitAttempt: Hashable, Sendable {
  package var at: Instant
  package var feature: Feature
  package var verb: LimitVerb
  /// How the action of a `use` ended, or would have.
  package var succeeds: Bool
  package var tier: Tier
  /// Nil or the epoch: unknown, so no grace.
  package var firstAccountCreatedAt: Instant?

  package init(
    at: Instant, feature: Feature, verb: LimitVerb, succeeds: Bool = true, tier: Tier = .free,
    firstAccountCreatedAt: Instant? = nil
  ) {
    self.at = at
    self.feature = feature
    self.verb = verb
    self.succeeds = succeeds
    self.tier = tier
    self.firstAccountCreatedAt = firstAccountCreatedAt
  }
}
