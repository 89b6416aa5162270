import GRDB
import Model

extension Writer {
  /// Remembers where to go on; to be called in the transaction that stores the page's rows.
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

  /// Forgets where unfinished loads of the table would go on: the rows before that point are gone.
  package func clearCursors(of table: SyncTable) throws {
    try clearCursors(withPrefix: table.cursorPrefix)
  }

  func clearCursors(withPrefix prefix: String) throws {
    try run("DELETE FROM sync_cursors WHERE substr(key, 1, ?) = ?", [prefix.count, prefix])
  }
}
