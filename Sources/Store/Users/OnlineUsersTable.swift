import GRDB
import Model

extension SyncTable {
  /// The app's own table; a row's cells are in the order of `UserColumn`.
  package static let onlineUsers = SyncTable(
    name: "OnlineUsers",
    columns: UserColumn.allCases.map(\.descriptor).map {
      Column($0.name, $0.isInteger ? .integer : .text)
    },
    indexes: OnlineUsersTable.indexes,
    replaceOrder: "user_last_time_seen DESC, user_id",
    cursorPrefix: SyncCursor.usersKeyPrefix)
}

/// The SQL of the table `OnlineUsers`.
enum OnlineUsersTable {
  /// The columns of `OnlineUser`, in the order of `UserColumn`.
  static let userColumnList = UserColumn.ofUsers.map(\.descriptor.name).joined(separator: ", ")

  /// The indexes by name, each with the statement of its migration.
  static let indexes = [
    "index_OnlineUsers_user_id":
      "CREATE UNIQUE INDEX index_OnlineUsers_user_id ON OnlineUsers(user_id)",
    "index_OnlineUsers_user_last_time_seen": """
    CREATE INDEX index_OnlineUsers_user_last_time_seen
        ON OnlineUsers(user_last_time_seen DESC)
    """,
    "index_OnlineUsers_isAd_last_time": """
    CREATE INDEX index_OnlineUsers_isAd_last_time ON OnlineUsers(isAd, user_last_time_seen DESC)
    """,
    "index_OnlineUsers_user_area": """
    CREATE INDEX index_OnlineUsers_user_area ON OnlineUsers(user_area, user_last_time_seen DESC)
    """,
    "index_OnlineUsers_user_city": """
    CREATE INDEX index_OnlineUsers_user_city ON OnlineUsers(user_city, user_last_time_seen DESC)
    """,
    "index_OnlineUsers_user_state": """
    CREATE INDEX index_OnlineUsers_user_state ON OnlineUsers(user_state, user_last_time_seen DESC)
    """,
  ]
}

extension OnlineUser {
  /// Reads the columns of `OnlineUsersTable.userColumnList`, which start at `offset` of a cursor's
  /// row.
  init(_ row: Row, offset: Int = 0) {
    func text(_ column: UserColumn) -> String { row.wholeText(offset + column.rawValue) }
    func integer(_ column: UserColumn) -> Int64 { row[offset + column.rawValue] ?? 0 }
    self.init(
      userId: text(.userId), name: text(.name), image: text(.image), gender: text(.gender),
      country: text(.country), language: text(.language), age: text(.age),
      deviceId: text(.deviceId), deviceToken: text(.deviceToken), area: text(.area),
      city: text(.city), state: text(.state), decentTime: integer(.decentTime),
      lastSeenAtSeconds: integer(.lastSeen), isAd: row[offset + UserColumn.isAd.rawValue] ?? false)
  }
}
