import GRDB
import Model

extension SyncTable {
  /// The app's own table; its cells come in the order of `UserColumn`.
  package static let onlineUsers = SyncTable(
    name: "OnlineUsers",
    columns: OnlineUsersTable.columns.map { name in
      let isInteger = OnlineUsersTable.integerColumns.contains(name)
      return Column(name, isInteger ? .integer : .text)
    },
    indexes: OnlineUsersTable.indexes,
    replaceOrder: "user_last_time_seen DESC, user_id",
    cursorPrefix: SyncCursor.usersKeyPrefix)
}

/// The names and indexes of the `OnlineUsers` table.
enum OnlineUsersTable {
  /// In the order of `UserColumn`.
  static let columns = [
    "user_id", "user_name", "user_image", "user_gender", "user_country", "user_language",
    "user_age", "user_device_id", "user_device_token", "user_area", "user_city", "user_state",
    "user_decent_time", "user_last_time_seen", "isAd", "update_time",
  ]

  static let integerColumns = ["user_decent_time", "user_last_time_seen", "isAd", "update_time"]

  /// The columns of `OnlineUser`, in the order of its initialiser.
  static let userColumnList = columns.dropLast().joined(separator: ", ")

  /// By name, each with the statement that the migrations built it with.
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
  /// Reads the columns of `OnlineUsersTable.userColumnList`, which start at `offset` of a cursor's row.
  init(_ row: Row, offset: Int = 0) {
    self.init(
      userId: row.wholeText(offset),
      name: row.wholeText(offset + 1),
      image: row.wholeText(offset + 2),
      gender: row.wholeText(offset + 3),
      country: row.wholeText(offset + 4),
      language: row.wholeText(offset + 5),
      age: row.wholeText(offset + 6),
      deviceId: row.wholeText(offset + 7),
      deviceToken: row.wholeText(offset + 8),
      area: row.wholeText(offset + 9),
      city: row.wholeText(offset + 10),
      state: row.wholeText(offset + 11),
      decentTime: row[offset + 12] ?? 0,
      lastSeenAtSeconds: row[offset + 13] ?? 0,
      isAd: row[offset + 14] ?? false)
  }
}
