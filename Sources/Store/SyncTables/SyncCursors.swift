import GRDB
package import Model

/// The position at which an unfinished job continues.
package struct SyncCursor: Hashable, Sendable {
  /// JSON that only the job understands.
  package var value: String
  /// The start of the cursor's run.
  package var startedAt: Instant

  package init(value: String, startedAt: Instant) {
    self.value = value
    self.startedAt = startedAt
  }

  /// The prefix of the keys of loads into `OnlineUsers`.
  package static let usersKeyPrefix = "users "
}

extension Readable {
  /// The job's cursor of a key; nil when its last run was complete.
  package func cursor(job: String, key: String) throws -> SyncCursor? {
    try Row.fetchOne(
      reader.database,
      sql: "SELECT value, started_at FROM sync_cursors WHERE job = ? AND key = ?",
      arguments: [job, key]
    ).map { SyncCursor(value: $0["value"], startedAt: $0.requiredInstant("started_at")) }
  }

  /// The keys of a job's cursors that begin with a prefix.
  package func cursorKeys(job: String, prefix: String) throws -> [String] {
    try String.fetchAll(
      reader.database,
      sql: "SELECT key FROM sync_cursors WHERE job = ? AND substr(key, 1, ?) = ? ORDER BY key",
      arguments: [job, prefix.count, prefix])
  }
}

extension Writer {
  /// Gives a job's cursor another key.
  package func renameCursor(job: String, from key: String, to other: String) throws {
    try run(
      "UPDATE OR REPLACE sync_cursors SET key = ? WHERE job = ? AND key = ?", [other, job, key])
  }

  /// Stores the cursor; call it in the transaction that stores the page's rows.
  package func setCursor(_ cursor: SyncCursor, job: String, key: String) throws {
    try run(
      """
      INSERT OR REPLACE INTO sync_cursors (job, key, value, started_at) VALUES (?, ?, ?, ?)
      """,
      [job, key, cursor.value, cursor.startedAt.microseconds])
  }

  package func clearCursor(job: String, key: String) throws {
    try run("DELETE FROM sync_cursors WHERE job = ? AND key = ?", [job, key])
  }

  /// Deletes the cursors of unfinished loads of the table, so that they begin again.
  package func clearCursors(of table: SyncTable) throws {
    try clearCursors(withPrefix: table.cursorPrefix)
  }

  func clearCursors(withPrefix prefix: String) throws {
    try run("DELETE FROM sync_cursors WHERE substr(key, 1, ?) = ?", [prefix.count, prefix])
  }
}
