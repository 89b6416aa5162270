import GRDB
import Model

/// The database that collects one shard of a load; see `docs/shards.md#files`.
///
/// It has the tables of a workspace and no secondary index.
extension Store {
  /// Opens the database of a shard, or makes it.
  package static func openShard(path: String) throws -> Store {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: .readWrite)
      let connection = try connected(path: path, mode: .readWrite) {
        try Schema.check($0, path: path, mode: .readWrite)
      }
      let store = Store(path: path, connection: connection)
      try store.write { writer in
        for name in SyncTable.onlineUsers.indexes.keys {
          try writer.run("DROP INDEX IF EXISTS \(name.quoted)")
        }
      }
      return store
    }
  }

  /// Brings everything into the one file, without a log beside it, and closes it.
  package func sealShard() throws {
    try StoreError.translating(path: path) {
      try connection.writeWithoutTransaction { database in
        _ = try database.checkpoint(.truncate)
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try connection.close()
    }
  }

  /// Runs `body` while a shard's file is attached as `shard`, read-only.
  ///
  /// - Throws: what `body` throws, or `StoreError`.
  package func withShard<T>(_ file: String, _ body: () throws -> T) throws -> T {
    func execute(_ sql: String, _ arguments: StatementArguments = [], path: String) throws {
      try StoreError.translating(path: path) {
        try connection.writeWithoutTransaction { try $0.execute(sql: sql, arguments: arguments) }
      }
    }
    try execute("ATTACH DATABASE ? AS shard", [DatabaseFile.immutableAddress(of: file)], path: file)
    let outcome = Result(catching: body)
    try execute("DETACH DATABASE shard", path: path)
    return try outcome.get()
  }
}

extension Readable {
  /// The number of rows of a table and of each of its child tables, by name.
  package func rowCounts(of table: SyncTable) throws -> [String: Int] {
    try ([table.name] + table.children.map(\.name)).reduce(into: [:]) { counts, name in
      counts[name] = try reader.count("SELECT count(*) FROM \(name.quoted)")
    }
  }
}
