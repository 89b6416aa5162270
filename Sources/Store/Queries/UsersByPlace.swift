import GRDB
package import Model

extension Readable {
  /// The users of an area, newest first; the name is compared exactly.
  package func usersIn(area: String, limit: Int) throws -> [OnlineUser] {
    try users(where: "user_area", is: area, limit: limit)
  }

  /// The users of a city, newest first; the name is compared exactly.
  package func usersIn(city: String, limit: Int) throws -> [OnlineUser] {
    try users(where: "user_city", is: city, limit: limit)
  }

  /// The users of a state, newest first; the name is compared exactly.
  package func usersIn(state: String, limit: Int) throws -> [OnlineUser] {
    try users(where: "user_state", is: state, limit: limit)
  }

  private func users(
    where column: String, is value: String, limit: Int
  ) throws -> [OnlineUser] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT \(OnlineUsersTable.userColumnList) FROM OnlineUsers WHERE \(column) = ?
        ORDER BY user_last_time_seen DESC, id DESC LIMIT ?
        """,
      arguments: [value, limit])
    return try Array(rows.map { OnlineUser($0) })
  }
}
