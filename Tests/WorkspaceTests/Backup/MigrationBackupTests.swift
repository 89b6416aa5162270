import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@testable import Workspace

/// Held against `docs/backup.md#upgrades`.
struct MigrationBackupTests {
  private let temporary: TemporaryFolder
  private let workspace: Workspace

  init() throws {
    temporary = try TemporaryFolder()
    workspace = Workspace(root: temporary.path)
    try workspace.makeFolders()
  }

  /// Opens the database, and returns what was told.
  private func open(at now: Instant = .morning) throws -> [String] {
    var notes: [String] = []
    try workspace.openStore(at: now) { notes.append($0) }.close()
    return notes
  }

  /// Replaces the database by one of the schema before.
  private func makeOlder() throws {
    for suffix in ["", "-wal", "-shm"] { unlink(workspace.databasePath + suffix) }
    try ReleasedDatabase.make(at: workspace.databasePath)
  }

  private var entries: [BackupEntry] {
    get throws { try BackupFolder(workspace.backupsFolder).entries() }
  }

  @Test func `a new database and one of this schema are opened without a word`() throws {
    #expect(try open().isEmpty)
    #expect(try open().isEmpty)
    #expect(try entries.isEmpty)
  }

  @Test func `a migration is told in a line, with the copy of before`() throws {
    _ = try open()
    try makeOlder()
    let name = "firetally-2026-01-31T080000Z-before-\(Store.schemaVersion).sqlite.gz"
    #expect(
      try open() == [
        "The database was upgraded from schema \(ReleasedDatabase.schema) to \(Store.schemaVersion); "
          + "a copy of the old one is \(workspace.backupsFolder)/\(name)."
      ])
    let entry = try #require(try entries.first)
    #expect(
      entry.name == name && entry.schema == ReleasedDatabase.schema && entry.reason == .migration)
    #expect(try BackupCheck(entry.path, expandingIn: temporary.path).problems.isEmpty)
    #expect(try open().isEmpty)
  }

  @Test func `the copies before the newest three migrations stay`() throws {
    _ = try open()
    for day in 0..<5 {
      try makeOlder()
      #expect(try open(at: .morning + .seconds(86_400 * day)).count == 1)
    }
    #expect(
      try entries.map { $0.createdAt.iso8601.prefix(10) } == [
        "2026-02-04", "2026-02-03", "2026-02-02",
      ])
  }

  @Test func `without room for a copy the schema stays as it is`() throws {
    _ = try open()
    try makeOlder()
    try temporary.write("no folder", to: "data/backups")
    #expect(throws: WorkspaceError.self) { try open() }
    #expect(
      try SQLiteFile.integers(workspace.databasePath, "PRAGMA user_version")
        == [Int64(ReleasedDatabase.schema)])
    try FileManager.default.removeItem(atPath: workspace.backupsFolder)
    #expect(try open().count == 1)
  }
}
