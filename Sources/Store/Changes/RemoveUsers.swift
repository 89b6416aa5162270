import GRDB

extension Writer {
  /// Removes the rows that the app calls corrupted, and says how many those were.
  ///
  /// The condition is the app's own, but for `_ad_`, which is taken literally and in this case: as in
  /// the app's query, it would remove `roadie`, and what every load stores again. See
  /// `docs/rules.md#online-users`.
  @discardableResult
  package func removeCorruptedUsers() throws -> Int {
    try run(
      #"""
      DELETE FROM OnlineUsers
      WHERE user_id IS NULL OR user_id = '' OR user_name IS NULL OR user_name = ''
        OR length(user_id) < 3 OR length(user_name) < 1 OR instr(user_id, '_ad_') > 0
      """#)
  }

  /// Removes every user and every staged one, and says how many users those were.
  ///
  /// Unfinished loads begin anew.
  @discardableResult
  package func deleteAllUsers() throws -> Int {
    try clearStagedRows(of: .onlineUsers)
    try clearCursors(of: .onlineUsers)
    return try run("DELETE FROM OnlineUsers")
  }
}
