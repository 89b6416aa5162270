import Foundation
import GRDB
import Model

/// A file of a workspace in a copy of its database; see `docs/backup.md#what-a-backup-is`.
package struct BackupFile: Hashable, Sendable {
  /// Relative to the workspace.
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

/// The table of a copy that holds files beside the database.
enum BackupFiles {
  static let table = "firetally_files"

  /// Puts files into a copy; what the table had before is gone.
  static func add(_ files: [BackupFile], to copy: Database) throws {
    guard !files.isEmpty else { return }
    try copy.execute(
      sql: """
        DROP TABLE IF EXISTS \(table);
        CREATE TABLE \(table) (path TEXT PRIMARY KEY NOT NULL, bytes BLOB NOT NULL);
        """)
    for file in files {
      try copy.execute(
        sql: "INSERT INTO \(table) (path, bytes) VALUES (?, ?)",
        arguments: [file.path, Data(file.bytes)])
    }
  }
}

extension Writer {
  /// The files that a copy holds, in the order of their paths, which the table is dropped with.
  func takeBackupFiles() throws -> [BackupFile] {
    guard try database.tableExists(BackupFiles.table) else { return [] }
    let files = try reader.rows("SELECT path, bytes FROM \(BackupFiles.table) ORDER BY path") {
      BackupFile(path: $0[0], bytes: Array($0[1] as Data))
    }
    try run("DROP TABLE \(BackupFiles.table)")
    return files
  }
}

extension Readable {
  /// The names of the tables that have a row, SQLite's own left out.
  package func filledTables() throws -> Set<String> {
    let tables = try DatabaseInspection.tables(of: reader.database)
    return Set(try tables.filter { try reader.hasRow(in: $0.quoted) })
  }
}
