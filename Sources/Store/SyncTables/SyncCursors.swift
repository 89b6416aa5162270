import GRDB
import Glibc
package import Model
import Synchronization

/// The position at which an unfinished job continues.
package struct SyncCursor: Hashable, Sendable {
  /// JSON that only the job understands.
  package var value: String
  /// The start of the cursor's run.
  package var startedAt: Instant

  package init(value: String, startedAt: Instant) {
    self.value = value
    self.startedAt = startedAt
  }

  /// The prefix of the keys of loads into `OnlineUsers`.
  package static let usersKeyPrefix = "users "
}

extension Readable {
  /// The job's cursor of a key; nil when its last run was complete.
  package func cursor(job: String, key: String) throws -> SyncCursor? {
    try Row.fetchOne(
      reader.database,
      sql: "SELECT value, started_at FROM sync_cursors WHERE job = ? AND key = ?",
      arguments: [job, key]
    ).map { SyncCursor(value: $0["value"], startedAt: $0.requiredInstant("started_at")) }
  }

  package func cursorKeys(job: String, prefix: String) throws -> [String] {
    try String.fetchAll(
      reader.database,
      sql: "SELECT key FROM sync_cursors WHERE job = ? AND substr(key, 1, ?) = ? ORDER BY key",
      arguments: [job, prefix.count, prefix])
  }
}

extension Writer {
  /// Gives a job's cursor another key.
  package func renameCursor(job: String, from key: String, to other: String) throws {
    try run(
      "UPDATE OR REPLACE sync_cursors SET key = ? WHERE job = ? AND key = ?", [other, job, key])
  }

  /// Stores the cursor; call it in the transaction that stores the page's rows.
  package func setCursor(_ cursor: SyncCursor, job: String, key: String) throws {
    try run(
      """
      INSERT OR REPLACE INTO sync_cursors (job, key, value, started_at) VALUES (?, ?, ?, ?)
      """,
      [job, key, cursor.value, cursor.startedAt.microseconds])
  }

  package func clearCursor(job: String, key: String) throws {
    try run("DELETE FROM sync_cursors WHERE job = ? AND key = ?", [job, key])
  }

  /// Deletes the cursors of unfinished loads of the table, so that they begin again.
  package func clearCursors(of table: SyncTable) throws {
    try clearCursors(withPrefix: table.cursorPrefix)
  }

  func clearCursors(withPrefix prefix: String) throws {
    try run("DELETE FROM sync_cursors WHERE substr(key, 1, ?) = ?", [prefix.count, prefix])
  }
}

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
    /// Keys in a row that have no row, after which no more are looked up: the rest are probably
    /// new.
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

/// Finds rows by key, one after the other: in one step when the keys come in order, else by a
/// lookup.
///
/// Rows may be written meanwhile.
struct KeyedRowCursor {
  private let statement: RawStatement
  /// Whether the statement is at a row; `isTaken` when `find` has returned that row.
  private var isOnRow = false
  private var isTaken = false
  /// How often one step found the row, and how often it did not.
  private var steps = (hits: 0, misses: 0)

  /// The statement is `SyncTable.selectFromKey`.
  init(_ statement: RawStatement) {
    self.statement = statement
  }

  /// Moves to the row with this key, a text; false without one.
  mutating func find(_ key: UnsafeRawBufferPointer) throws -> Bool {
    if isOnRow, steps.hits >= steps.misses {
      if isTaken { isOnRow = try statement.step() }
      isTaken = isOnRow && isAt(key)
      if isTaken {
        steps.hits += 1
        return true
      }
      steps.misses += 1
    }
    statement.rewind()
    try statement.bind(text: key, at: 1)
    isOnRow = try statement.step()
    isTaken = isOnRow && isAt(key)
    return isTaken
  }

  var rowId: Int64 { statement.integer(column: 0) }
  /// The `update_time` of the row that was found.
  var updateTime: Int64 { statement.integer(column: 1) }

  private func isAt(_ key: UnsafeRawBufferPointer) -> Bool {
    let found = statement.text(column: 2)
    guard let left = found.baseAddress, let right = key.baseAddress else {
      return found.isEmpty && key.isEmpty
    }
    return found.count == key.count && memcmp(left, right, key.count) == 0
  }

  /// Ends the statement; call it before the keys' bytes go away.
  func finish() { statement.reset() }
}
