import GRDB
package import Model

extension Writer {
  /// Notes that an allowed use began; to be called in the transaction that decided and counted it.
  ///
  /// Returns the id to finish it with.
  package func beginPendingUse(
    profile: String, feature: Feature, at now: Instant, owner: String
  ) throws -> Int64 {
    try run(
      "INSERT INTO pending_uses (profile, feature, started_at, owner) VALUES (?, ?, ?, ?)",
      [profile, feature.rawValue, now.microseconds, owner])
    return database.lastInsertedRowID
  }

  /// Forgets a pending use; false when somebody else did so before, and has settled its allowance.
  @discardableResult
  package func finishPendingUse(id: Int64) throws -> Bool {
    try run("DELETE FROM pending_uses WHERE id = ?", [id]) == 1
  }
}
