import Foundation
import GRDB
package import Model

/// A database that was unpacked from a copy, before it takes the place of the present one.
package enum RestoredDatabase {
  package struct Changes: Hashable, Sendable {
    /// Outbox items that are marked as ones that may have been delivered.
    package var markedItems: Int
    /// People who had been erased, and were so again.
    package var erasedAgain: Int
    /// Those of a workspace that the file held, in the order of their paths.
    package var files: [BackupFile]
  }

  /// Brings the file to this program's schema, takes the files of the workspace out, marks what may
  /// have been delivered since, and erases again who was erased since, all in one transaction.
  ///
  /// Nobody else has the file open. It is one file without a log afterwards. It is no workspace's
  /// database yet, so that dying in the middle loses nothing. It takes over the tombstones, which
  /// are those of the database that it replaces, and others; `eraseAgain` erases their people, and
  /// returns how many it found.
  ///
  /// - Throws: `StoreError`; also for a newer schema.
  package static func prepare(
    _ path: String, at now: Instant, with erasures: [Erasures] = [],
    eraseAgain: (Writer) throws -> Int = { _ in 0 }
  ) throws -> Changes {
    let store = try Store.open(path: path)
    let changes = try store.erasing { writer in
      let files = try writer.takeBackupFiles()
      for known in erasures { _ = try writer.adopt(known) }
      return Changes(
        markedItems: try writer.markMayHaveArrived(at: now), erasedAgain: try eraseAgain(writer),
        files: files)
    }
    if changes.erasedAgain > 0 { _ = try store.scrub() }
    try store.seal()
    return changes
  }

  /// Runs `body` while the database at `path` is one file without a log that nobody has open.
  ///
  /// A process that opens it meanwhile waits. When the file has been renamed, that process cannot
  /// write to it, nor leave a log beside the new one: SQLite refuses with SQLITE_READONLY_DBMOVED.
  ///
  /// - Throws: `StoreError.busy` while another process has it open, at once; what `body` throws;
  ///   and an error with `isCorrupt` for a file that SQLite cannot open.
  package static func withSealed(_ path: String, _ body: () throws -> Void) throws {
    try StoreError.translating(path: path) {
      let connection = try DatabaseQueue(path: path)
      try connection.writeWithoutTransaction { database in
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw StoreError.busy(path: path) }
        try database.inTransaction(.exclusive) {
          try body()
          return .rollback
        }
      }
      try connection.close()
    }
  }

  /// The files that SQLite keeps beside a database, by what their names end with.
  package static var logSuffixes: [String] { DatabaseFile.logSuffixes }

  /// Removes a draft with the files beside it.
  package static func remove(_ path: String) { DatabaseFile.remove(path) }

  /// Whether changes wait beside a database that are not in its file.
  package static func hasLog(_ path: String) -> Bool { DatabaseFile.hasLog(path: path) }
}

extension Store {
  /// Brings everything into the one file, without a log beside it, and closes it.
  package func seal() throws {
    try outsideTransaction { database in
      _ = try database.checkpoint(.truncate)
      try database.execute(sql: "PRAGMA journal_mode = DELETE")
    }
    try close()
  }
}

extension Writer {
  /// Marks every item that is not delivered as one that the server may have, and counts them.
  ///
  /// The copy does not know what was delivered after it was made, nor under which name.
  package func markMayHaveArrived(at now: Instant) throws -> Int {
    try run(
      """
      UPDATE outbox SET sending_since = coalesce(sending_since, ?), target = NULL
      WHERE state <> 'delivered'
      """,
      [now.microseconds])
  }
}
