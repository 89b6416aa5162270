import GRDB
import Model

extension Readable {
  /// One page of the users that match, newest first, by keyset: O(limit) wherever the page lies.
  ///
  /// The order is the last-seen time descending, then the row's id descending. A user that a sync
  /// moves to the top meanwhile is not met twice.
  package func users(
    matching question: UserQuestion = .everyone, after cursor: UserCursor? = nil, limit: Int
  ) throws -> UserPage {
    var conditions = UserConditions(question)
    if let cursor {
      conditions.add(
        "(user_last_time_seen, id) < (?, ?)", [cursor.lastSeenAtSeconds, cursor.id])
    }
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT id, \(OnlineUsersTable.userColumnList) FROM OnlineUsers \(conditions.clause)
        ORDER BY user_last_time_seen DESC, id DESC LIMIT ?
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

  package func usersCount(matching question: UserQuestion = .everyone) throws -> Int {
    let conditions = UserConditions(question)
    return try reader.count(
      "SELECT count(*) FROM OnlineUsers \(conditions.clause)", conditions.arguments)
  }

  /// The number of users, or `limit` when there are more: O(limit).
  package func usersCount(upTo limit: Int) throws -> Int {
    try reader.count("SELECT count(*) FROM (SELECT 1 FROM OnlineUsers LIMIT ?)", [limit])
  }
}
