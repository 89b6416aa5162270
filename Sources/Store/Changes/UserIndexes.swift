import GRDB

/// The indexes of `OnlineUsers`, which a first load goes without; see `docs/decisions/013-first-load.md`.
enum UserIndexes {
  /// By name, each with the statement that the migrations built it with.
  static let statements = [
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

  /// Builds what a first load that was killed left unbuilt; the connection is outside a transaction.
  ///
  /// While another process writes, the indexes stay missing: it may be that load, which builds them.
  static func restore(_ database: Database) throws {
    guard try !missing(in: database).isEmpty else { return }
    try database.execute(sql: "PRAGMA busy_timeout = 0")
    let outcome = Result {
      try database.inTransaction(.immediate) {
        try build(in: database)
        return .commit
      }
    }
    let milliseconds = Int(DatabaseFile.busyTimeoutSeconds * 1_000)
    try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    do {
      try outcome.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return
    }
  }

  static func build(in database: Database) throws {
    let missing = try missing(in: database)
    guard !missing.isEmpty else { return }
    let cache = try Reader(database: database).count("PRAGMA cache_size")
    // The sorter works in files and threads of its own once the cache is small: twice as fast.
    try database.execute(sql: "PRAGMA cache_size = -2000; PRAGMA threads = 2")
    for sql in missing { try database.execute(sql: sql) }
    try database.execute(sql: "PRAGMA threads = 0; PRAGMA cache_size = \(cache)")
  }

  private static func missing(in database: Database) throws -> [String] {
    let present = try String.fetchSet(
      database,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'OnlineUsers'")
    return statements.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension Writer {
  /// Drops the users' indexes while there is no user: a first load is much faster without them.
  ///
  /// Does nothing when there are users. `buildUserIndexes` brings the indexes back, or the next
  /// opening after a crash; until then questions are answered slowly.
  package func dropUserIndexesIfEmpty() throws {
    guard try usersCount(upTo: 1) == 0 else { return }
    for name in UserIndexes.statements.keys.sorted() {
      try database.execute(sql: "DROP INDEX IF EXISTS \(name)")
    }
  }

  /// Builds those of the users' indexes that are missing.
  package func buildUserIndexes() throws {
    try UserIndexes.build(in: database)
  }
}
