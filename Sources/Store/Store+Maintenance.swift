import Foundation
import GRDB

/// What keeps a database in good order.
extension Store {
  /// Reads every page and index.
  ///
  /// - Throws: `StoreError.corrupt` with the first thing that is wrong.
  package func checkIntegrity() throws {
    try StoreError.translating(path: path) {
      let finding = try connection.read {
        try String.fetchOne($0, sql: "PRAGMA integrity_check(1)")
      }
      guard finding == "ok" else {
        throw StoreError.corrupt(path: path, reason: finding ?? "the check gave no answer")
      }
    }
  }

  /// Copies the database into a new file, while others read and write it.
  ///
  /// The copy is complete under its final name, or absent: it is written beside it first. Like the
  /// database it can be read and written by its owner only.
  package func backUp(to destination: String) throws {
    let unfinished = destination + ".part"
    try StoreError.translating(path: destination) {
      try removeIfThere(unfinished)
      try DatabaseFile.createEmpty(unfinished, named: destination)
      let copy = try DatabaseQueue(path: unfinished)
      try connection.backup(to: copy)
      try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try copy.close()
    }
    guard rename(unfinished, destination) == 0 else {
      throw StoreError.cannotOpen(path: destination, reason: String(cString: strerror(errno)))
    }
  }

  /// Lets SQLite renew the statistics that it chooses indexes by, and give free pages back.
  package func optimize() throws {
    try StoreError.translating(path: path) {
      try connection.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA optimize; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
  }

  private func removeIfThere(_ file: String) throws {
    guard unlink(file) != 0, errno != ENOENT else { return }
    throw StoreError.cannotOpen(path: file, reason: String(cString: strerror(errno)))
  }
}
