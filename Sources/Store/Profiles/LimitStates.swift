import GRDB
package import Model

/// An allowed use whose action is running.
package struct PendingUse: Hashable, Sendable {
  package var id: Int64
  package var profile: String
  package var feature: Feature
  package var startedAt: Instant
  /// Identifies the process of the action, so that a later run can check that it is alive.
  package var owner: String
}

extension Readable {
  /// The state of a feature's limit; `.initial` when it was never used.
  package func limitState(profile: String, feature: Feature) throws -> LimitState {
    try limitStates(profile: profile)[feature] ?? .initial
  }

  /// The states of the features that were used or reset.
  package func limitStates(profile: String) throws -> [Feature: LimitState] {
    let rows = try Row.fetchAll(
      reader.database,
      sql: """
        SELECT feature, usage, cooldown_started_at, is_fresh FROM limit_states WHERE profile = ?
        """,
      arguments: [profile])
    var states: [Feature: LimitState] = [:]
    for row in rows {
      states[try row.choice("feature", of: "limit_states")] = LimitState(
        usage: row["usage"], cooldownStartedAt: row.instant("cooldown_started_at"),
        isFresh: row["is_fresh"])
    }
    return states
  }

  /// The names of the profiles with a limit state, saved or not, in alphabetical order.
  package func profileNamesWithLimitStates() throws -> [String] {
    try String.fetchAll(
      reader.database, sql: "SELECT DISTINCT profile FROM limit_states ORDER BY profile")
  }

  /// The uses whose action has not ended, oldest first.
  package func pendingUses() throws -> [PendingUse] {
    try Row.fetchAll(reader.database, sql: "SELECT * FROM pending_uses ORDER BY id").map { row in
      PendingUse(
        id: row["id"], profile: row["profile"],
        feature: try row.choice("feature", of: "pending_uses"),
        startedAt: row.requiredInstant("started_at"), owner: row["owner"])
    }
  }
}

extension Writer {
  package func setLimitState(_ state: LimitState, profile: String, feature: Feature) throws {
    try run(
      """
      INSERT OR REPLACE INTO limit_states (profile, feature, usage, cooldown_started_at, is_fresh)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        profile, feature.rawValue, state.usage, state.cooldownStartedAt?.microseconds,
        state.isFresh,
      ])
  }

  /// Stores the begin of an allowed use and returns its id; call it in the transaction that counts
  /// it.
  package func beginPendingUse(
    profile: String, feature: Feature, at now: Instant, owner: String
  ) throws -> Int64 {
    try run(
      "INSERT INTO pending_uses (profile, feature, started_at, owner) VALUES (?, ?, ?, ?)",
      [profile, feature.rawValue, now.microseconds, owner])
    return database.lastInsertedRowID
  }

  /// Takes one use from what was counted, if anything was.
  func uncountUse(profile: String, feature: Feature) throws {
    try run(
      """
      UPDATE limit_states SET usage = usage - 1 WHERE profile = ? AND feature = ? AND usage > 0
      """, [profile, feature.rawValue])
  }

  /// Deletes a pending use; false when it had ended before.
  @discardableResult
  package func finishPendingUse(id: Int64) throws -> Bool {
    try run("DELETE FROM pending_uses WHERE id = ?", [id]) == 1
  }
}
