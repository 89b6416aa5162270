import Foundation
import Model
import StoreTesting
import Testing

@testable import Store

/// What happens around a change of the schema.
struct MigrationTests {
  /// A database of 0.1.0, with or without a row.
  private func older(withRow: Bool) throws -> StoreFile {
    let file = try StoreFile()
    try ReleasedDatabase.make(
      at: file.path, rows: withRow ? "INSERT INTO marks VALUES ('etag', 'one');" : "")
    return file
  }

  @Test func `a migration of rows is told before it happens, once`() throws {
    let file = try older(withRow: true)
    var told: [[Int]] = []
    try Store.open(path: file.path) { migration in
      told.append([migration.schema, migration.target])
      try migration.backUp(to: file.path + ".copy")
    }.close()
    #expect(told == [[ReleasedDatabase.schema, Schema.version]])
    #expect(
      try SQLiteFile.integers(file.path + ".copy", "PRAGMA user_version")
        == [Int64(ReleasedDatabase.schema)])
    #expect(try SQLiteFile.text(file.path + ".copy", "SELECT value FROM marks") == ["one"])
    try Store.open(path: file.path) { _ in told.append([]) }.close()
    #expect(told.count == 1)
    #expect(try SQLiteFile.integers(file.path, "PRAGMA user_version") == [Int64(Schema.version)])
  }

  @Test func `a database without rows is migrated without a word, as is a new one`() throws {
    let file = try older(withRow: false)
    try Store.open(path: file.path) { _ in Issue.record("nothing to lose") }.close()
    #expect(try SQLiteFile.integers(file.path, "PRAGMA user_version") == [Int64(Schema.version)])
    let new = try StoreFile()
    try Store.open(path: new.path) { _ in Issue.record("nothing to lose") }.close()
  }

  @Test func `what is thrown before a migration leaves the schema as it is`() throws {
    struct NoRoom: Error {}
    let file = try older(withRow: true)
    #expect(throws: NoRoom.self) { try Store.open(path: file.path) { _ in throw NoRoom() } }
    #expect(
      try SQLiteFile.integers(file.path, "PRAGMA user_version") == [Int64(ReleasedDatabase.schema)])
  }

  @Test func `a migrated database and a new one say which program made the schema`() throws {
    for file in [try older(withRow: true), try StoreFile()] {
      try file.open().close()
      let writer = try file.open(.readOnly).read { try $0.mark(named: Schema.writerName) }
      #expect(writer == ProgramVersion.current)
    }
  }
}
