import GRDB

extension Store {
  /// Opens a database to read; one of an older release as a copy with this program's schema.
  ///
  /// The copy is a temporary database of SQLite's own: in memory as far as it fits into the cache,
  /// else in a file without a name, and gone with the store. The database stays as it is.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - willCopy: is called with the file's schema before a copy is made.
  /// - Returns: the store, with this program's schema.
  /// - Throws: `StoreError`, `.unreleasedSchema` and `.newerSchema` as `open` does.
  package static func openToRead(
    path: String, willCopy: (_ schema: Int) -> Void = { _ in }
  ) throws -> Store {
    do {
      return try open(path: path, mode: .readOnly)
    } catch StoreError.olderSchema(_, let schema, _) {
      willCopy(schema)
      return try StoreError.translating(path: path) {
        // A file that has to be copied to be read is held open once it was read.
        let file = try connected(path: path, mode: .readOnly) { connection in
          _ = try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        }
        let copy = try DatabaseQueue(path: "")
        try file.backup(to: copy)
        try file.close()
        try Schema.check(copy, path: path, mode: .readWrite)
        return Store(path: path, connection: copy)
      }
    }
  }
}
