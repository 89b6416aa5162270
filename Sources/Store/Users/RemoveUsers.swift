import GRDB

extension Writer {
  /// Removes the rows that the app calls corrupted and returns their number.
  ///
  /// If there were any, no profile has a refresh time afterwards: the next run loads the users.
  ///
  /// The condition is the app's except for `_ad_`, which is literal here: as a LIKE pattern it
  /// would also remove `roadie`, which every load stores again. See `docs/loads.md#online-users`.
  @discardableResult
  package func removeCorruptedUsers() throws -> Int {
    let removed = try run(
      #"""
      DELETE FROM OnlineUsers
      WHERE user_id IS NULL OR user_id = '' OR user_name IS NULL OR user_name = ''
        OR length(user_id) < 3 OR length(user_name) < 1 OR instr(user_id, '_ad_') > 0
      """#)
    if removed > 0 { try forgetRefreshTimes() }
    return removed
  }

  /// Lets the next load of every profile be a first one.
  func forgetRefreshTimes() throws {
    try run("UPDATE profiles SET users_refreshed_at = NULL WHERE users_refreshed_at IS NOT NULL")
  }

  /// Removes all users and staged users and returns the number of users; unfinished loads begin
  /// again.
  @discardableResult
  package func deleteAllUsers() throws -> Int {
    try clearStagedRows(of: .onlineUsers)
    try clearCursors(of: .onlineUsers)
    try setMetadata(nil, named: leftEmptyName)
    return try run("DELETE FROM OnlineUsers")
  }

  /// Removes one user, staged or not; false when there was no row.
  ///
  /// If it was the last user, the table counts as left empty by a load.
  @discardableResult
  package func deleteUser(id: String) throws -> Bool {
    try run("DELETE FROM \(SyncTable.onlineUsers.staging) WHERE user_id = ?", [id])
    guard try run("DELETE FROM OnlineUsers WHERE user_id = ?", [id]) > 0 else { return false }
    if try usersCount(upTo: 1) == 0 { try recordWhetherEmpty() }
    return true
  }

  /// Stores whether a load left any users; call it in the load's last transaction.
  package func recordWhetherEmpty() throws {
    try setMetadata(try usersCount(upTo: 1) == 0 ? "yes" : nil, named: leftEmptyName)
  }
}

/// The name of the metadata that is present while the table is empty because a load found no users.
private let leftEmptyName = "users left empty"

extension Readable {
  /// Whether there are no users although the last load left some.
  package func usersWereEmptied() throws -> Bool {
    try usersCount(upTo: 1) == 0 && metadata(named: leftEmptyName) == nil
  }
}
