import GRDB
package import Model

/// How many rows were removed because of their age; see `docs/privacy.md#retention`.
package struct AgedRows: Hashable, Sendable {
  package var events = 0
  package var feedback = 0
  package var purchases = 0
  package var runs = 0

  package init() {}

  package var total: Int { events + feedback + purchases + runs }
}

/// Removing what is older than the operator keeps; what has exactly that age stays.
extension Writer {
  /// Removes events older than `cutoff`, and the outbox items that took events to Google Analytics.
  package func removeEvents(before cutoff: Instant) throws -> Int {
    try run("DELETE FROM event_claims WHERE at < ?", [cutoff.microseconds])
    try removeCounts(before: cutoff.microseconds)
    return try run("DELETE FROM events WHERE at < ?", [cutoff.microseconds])
      + run(
        "DELETE FROM outbox WHERE kind = 'event' AND created_at < ? AND \(Self.isSettled)",
        [cutoff.microseconds])
  }

  /// Removes ratings and feedback older than `cutoff`, own and the app's, except undelivered ones.
  ///
  /// The documents of removed feedback count as known, so that no load fetches everything again
  /// because of them.
  package func removeFeedback(before cutoff: Instant) throws -> Int {
    let items: [Int64] = try reader.values(
      """
      SELECT id FROM outbox WHERE kind = 'feedback' AND created_at < ? AND \(Self.isSettled)
      """, [cutoff.microseconds])
    let list = "[\(items.map(String.init).joined(separator: ","))]"
    let ratings = try run(
      """
      DELETE FROM ratings WHERE at < ?1 AND
      (outbox_id IS NULL OR outbox_id IN (SELECT value FROM json_each(?2)))
      """, [cutoff.microseconds, list])
    try run(
      """
      DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))
      AND id NOT IN (SELECT outbox_id FROM ratings WHERE outbox_id IS NOT NULL)
      """, [list])
    // A document names whole seconds: it is older when its last microsecond is.
    let isOld = "(timestamp + 1) * 1000000 <= ?"
    try run(
      """
      INSERT OR IGNORE INTO skipped_documents (table_name, key)
      SELECT 'app_rating_feedback', document_path FROM app_rating_feedback WHERE \(isOld)
      """, [cutoff.microseconds])
    try run(
      """
      DELETE FROM feedback_marks WHERE key IN
      (SELECT document_path FROM app_rating_feedback WHERE \(isOld))
      """, [cutoff.microseconds])
    try forgetMarksWithoutRating()
    return ratings
      + (try run("DELETE FROM app_rating_feedback WHERE \(isOld)", [cutoff.microseconds]))
  }

  /// Removes purchases older than `cutoff`, except those that are paid beyond it.
  package func removePurchases(before cutoff: Instant) throws -> Int {
    try run(
      "DELETE FROM purchases WHERE at < ?1 AND ifnull(paid_until, at) < ?1", [cutoff.microseconds])
  }

  /// Removes runs that began before `cutoff`, but of each job neither the newest, the newest that
  /// began and the newest that succeeded, nor any that has not ended.
  ///
  /// Incidents that ended before it, and reads of audit logs, go with them.
  package func removeRuns(before cutoff: Instant) throws -> Int {
    let kept = [
      "true", "refused_by IS NULL", "refused_by IS NULL OR refused_by = 'need'",
      Self.succeeded,
    ].map { "id NOT IN (SELECT max(id) FROM sync_runs WHERE \($0) GROUP BY job)" }
    try run("DELETE FROM incidents WHERE ended_at < ?", [cutoff.microseconds])
    try run("DELETE FROM audit_reads WHERE at < ?", [cutoff.microseconds])
    return try run(
      """
      DELETE FROM sync_runs WHERE started_at < ? AND ended_at IS NOT NULL
      AND \(kept.joined(separator: " AND "))
      """, [cutoff.microseconds])
  }

  /// Whether an outbox item is delivered, or never will be.
  private static let isSettled = "state IN ('delivered', 'rejected')"
}
