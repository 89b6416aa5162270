import GRDB
package import Model

/// A use that was allowed and whose action still runs.
package struct PendingUse: Hashable, Sendable {
  package var id: Int64
  package var profile: String
  package var feature: Feature
  package var startedAt: Instant
  /// Who performs the action, so that a later run can tell whether it is still alive.
  package var owner: String

  package init(
    id: Int64, profile: String, feature: Feature, startedAt: Instant, owner: String
  ) {
    self.id = id
    self.profile = profile
    self.feature = feature
    self.startedAt = startedAt
    self.owner = owner
  }
}

extension Readable {
  /// What is remembered of the feature's limit; `.initial` when it was never used.
  package func limitState(profile: String, feature: Feature) throws -> LimitState {
    try limitStates(profile: profile)[feature] ?? .initial
  }

  /// The features that were used, or whose limit was reset.
  package func limitStates(profile: String) throws -> [Feature: LimitState] {
    let rows = try Row.fetchAll(
      reader.database,
      sql: "SELECT feature, usage, cooldown_started_at FROM limit_states WHERE profile = ?",
      arguments: [profile])
    var states: [Feature: LimitState] = [:]
    for row in rows {
      states[try row.choice("feature", of: "limit_states")] = LimitState(
        usage: row["usage"], cooldownStartedAt: row.instant("cooldown_started_at"))
    }
    return states
  }

  /// The profiles with a limit state, saved or not, in alphabetical order.
  package func profileNamesWithLimitStates() throws -> [String] {
    try String.fetchAll(
      reader.database, sql: "SELECT DISTINCT profile FROM limit_states ORDER BY profile")
  }

  /// The uses whose action has not been reported as ended, oldest first.
  package func pendingUses() throws -> [PendingUse] {
    try Row.fetchAll(reader.database, sql: "SELECT * FROM pending_uses ORDER BY id").map { row in
      PendingUse(
        id: row["id"], profile: row["profile"],
        feature: try row.choice("feature", of: "pending_uses"),
        startedAt: row.requiredInstant("started_at"), owner: row["owner"])
    }
  }
}
