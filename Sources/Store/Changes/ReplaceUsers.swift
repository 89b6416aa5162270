import GRDB
package import Model

/// What a replace did to the rows of `OnlineUsers`.
package struct ReplaceCounts: Hashable, Sendable {
  package var upserted: UpsertCounts
  package var deleted: Int

  package init(upserted: UpsertCounts = UpsertCounts(), deleted: Int = 0) {
    self.upserted = upserted
    self.deleted = deleted
  }
}

extension Writer {
  /// Forgets the rows of an earlier replace that did not come to its end.
  package func clearStagedUsers() throws {
    try database.execute(sql: "DELETE FROM OnlineUsers_staging")
  }

  /// Keeps a page of rows aside; the users that everyone reads stay as they are.
  ///
  /// To be committed page by page; a user that occurs twice ends as its last row.
  package func stage(_ rows: UserRows) throws {
    let statement = try RawStatement(database, sql: OnlineUsersTable.stage)
    defer { statement.reset() }
    let cells = rows.cells
    let width = OnlineUsersTable.columns.count
    try rows.bytes.withUnsafeBytes { text in
      for start in stride(from: 0, to: cells.count, by: width) {
        try statement.bind(cells[start..<start + width], in: text)
        try statement.run()
      }
    }
  }

  /// Makes the staged rows the only ones: others are deleted, users that stay keep their `id`.
  ///
  /// Empties the staging table, and makes unfinished loads begin anew. With nothing staged it deletes
  /// every user.
  package func replaceUsersWithStaged(at now: Instant) throws -> ReplaceCounts {
    try clearUserCursors()
    let unchanged = try reader.count(
      """
      SELECT count(*) FROM OnlineUsers_staging AS new
      JOIN OnlineUsers AS old ON old.user_id = new.user_id AND old.update_time = new.update_time
      """)
    let deleted = try run(
      """
      DELETE FROM OnlineUsers WHERE user_id NOT IN (SELECT user_id FROM OnlineUsers_staging)
      """)
    let updated = try run(Self.updateFromStaging, [now.microseconds])
    let inserted = try run(Self.insertFromStaging, [now.microseconds])
    try clearStagedUsers()
    return ReplaceCounts(
      upserted: UpsertCounts(inserted: inserted, updated: updated, unchanged: unchanged),
      deleted: deleted)
  }

  /// Replaces all users by `rows` in this transaction.
  package func replaceUsers(with rows: UserRows, at now: Instant) throws -> ReplaceCounts {
    try clearStagedUsers()
    try stage(rows)
    return try replaceUsersWithStaged(at: now)
  }

  private static let updateFromStaging = """
    UPDATE OnlineUsers SET
    \(OnlineUsersTable.columns.dropFirst().map { "\($0) = new.\($0)" }.joined(separator: ", ")),
    synced_at = ?
    FROM OnlineUsers_staging AS new
    WHERE OnlineUsers.user_id = new.user_id AND OnlineUsers.update_time <> new.update_time
    """

  private static let insertFromStaging = """
    INSERT INTO OnlineUsers (\(OnlineUsersTable.columnList), synced_at)
    SELECT \(OnlineUsersTable.columnList), ? FROM OnlineUsers_staging
    WHERE user_id NOT IN (SELECT user_id FROM OnlineUsers)
    ORDER BY user_last_time_seen DESC, user_id
    """
}
