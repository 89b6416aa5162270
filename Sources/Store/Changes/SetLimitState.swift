import GRDB
package import Model

extension Writer {
  package func setLimitState(_ state: LimitState, profile: String, feature: Feature) throws {
    try run(
      """
      INSERT OR REPLACE INTO limit_states (profile, feature, usage, cooldown_started_at)
      VALUES (?, ?, ?, ?)
      """,
      [
        profile, feature.rawValue, state.usage, state.cooldownStartedAt?.microseconds,
      ])
  }
}
