import GRDB
import Model

extension SyncTable {
  /// The app's own table; a row's cells are in the order of `UserColumn`.
  package static let onlineUsers = SyncTable(
    name: "OnlineUsers",
    columns: UserColumn.allCases.map(\.descriptor).map {
      Column($0.name, $0.columnType)
    },
    indexes: OnlineUsersTable.indexes,
    replaceOrder: "user_last_time_seen DESC, user_id",
    cursorPrefix: SyncCursor.usersKeyPrefix)
}

/// The SQL of the table `OnlineUsers`.
enum OnlineUsersTable {
  /// The columns of `OnlineUser`, in the order of `UserColumn`.
  static let userColumnList = UserColumn.ofUsers.map(\.descriptor.name).joined(separator: ", ")

  /// Adds the columns of some versions of the schema, which are empty or 0 until a load fills them.
  static func additions(_ versions: ClosedRange<Int>) -> String {
    UserColumn.allCases.map(\.descriptor).filter { versions.contains($0.since) }.map { column in
      let declaration =
        "\(column.name) \(column.columnType.rawValue) DEFAULT \(column.isInteger ? "0" : "''")"
      return """
        ALTER TABLE OnlineUsers ADD COLUMN \(declaration);
        ALTER TABLE OnlineUsers_staging ADD COLUMN \(declaration);
        """
    }.joined(separator: "\n")
  }

  /// The newest version of the schema that has a column of its own.
  static var newestVersion: Int {
    UserColumn.allCases.reduce(0) { max($0, $1.descriptor.since) }
  }

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

extension UserColumnDescriptor {
  fileprivate var columnType: SyncTable.ColumnType { isInteger ? .integer : .text }
}

extension OnlineUser {
  /// Reads the columns of `OnlineUsersTable.userColumnList`, which start at `offset` of a cursor's
  /// row.
  init(_ row: Row, offset: Int = 0) {
    self.init([:])
    for column in UserColumn.ofUsers {
      let index = offset + column.rawValue
      self[column] =
        column.descriptor.isInteger ? .integer(row[index] ?? 0) : .text(row.wholeText(index))
    }
  }
}
