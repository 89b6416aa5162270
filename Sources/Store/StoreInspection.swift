import GRDB
import GRDBSQLite
package import Model

/// What `firetally doctor` asks of a database.
extension Store {
  /// The version of the SQLite in use.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Checks every page, but not whether the indexes hold what the tables do: some ten times faster
  /// than `checkIntegrity`.
  ///
  /// - Throws: `StoreError.corrupt` with the first problem.
  package func checkPages() throws { try check("quick_check") }
}

extension Readable {
  /// The schema of the database.
  package func storedSchemaVersion() throws -> Int {
    try reader.count("PRAGMA user_version")
  }

  /// When the first run of the ledger began; nil when there is none.
  package func firstRunStartedAt() throws -> Instant? {
    try Int64.fetchOne(reader.database, sql: "SELECT min(started_at) FROM sync_runs")
      .map(Instant.init(microseconds:))
  }
}
