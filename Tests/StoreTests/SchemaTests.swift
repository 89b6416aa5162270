import Foundation
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct SchemaTests {
  /// The schema of a file, in the form of the golden ones.
  private func schema(of path: String) throws -> String {
    try SQLiteFile.text(
      path,
      """
      SELECT sql || ';' FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid
      """
    ).joined(separator: "\n") + "\n"
  }

  @Test func `no column of users is newer than the schema`() {
    #expect(UserColumn.allCases.allSatisfy { $0.descriptor.since <= Schema.version })
  }

  @Test func `the migrated schema is the golden one`() throws {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    let schema = try schema(of: folder.path)
    let golden = ReleasedDatabase.golden.deletingLastPathComponent().appending(path: "schema.sql")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(schema.utf8).write(to: golden)
      Issue.record("recorded \(golden.path); run again without RECORD_GOLDEN")
    }
    #expect(schema == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
  }

  @Test func `a database of 0.1.0 gets the schema of a new one`() throws {
    let released = try StoreFile()
    try ReleasedDatabase.make(at: released.path)
    let golden = try Data(contentsOf: ReleasedDatabase.golden)
    #expect(try schema(of: released.path) == String(decoding: golden, as: UTF8.self))
    try released.open().close()
    let (new, store) = try TemporaryStore.opened()
    try store.close()
    #expect(try schema(of: released.path) == schema(of: new.path))
    #expect(
      try SQLiteFile.integers(released.path, "PRAGMA user_version") == [Int64(Schema.version)])
  }

  @Test func `a database of 0.1.0 keeps its rows, in every table`() throws {
    let file = try StoreFile()
    try ReleasedDatabase.make(at: file.path, rows: try ReleasedDatabase.rowInEachTable())
    let tables = try SQLiteFile.text(
      file.path,
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
      """)
    #expect(tables.count == 29)
    // Of the columns that it had: later ones come behind them.
    let query = try Self.rowsOfTables(tables, in: file.path)
    let rows = try SQLiteFile.text(file.path, query)
    #expect(rows.count == tables.count)
    try file.open().close()
    let migrated = try SQLiteFile.text(file.path, query)
    // The program notes which version made the schema.
    func isKept(_ row: String) -> Bool { !row.contains("schema written by") }
    #expect(migrated.filter(isKept) == rows.filter(isKept))
    #expect(try SQLiteFile.text(file.path, "PRAGMA integrity_check") == ["ok"])
  }

  @Test func `a database of 0.1.0 is read as a migrated copy, and stays as it is`() throws {
    let file = try StoreFile()
    try ReleasedDatabase.make(at: file.path)
    let before = try Data(contentsOf: URL(filePath: file.path))
    var copied: [Int] = []
    let store = try Store.openToRead(path: file.path) { copied.append($0) }
    #expect(copied == [ReleasedDatabase.schema])
    #expect(try store.read { try $0.mark(named: "word") } == "old")
    #expect(try store.read { try $0.storedSchemaVersion() } == Schema.version)
    try store.close()
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    #expect(try SQLiteFile.integers(file.path, "PRAGMA user_version") == [23])
  }

  @Test func `a database of this schema is read without a copy, and one between releases not`()
    throws
  {
    let (file, store) = try TemporaryStore.opened()
    try store.close()
    try Store.openToRead(path: file.path) { _ in Issue.record("copied") }.close()
    try SQLiteFile.execute(file.path, "PRAGMA user_version = 24")
    #expect(throws: StoreError.unreleasedSchema(path: file.path, version: 24)) {
      try Store.openToRead(path: file.path) { _ in Issue.record("copied") }
    }
  }

  /// A query that gives each row of the tables as a text.
  private static func rowsOfTables(_ tables: [String], in path: String) throws -> String {
    try tables.map { table in
      let columns = try SQLiteFile.text(path, "SELECT name FROM pragma_table_info('\(table)')")
      return "SELECT '\(table)' || json_array(\(columns.joined(separator: ", "))) FROM \(table)"
    }.joined(separator: " UNION ALL ")
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
      ]
        + UserColumn.allCases.map(\.descriptor).filter { $0.since > Migration.release010.version }
        .map(\.name)
    )
  }

  @Test func `a column of a later schema is added to both tables, with the value of no field`()
    throws
  {
    let file = try StoreFile()
    let added = UserColumn.allCases.map(\.descriptor)
    try SQLiteFile.execute(
      file.path,
      """
      CREATE TABLE OnlineUsers (id INTEGER PRIMARY KEY);
      CREATE TABLE OnlineUsers_staging (id INTEGER PRIMARY KEY);
      INSERT INTO OnlineUsers DEFAULT VALUES;
      \(OnlineUsersTable.additions(0...Schema.version))
      """)
    for table in ["OnlineUsers", "OnlineUsers_staging"] {
      let columns = try SQLiteFile.text(
        file.path, "SELECT name || ' ' || type FROM pragma_table_info('\(table)')")
      #expect(
        columns.dropFirst() == added.map { "\($0.name) \($0.isInteger ? "INTEGER" : "TEXT")" }[...])
    }
    for column in added {
      let values = try SQLiteFile.text(file.path, "SELECT quote(\(column.name)) FROM OnlineUsers")
      #expect(values == [column.isInteger ? "0" : "''"])
    }
    #expect(OnlineUsersTable.additions(Schema.version + 1...Schema.version + 1).isEmpty)
  }

  /// What is released stays, whatever columns come: docs/guides/add-a-column.md.
  @Test func `0.2.0 is schema 30, and its databases are brought up to date`() {
    #expect(Migration.release020.version == 30 && Schema.leads(from: 30) && !Schema.leads(from: 29))
    #expect(Schema.migrations.prefix(3).map { $0.version } == [23, 30, 34])
  }

  @Test func `0.3.0 is schema 39, and its databases are brought up to date`() {
    #expect(Schema.leads(from: 39) && Schema.version >= 39)
  }

  @Test func `each step since the last release has its number, one after the other`() {
    let steps = Migration.sinceRelease020
    #expect(steps.map(\.version) == Array(34...Schema.version))
    #expect(steps.first?.identifier == "since-0.2.0")
    for version in 34..<Schema.version { #expect(Schema.leads(from: version)) }
    for version in 31...33 { #expect(!Schema.leads(from: version)) }
  }

  @Test func `a database of a development build gets the later steps alone`() throws {
    let text = """
      -- Nobody runs this.
      -- schema 31
      CREATE TABLE one (id INTEGER PRIMARY KEY);
      -- schema 32
      ALTER TABLE one ADD COLUMN word TEXT;
      CREATE TABLE two (id INTEGER PRIMARY KEY);
      """
    let steps = Migration.steps(of: text, named: "test", after: 30)
    #expect(steps.map(\.version) == [31, 32] && steps.map(\.identifier) == ["test", "test-32"])
    let connection = try DatabaseQueue()
    try Schema.migrate(connection, Array(steps.prefix(1)))
    try connection.write { try $0.execute(sql: "INSERT INTO one VALUES (7)") }
    #expect(try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 31)
    try Schema.migrate(connection, steps)
    #expect(try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 32)
    #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT id FROM one") } == 7)
    #expect(
      try connection.read { try Int.fetchOne($0, sql: "SELECT count(word) FROM one, two") } == 0)
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

  @Test func `each migration has its own identifier and a higher version than the one before`()
    throws
  {
    let (folder, store) = try TemporaryStore.opened()
    try store.close()
    #expect(try SQLiteFile.integers(folder.path, "PRAGMA user_version") == [Int64(Schema.version)])
    let identifiers = Schema.migrations.map { $0.identifier }
    #expect(
      try SQLiteFile.text(folder.path, "SELECT identifier FROM grdb_migrations ORDER BY 1")
        == identifiers)
    #expect(Set(identifiers).count == identifiers.count)
    let versions = Schema.migrations.map { $0.version }
    #expect(versions == versions.sorted() && Set(versions).count == versions.count)
    #expect(versions.last == Schema.version && versions.first == ReleasedDatabase.schema)
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
    let first = Migration.release010
    try SQLiteFile.execute(
      folder.path,
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      BEGIN;
      \(first.sql)
      INSERT INTO grdb_migrations VALUES ('\(first.identifier)');
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = \(first.version);
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
