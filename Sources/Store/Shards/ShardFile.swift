import GRDB
import Model

/// The database that collects one shard of a load; see `docs/shards.md#files`.
///
/// It has the tables of a workspace and no secondary index.
enum ShardFile {
  /// The name under which a workspace's database attaches it.
  static let schema = "shard"
}

extension Store {
  /// Opens the database of a shard, or makes it.
  ///
  /// - Throws: `StoreError`.
  package static func openShard(path: String) throws -> Store {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: .readWrite)
      let connection = try connected(path: path, mode: .readWrite) {
        try Schema.check($0, path: path, mode: .readWrite)
      }
      try SystemFailure.telling(on: connection) {
        try connection.write { database in
          for name in SyncTable.onlineUsers.indexes.keys.sorted() {
            try database.execute(sql: "DROP INDEX IF EXISTS \(name.quoted)")
          }
        }
      }
      return Store(path: path, connection: connection)
    }
  }

  /// Brings everything into the one file, without a log beside it, and closes it.
  ///
  /// - Throws: `StoreError`.
  package func sealShard() throws {
    try StoreError.translating(path: path) {
      try connection.writeWithoutTransaction { database in
        _ = try database.checkpoint(.truncate)
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try connection.close()
    }
  }

  /// Does something while the file of a shard is attached, which nobody may change.
  ///
  /// - Throws: what `body` throws, or `StoreError`.
  package func withShard<T>(_ file: String, _ body: () throws -> T) throws -> T {
    let address = DatabaseFile.immutableAddress(of: file)
    try StoreError.translating(path: file) {
      try connection.writeWithoutTransaction {
        try $0.execute(sql: "ATTACH DATABASE ? AS \(ShardFile.schema)", arguments: [address])
      }
    }
    let outcome = Result(catching: body)
    try StoreError.translating(path: path) {
      try connection.writeWithoutTransaction {
        try $0.execute(sql: "DETACH DATABASE \(ShardFile.schema)")
      }
    }
    return try outcome.get()
  }
}

extension Readable {
  /// The number of the last row of an attached shard's table; 0 for none.
  package func lastRow(ofShardTable table: SyncTable) throws -> Int64 {
    try Int64.fetchOne(
      reader.database, sql: "SELECT max(rowid) FROM \(ShardFile.schema).\(table.quoted)") ?? 0
  }

  /// The number of rows of a table and of each of its child tables, by name.
  package func rowCounts(of table: SyncTable) throws -> [String: Int] {
    let names = [table.name] + table.children.map(\.name)
    let pairs = try names.map { name in
      (name, try reader.count("SELECT count(*) FROM \(name.quoted)"))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
