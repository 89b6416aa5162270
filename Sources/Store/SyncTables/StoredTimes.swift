import GRDB
import Synchronization

/// Looks up the `update_time` of a table's rows by key, on connections of its own.
///
/// It reads while the store's own connection writes, and sees what was committed before.
package final class StoredTimes: Sendable {
  private let path: String
  private let table: SyncTable
  /// Connections that nobody uses: there are as many as lookups were made at once.
  private let idle = Mutex<[DatabaseQueue]>([])

  fileprivate init(of table: SyncTable, path: String) {
    self.path = path
    self.table = table
  }

  /// Looks up any number of rows in one snapshot.
  ///
  /// - Throws: what `body` throws, or `StoreError`.
  package func withLookup<T>(_ body: (Lookup) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      let connection =
        try idle.withLock { $0.popLast() } ?? DatabaseFile.connect(path: path, mode: .readOnly)
      defer { idle.withLock { $0.append(connection) } }
      return try connection.read { database in
        let lookup = Lookup(
          KeyedRowCursor(try RawStatement(database, sql: table.selectFromKey)))
        defer { lookup.finish() }
        return try body(lookup)
      }
    }
  }

  /// Valid inside the closure of `withLookup`.
  package final class Lookup {
    /// Keys in a row that have no row, after which no more are looked up: the rest are probably new.
    package static let mostMisses = 32

    private var rows: KeyedRowCursor
    private var misses = 0

    fileprivate init(_ rows: KeyedRowCursor) {
      self.rows = rows
    }

    /// Nil without a row of this key, and after so many such keys.
    ///
    /// The key's bytes must stay in place until the closure's end.
    package func updateTime(
      ofKey key: UnsafeRawBufferPointer, among mostMisses: Int = mostMisses
    ) throws -> Int64? {
      guard misses < mostMisses else { return nil }
      guard try rows.find(key) else {
        misses += 1
        return nil
      }
      misses = 0
      return rows.updateTime
    }

    fileprivate func finish() { rows.finish() }
  }
}

extension Store {
  /// Opens no connection before the first lookup.
  package func storedTimes(of table: SyncTable) -> StoredTimes {
    StoredTimes(of: table, path: path)
  }
}
