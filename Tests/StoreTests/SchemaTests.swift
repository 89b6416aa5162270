import Foundation
import StoreTesting
import Testing

@testable import Store

@Suite struct SchemaTests {
  @Test func `the migrated schema is the golden one`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    let schema =
      try SQLiteFile.text(
        folder.path,
        """
        SELECT sql || ';' FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid
        """
      ).joined(separator: "\n") + "\n"
    let golden = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Golden/Store/schema.sql")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(schema.utf8).write(to: golden)
      Issue.record("recorded \(golden.path); run again without RECORD_GOLDEN")
    }
    #expect(schema == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
  }

  @Test func `OnlineUsers begins with the app's columns, in its order`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    let columns = try SQLiteFile.text(
      folder.path, "SELECT name FROM pragma_table_info('OnlineUsers') ORDER BY cid")
    #expect(
      columns == [
        "id", "user_id", "user_name", "user_image", "user_gender", "user_country",
        "user_language", "user_age", "user_device_id", "user_device_token", "user_area",
        "user_city", "user_state", "user_decent_time", "user_last_time_seen", "isAd",
        "update_time", "synced_at",
      ])
  }

  @Test func `OnlineUsers has the app's six indexes by name`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    let indexes = try SQLiteFile.text(
      folder.path,
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'index' AND tbl_name = 'OnlineUsers' AND sql IS NOT NULL ORDER BY name
      """)
    #expect(
      indexes == [
        "index_OnlineUsers_isAd_last_time", "index_OnlineUsers_user_area",
        "index_OnlineUsers_user_city", "index_OnlineUsers_user_id",
        "index_OnlineUsers_user_last_time_seen", "index_OnlineUsers_user_state",
      ])
  }

  @Test func `the version counts the migrations, and each has its own identifier`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA user_version") == [Int64(Schema.version)])
    let identifiers = Schema.migrations.map { $0.identifier }
    #expect(
      try SQLiteFile.text(folder.path, "SELECT identifier FROM grdb_migrations ORDER BY 1")
        == identifiers)
    #expect(Set(identifiers).count == Schema.version)
  }

  @Test func `opening an up-to-date database changes nothing in it`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    let before = try SQLiteFile.integers(folder.path, "SELECT count(*) FROM sqlite_schema")
    try folder.open().close()
    #expect(try SQLiteFile.integers(folder.path, "SELECT count(*) FROM sqlite_schema") == before)
  }

  @Test func `a migration that was cut short is completed by the next opening`() throws {
    let folder = try StoreFile()
    try SQLiteFile.execute(
      folder.path,
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      BEGIN;
      \(M001OnlineUsers.sql)
      INSERT INTO grdb_migrations VALUES ('\(M001OnlineUsers.identifier)');
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = 1;
      COMMIT;
      """)
    try folder.open().close()
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA user_version") == [Int64(Schema.version)])
  }

  @Test func `a process killed before its first migration leaves a file that opens`() throws {
    let folder = try StoreFile()
    try SQLiteFile.execute(
      folder.path, "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    try folder.open().close()
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA user_version") == [Int64(Schema.version)])
  }

  @Test func `many that open a new file together all succeed`() async throws {
    let folder = try StoreFile()
    let path = folder.path
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask { try Store.open(path: path).read { try $0.usersCount() } }
      }
      for try await count in group { #expect(count == 0) }
    }
    #expect(try SQLiteFile.integers(path, "PRAGMA user_version") == [Int64(Schema.version)])
  }
}
