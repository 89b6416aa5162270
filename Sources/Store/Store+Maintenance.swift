import Foundation
import GRDB
import GRDBSQLite
package import Model

extension Store {
  /// Checks every page and index.
  ///
  /// - Throws: `StoreError.corrupt` with the first problem.
  package func checkIntegrity() throws { try check("integrity_check") }

  func check(_ pragma: String) throws {
    try StoreError.translating(path: path) {
      let finding = try connection.read {
        try String.fetchOne($0, sql: "PRAGMA \(pragma)(1)")
      }
      guard finding == "ok" else {
        throw StoreError.corrupt(path: path, reason: finding ?? "the check gave no answer")
      }
    }
  }

  /// Copies the database into a new file while other processes read and write it.
  ///
  /// Only the owner can read the copy, which is one file without a log and without the unfinished
  /// row of `run`. A failure leaves none. The caller renames it when all else is done.
  package func backUp(
    to destination: String, withoutRun run: Int64? = nil, files: [BackupFile] = []
  ) throws {
    try DatabaseFile.backUp(connection, to: destination) {
      try $0.execute(sql: "DELETE FROM sync_runs WHERE id = ?", arguments: [run])
      try BackupFiles.add(files, to: $0)
    }
  }

  /// Updates SQLite's index statistics and frees unused pages.
  ///
  /// It also empties the log unless a reader still uses it, for which it does not wait.
  package func optimize() throws {
    try StoreError.translating(path: path) {
      try connection.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA optimize; VACUUM")
        try DatabaseFile.withoutWaiting(database) { _ = try database.checkpoint(.truncate) }
      }
    }
  }
}

extension DatabaseFile {
  /// Copies a database of any schema into a new file; see `Store.backUp`.
  ///
  /// All pages are read in one snapshot, so that a writer neither waits nor makes it start again.
  static func backUp(
    _ connection: DatabaseQueue, to destination: String,
    changing change: (Database) throws -> Void = { _ in }
  ) throws {
    try StoreError.translating(path: destination) {
      try createEmpty(destination, named: destination)
      do {
        let copy = try DatabaseQueue(path: destination)
        try connection.backup(to: copy)
        try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try copy.write(change)
        try copy.close()
      } catch {
        remove(destination)
        throw error
      }
    }
  }

  /// What SQLite adds to the name of a database for the files beside it.
  static let logSuffixes = ["-wal", "-shm", "-journal"]

  /// Removes the files of a database that nobody needs.
  static func remove(_ path: String) {
    for suffix in [""] + logSuffixes { unlink(path + suffix) }
  }
}

/// What `firetally doctor` asks of a database.
extension Store {
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Checks every page, but not whether the indexes hold what the tables do: some ten times faster
  /// than `checkIntegrity`.
  ///
  /// - Throws: `StoreError.corrupt` with the first problem.
  package func checkPages() throws { try check("quick_check") }
}

extension Readable {
  package func storedSchemaVersion() throws -> Int {
    try reader.count("PRAGMA user_version")
  }

  /// When the first run of the ledger began; nil when there is none.
  package func firstRunStartedAt() throws -> Instant? {
    try reader.instant("SELECT min(started_at) FROM sync_runs")
  }
}
