import GRDB
package import Model

extension Readable {
  /// The user with this `user_id`; nil when there is none.
  package func user(id: String) throws -> OnlineUser? {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: "SELECT \(OnlineUsersTable.userColumnList) FROM OnlineUsers WHERE user_id = ?",
      arguments: [id])
    return try rows.next().map { OnlineUser($0) }
  }

  package func userExists(id: String) throws -> Bool {
    try reader.count("SELECT EXISTS (SELECT 1 FROM OnlineUsers WHERE user_id = ?)", [id]) == 1
  }

  /// The newest last-seen time of all users; nil when there are none.
  package func latestLastSeen() throws -> Instant? {
    try Int64.fetchOne(
      reader.database, sql: "SELECT max(user_last_time_seen) FROM OnlineUsers"
    ).map { Instant(unixSeconds: $0) }
  }
}
