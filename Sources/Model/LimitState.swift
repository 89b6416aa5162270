/// What is remembered of one feature's limit for one profile.
package struct LimitState: Hashable, Codable, Sendable {
  /// Counted uses since the last reset.
  package var usage: Int
  /// When the running cooldown began; nil when none runs.
  package var cooldownStartedAt: Instant?

  package init(usage: Int = 0, cooldownStartedAt: Instant? = nil) {
    self.usage = usage
    self.cooldownStartedAt = cooldownStartedAt
  }

  package static let initial = LimitState()
}

/// How often a feature may be used, and how long to wait after that.
package struct FeatureLimit: Hashable, Codable, Sendable {
  package var limit: Int
  package var cooldownSeconds: Int

  package init(limit: Int, cooldownSeconds: Int) {
    self.limit = limit
    self.cooldownSeconds = cooldownSeconds
  }

  package var cooldown: Duration { .seconds(cooldownSeconds) }
}
