import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct ExportQueryTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
    try store.merge([.numbered(1), .numbered(2)])
  }

  /// The columns' names, and each cell as SQLite would say it.
  private func rows(_ text: String) throws -> [[String]] {
    try store.read { reader in
      let query = try reader.exportQuery(text)
      var rows = [query.columns.map(\.name)]
      try query.forEachRow { rows.append($0.map(Self.text)) }
      return rows
    }
  }

  private static func text(_ cell: TableCell) -> String {
    switch cell {
    case .null: "NULL"
    case .integer(let number): "i\(number)"
    case .real(let number): "r\(number)"
    case .text(let bytes): "t\(String(decoding: bytes, as: UTF8.self))"
    case .blob(let bytes): "b\(Array(bytes))"
    }
  }

  private func refusal(_ text: String) -> QueryProblem.Reason? {
    do {
      _ = try rows(text)
      return nil
    } catch {
      return (error as? QueryProblem)?.reason
    }
  }

  @Test func `a value of a SELECT has 64,000,000 bytes at most, one of a table any number`() throws
  {
    #expect(try rows("SELECT length(zeroblob(64000000))").last == ["i64000000"])
    #expect(
      refusal("SELECT length(zeroblob(64000001))") == .tooLarge(bytes: 64_000_000))
    try store.write { _ = try $0.run("CREATE VIEW long AS SELECT length(zeroblob(64000001)) AS n") }
    #expect(try rows("long").last == ["i64000001"])
    // The connection is as it was.
    let length = try store.read { try $0.count("SELECT length(zeroblob(64000001))") }
    #expect(length == 64_000_001)
  }

  @Test(arguments: [
    ("events", ["at"]), ("V_EVENTS", ["at"]), ("OnlineUsers", ["update_time", "synced_at"]),
    ("SELECT at AS begin, id, at FROM v_events", ["begin", "at"]),
    ("SELECT max(at), at + 1, CAST(at AS INTEGER) FROM events", []),
    ("SELECT user_last_time_seen FROM v_users", []), ("Own", []),
    ("WITH e AS (SELECT at, id FROM events) SELECT * FROM e JOIN Own", ["at"]),
  ])
  func `the columns of instants are those that views show as times, taken as they are`(
    text: String, instants: [String]
  ) throws {
    try store.write { _ = try $0.run("CREATE TABLE Own (at INTEGER, at_iso TEXT)") }
    let columns = try store.read { try $0.exportQuery(text).columns }
    #expect(columns.filter(\.isInstant).map(\.name) == instants)
  }

  @Test func `the notes of columns of instants name their unit`() throws {
    for view in TimeViews.all {
      for (columns, unit) in [(view.micros, "microseconds"), (view.seconds, "seconds")] {
        for column in columns {
          let note = try #require(SchemaNotes.columns[view.table]?[column], "\(column)")
          #expect(note.contains(" \(unit) since 1970"), "\(view.table).\(column): \(note)")
        }
      }
    }
  }

  @Test func `values come as SQLite stores them`() throws {
    #expect(
      try rows(
        """
        SELECT 9223372036854775807, -9223372036854775808, 1.5, 9e999, 'a' || char(0) || 'b', '',
          x'00ff', x'', NULL
        """
      ).last == [
        "i9223372036854775807", "i-9223372036854775808", "r1.5", "rinf", "ta\0b", "t", "b[0, 255]",
        "b[]", "NULL",
      ])
  }

  @Test(arguments: ["OnlineUsers", "onlineusers", "v_users"])
  func `a name means all rows of the table or view, in any case`(name: String) throws {
    #expect(try rows(name).count == 3)
  }

  @Test func `a query can begin with a comment, and end with a semicolon and one`() throws {
    #expect(try rows("-- a\n/* b */ select 1 AS n; -- c\n") == [["n"], ["i1"]])
    #expect(try rows("WITH t(n) AS (VALUES (1)) SELECT n FROM t;") == [["n"], ["i1"]])
    #expect(try rows("VALUES (1), (2)").count == 3)
  }

  @Test func `names that come twice are told apart, and an empty result has its names`() throws {
    #expect(try rows("SELECT 1 AS a, 2 AS a WHERE 0") == [["a", "a_1"]])
  }

  @Test(arguments: [
    "DELETE FROM OnlineUsers", "INSERT INTO marks VALUES ('a', 'b')", "DROP TABLE marks",
    "CREATE TABLE t (a)", "PRAGMA user_version = 1", "PRAGMA user_version",
    "ATTACH ':memory:' AS x",
    "BEGIN IMMEDIATE", "VACUUM INTO '/tmp/x'", "WITH t AS (SELECT 1) DELETE FROM marks",
    "WITH t AS (SELECT 1) INSERT INTO marks SELECT 'a', 'b'", "SAVEPOINT a",
    "/* SELECT */ DELETE FROM marks", "-- SELECT\nDELETE FROM marks", "REINDEX;",
    "; SELECT 1", "-- a\rSELECT 1\nPRAGMA user_version", "-- a\u{2028}SELECT\nBEGIN",
  ])
  func `whatever is no SELECT is refused, and changes nothing`(sql: String) throws {
    #expect(refusal(sql) == .writes)
    #expect(try store.read { try $0.usersCount() } == 2)
    #expect(try folder.texts("SELECT name FROM sqlite_schema WHERE name = 't'") == [])
  }

  @Test(arguments: ["SELECT 1; SELECT 2", "SELECT 1; DELETE FROM OnlineUsers"])
  func `one statement only`(sql: String) throws {
    #expect(refusal(sql) == .severalStatements)
    #expect(try store.read { try $0.usersCount() } == 2)
  }

  @Test func `other mistakes have sentences of their own`() throws {
    #expect(refusal("") == .noStatement)
    #expect(refusal("SELECT ?") == .unknownParameter(name: "?", known: []))
    #expect(refusal("SELECT :name") == .unknownParameter(name: ":name", known: []))
    #expect(refusal("SELECT missing") == .wrong("no such column: missing"))
    #expect(refusal("OnlineUser") == .wrong("no such table: OnlineUser"))
  }

  @Test func `a cancelled task ends a query that gives no row for long`() async throws {
    let store = store
    let task = Task {
      try store.read { reader in
        let query = try reader.exportQuery(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
        try query.forEachRow { _ in }
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.read { try $0.usersCount() } == 2)
  }

  @Test func `a copy as SQLite keeps every value and the types that convert none`() throws {
    let other = try StoreFile()
    let sql = """
      SELECT user_id, update_time, 1.0 AS whole, '1' AS digits, x'00ff' AS b, 'a' || char(0) AS z,
        NULL AS gone, 9223372036854775807 AS "odd "" name", user_id,
        iif(user_id = 'user-1', 1, 1.5) AS mixed, nullif(user_id, 'user-1') AS late
      FROM OnlineUsers ORDER BY 1
      """
    let count = try store.read {
      try $0.exportQuery(sql).copyRows(toDatabase: other.path, table: "my \"t", named: other.path)
    }
    #expect(count == 2)
    #expect(
      try SQLiteFile.text(other.path, "SELECT sql FROM sqlite_schema") == [
        """
        CREATE TABLE "my ""t" ("user_id" TEXT, "update_time" INTEGER, "whole" REAL, "digits" TEXT, \
        "b" BLOB, "z" TEXT, "gone", "odd "" name" INTEGER, "user_id_1" TEXT, "mixed", "late" TEXT)
        """
      ])
    #expect(
      try SQLiteFile.text(
        other.path,
        """
        SELECT printf('%s|%s|%s|%s|%s|%s|%s|%s', user_id, update_time, typeof(whole),
          typeof(digits), hex(b), hex(z), typeof(gone), "odd "" name") FROM "my ""t" LIMIT 1
        """
      ) == ["user-1|1|real|text|00FF|6100|null|9223372036854775807"])
    #expect(
      try SQLiteFile.text(other.path, "SELECT typeof(mixed) || typeof(late) FROM \"my \"\"t\"")
        == ["integernull", "realtext"])
    #expect(try SQLiteFile.text(other.path, "PRAGMA integrity_check") == ["ok"])
  }
}
