import GRDB
package import Model

extension Readable {
  /// One page of the matching users, newest first, by keyset: O(limit) for any page.
  ///
  /// The order is the last-seen time descending, then the row's id descending. A user whom a sync
  /// moves to the top meanwhile does not appear twice.
  package func users(
    matching query: UsersQuery = .everyone, after cursor: UserCursor? = nil, limit: Int
  ) throws -> UserPage {
    var conditions = UserConditions(query)
    if let cursor {
      conditions.add(
        "(user_last_time_seen, id) < (?, ?)", [cursor.lastSeenAtSeconds, cursor.id])
    }
    // Whole rows are read once the page is known: many users of one second are sorted by their ids.
    let newestFirst = "ORDER BY user_last_time_seen DESC, id DESC"
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT id, \(OnlineUsersTable.userColumnList) FROM OnlineUsers
        WHERE id IN (
          SELECT id FROM OnlineUsers \(conditions.clause) \(newestFirst) LIMIT ?
        ) \(newestFirst)
        """,
      arguments: conditions.arguments + [limit + 1])
    var users: [OnlineUser] = []
    var last: UserCursor?
    while let row = try rows.next() {
      if users.count == limit { return UserPage(users: users, next: last) }
      let user = OnlineUser(row, offset: 1)
      users.append(user)
      last = UserCursor(lastSeenAtSeconds: user.lastSeenAtSeconds, id: row[0])
    }
    return UserPage(users: users, next: nil)
  }

  package func usersCount(matching query: UsersQuery = .everyone) throws -> Int {
    let conditions = UserConditions(query)
    return try reader.count(
      "SELECT count(*) FROM OnlineUsers \(conditions.clause)", conditions.arguments)
  }

  /// The number of users, at most `limit`: O(limit).
  package func usersCount(upTo limit: Int) throws -> Int {
    try reader.count("SELECT count(*) FROM (SELECT 1 FROM OnlineUsers LIMIT ?)", [limit])
  }
}

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

extension Readable {
  /// The countries of users, in alphabetical order, without the empty one.
  package func countriesInUse() throws -> [String] {
    try names(of: "user_country")
  }

  /// The languages of users, in alphabetical order, without the empty one.
  package func languagesInUse() throws -> [String] {
    try names(of: "user_language")
  }

  private func names(of column: String) throws -> [String] {
    try WholeText.fetchAll(
      reader.database,
      sql: """
        SELECT DISTINCT \(column) FROM OnlineUsers
        WHERE \(column) <> '' ORDER BY \(column)
        """
    ).map(\.string)
  }
}
