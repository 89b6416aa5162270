import GRDB
import GRDBSQLite
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct QueryRunnerTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
    try store.merge([.numbered(1), .numbered(2)])
  }

  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  private func result(
    _ sql: String, _ parameters: [String: SQLValue] = [:], within limits: QueryLimits = .init()
  ) throws -> SQLResult {
    try store.read { try $0.result(of: sql, parameters, within: limits) }
  }

  private func problem(
    _ sql: String, _ parameters: [String: SQLValue] = [:], within limits: QueryLimits = .init()
  ) throws -> QueryProblem? {
    do {
      _ = try result(sql, parameters, within: limits)
      return nil
    } catch let problem as QueryProblem {
      return problem
    }
  }

  /// The rows of each table, and whether the connection is as it was: it writes, and takes texts as
  /// long as ever.
  private func expectUnchanged(_ context: String) throws {
    #expect(try folder.userIds() == ["user-1", "user-2"], "\(context)")
    #expect(try folder.texts("SELECT name FROM sqlite_schema WHERE name = 't'") == [], "\(context)")
    try store.write { writer in
      let state = try [
        longestValue(writer.database), writer.reader.count("PRAGMA query_only"),
      ]
      #expect(state == [1_000_000_000, 0], "\(context)")
      try writer.setMark("x", named: "y")
    }
    #expect(try store.read { try $0.mark(named: "y") } == "x", "\(context)")
  }

  // MARK: - What is read

  @Test func `values come as SQLite has them, NUL included`() throws {
    let sql = """
      SELECT 9223372036854775807 AS a, -9223372036854775808, 1.5, 9e999, 'a' || char(0) || 'ü', '',
        x'00ff', x'', NULL AS z
      """
    let found = try result(sql)
    #expect(
      found.rows == [
        [
          .integer(.max), .integer(.min), .real(1.5), .real(.infinity), .text("a\0ü"), .text(""),
          .blob([0, 255]), .blob([]), .null,
        ]
      ])
    #expect(found.columns.first == "a" && found.columns.last == "z")
  }

  @Test(arguments: [
    "SELECT 1", "select 1;", "-- a\n/* ; b */ SELECT 1 ; ; -- c\n/* d */", "SELECT 1 /* open",
    "WITH n(i) AS (VALUES (1)) SELECT i FROM n", "VALUES (1)", "\u{FEFF}SELECT 1",
    "\t\n\u{C}SELECT 1",
    "SELECT 1 -- '; DELETE FROM OnlineUsers", "/**/SELECT 1", "/*/ SELECT 2 */ SELECT 1",
    "SELECT 1 AS \"a;b\"", "SELECT count(DISTINCT 'a;''b')",
  ])
  func `one statement that reads is run, whatever comments are around it`(sql: String) throws {
    #expect(try result(sql).rows == [[.integer(1)]])
  }

  @Test func `a plan is read as well`() throws {
    #expect(try result("EXPLAIN SELECT 1").columns.contains("opcode"))
    #expect(try result("explain -- a\nquery plan SELECT * FROM OnlineUsers").rows.count == 1)
  }

  @Test func `temporary tables of the connection are read, and views`() throws {
    let found = try store.read { reader in
      try reader.database.execute(
        sql: "PRAGMA query_only = 0; CREATE TEMP TABLE day (n); INSERT INTO day VALUES (7)")
      let found = try reader.result(of: "SELECT n, (SELECT count(*) FROM v_users) FROM day")
      try reader.database.execute(sql: "INSERT INTO day VALUES (8)")
      return found
    }
    #expect(found.rows == [[.integer(7), .integer(2)]])
  }

  @Test func `a transaction's query sees its changes, and the transaction goes on`() throws {
    try store.write { writer in
      try writer.setMark("1", named: "a")
      let sql = "SELECT count(*) FROM marks WHERE name = 'a'"
      #expect(try writer.result(of: sql).rows == [[.integer(1)]])
      try writer.setMark("2", named: "b")
    }
    #expect(try store.read { try $0.mark(named: "b") } == "2")
  }

  @Test func `a store that only reads has queries, too`() throws {
    let reading = try folder.open(.readOnly)
    #expect(
      try reading.read { try $0.result(of: "SELECT count(*) FROM OnlineUsers") }.rows
        == [[.integer(2)]])
  }

  // MARK: - What is refused

  @Test(arguments: [
    "INSERT INTO marks VALUES ('a', 'b')", "DELETE FROM OnlineUsers",
    "UPDATE OnlineUsers SET user_id = 'x'", "REPLACE INTO marks VALUES ('a', 'b')",
    "WITH n AS (SELECT 1) UPDATE OnlineUsers SET user_id = 'x'",
    "WITH n AS (SELECT 1) DELETE FROM OnlineUsers RETURNING user_id",
    "INSERT INTO marks VALUES ('a', 'b') RETURNING 1", "EXPLAIN DELETE FROM OnlineUsers",
    "CREATE TABLE t (a)", "CREATE TEMP TABLE t AS SELECT 1", "DROP TABLE OnlineUsers",
    "PRAGMA query_only = 0", "PRAGMA user_version", "EXPLAIN PRAGMA query_only = 0",
    "EXPLAIN QUERY PLAN PRAGMA query_only = 0", "EXPLAIN EXPLAIN SELECT 1", "EXPLAIN",
    "ATTACH ':memory:' AS x", "DETACH main", "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT a",
    "VACUUM", "VACUUM INTO '/nowhere/x'", "ANALYZE", "REINDEX", "; PRAGMA query_only = 0",
    "-- SELECT\nDELETE FROM OnlineUsers", "/* SELECT */ PRAGMA query_only = 0",
    "-- a\rSELECT 1\nPRAGMA query_only = 0", "-- a\u{2028}SELECT 1\nPRAGMA query_only = 0",
    "/*/ SELECT */ PRAGMA query_only = 0", "\"SELECT\" 1", "SELECTED 1",
  ])
  func `whatever may do more than read is refused, and changes nothing`(sql: String) throws {
    #expect(try problem(sql)?.reason == .writes)
    try expectUnchanged(sql)
  }

  @Test(arguments: [
    "SELECT fts3_tokenizer('a', x'00')", "SELECT load_extension('x')",
    "SELECT writefile('x', 'y')",
  ])
  func `a function that reaches further than the database is not there`(sql: String) throws {
    guard case .wrong = try problem(sql)?.reason else {
      Issue.record("\(sql) ran")
      return
    }
    try expectUnchanged(sql)
  }

  @Test func `a pragma that a query reads as a table cannot write, even in a transaction`() throws {
    try store.write { writer in
      let statistics = "SELECT stat FROM sqlite_stat1 WHERE tbl = 't'"
      try writer.run("CREATE TABLE t (n)")
      try writer.run("CREATE INDEX i ON t (n)")
      try writer.run("INSERT INTO t VALUES (7)")
      try writer.run("ANALYZE t")
      #expect(try writer.reader.count("SELECT n FROM t WHERE n = 7") == 7)
      try writer.run("INSERT INTO t SELECT value FROM json_each('[\(Self.thousand)]')")
      #expect(throws: QueryProblem(.writes)) {
        try writer.result(of: "SELECT * FROM pragma_optimize")
      }
      #expect(try writer.result(of: statistics).rows == [[.text("1 1")]])
      // Without the guard it does.
      try writer.run("SELECT * FROM pragma_optimize")
      #expect(try writer.result(of: statistics).rows == [[.text("1001 1")]])
    }
  }

  private static let thousand = (1...1_000).map(String.init).joined(separator: ",")

  @Test(arguments: ["", "  \n", "-- SELECT 1", "/* SELECT 1 */", ";", " ; ; -- a", "/* open"])
  func `no statement is told apart from a wrong one`(sql: String) throws {
    #expect(try problem(sql) == QueryProblem(.noStatement))
  }

  @Test(arguments: [
    ("SELECT 1; SELECT 2", 10), ("SELECT 1;;\n -- a\n DELETE FROM OnlineUsers", 18),
    ("SELECT 1; x", 10),
  ])
  func `a second statement is an error with its place`(sql: String, offset: Int) throws {
    #expect(try problem(sql) == QueryProblem(.severalStatements, at: offset))
    try expectUnchanged(sql)
  }

  @Test func `a NUL character would hide what follows, so it is refused`() throws {
    #expect(try problem("SELECT 1\0; x")?.offset == 8)
  }

  // MARK: - Parameters

  @Test func `parameters have every kind of value, by any of the three signs`() throws {
    let values: [String: SQLValue] = [
      "a": .integer(.min), "b": .real(0.1), "c": .text("x\0ü"), "d": .blob([0, 1]), "e": .null,
      "f": .text(""), "g": .blob([]), "unused": .integer(1),
    ]
    let found = try result("SELECT :a, @b, $c, :d, :e, :f, :g, :a", values)
    #expect(
      found.rows == [
        [
          .integer(.min), .real(0.1), .text("x\0ü"), .blob([0, 1]), .null, .text(""), .blob([]),
          .integer(.min),
        ]
      ])
  }

  @Test(arguments: [
    ("SELECT ':strat', /* :strat */ :start, :strat", ":strat", 38), ("SELECT ?", "?", 7),
    ("SELECT ?2", "?", 7), ("SELECT @x", "@x", 7), ("SELECT :Start", ":Start", 7),
  ])
  func `a parameter without a value is named, with those that have one`(
    sql: String, name: String, offset: Int
  ) throws {
    let problem = try problem(sql, ["start": .integer(1), "end": .integer(2)])
    #expect(
      problem == QueryProblem(.unknownParameter(name: name, known: [":end", ":start"]), at: offset)
    )
  }

  // MARK: - Limits

  @Test func `a query without an end is stopped in time, and the next one runs`() throws {
    let limits = QueryLimits(seconds: 0.05)
    var found: QueryProblem?
    let time = try ContinuousClock().measure {
      found = try problem(Self.endless, within: limits)
    }
    #expect(found == QueryProblem(.tooLong(seconds: 0.05)))
    #expect(time >= .milliseconds(50) && time < .seconds(5))
    // Without the handler a long statement goes on.
    let long = Self.endless.replacing("FROM n)", with: "FROM n WHERE i < 200000)")
    #expect(try store.read { try $0.count(long) } == 200_000)
    try expectUnchanged("deadline")
  }

  @Test func `a query of long functions is stopped after a few of them`() throws {
    let long =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      + "SELECT max(length(printf('%.*c', 9999000, 'x'))) FROM n"
    var found: QueryProblem?
    let time = try ContinuousClock().measure {
      found = try problem(long, within: QueryLimits(seconds: 0.05))
    }
    // Each takes 0.03 s and more; 500 of them are 10,000 of SQLite's instructions.
    #expect(found == QueryProblem(.tooLong(seconds: 0.05)))
    #expect(time < .seconds(5))
  }

  @Test func `a cancelled task ends it as a cancellation`() async throws {
    let store = store
    let task = Task { try store.read { try $0.result(of: Self.endless) } }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    try expectUnchanged("cancellation")
  }

  @Test(arguments: [(0, 0), (0, 1), (1, 1), (2, 3), (3, 3), (4, 3)])
  func `as many rows as the limit are all there, one more is an error or left out`(
    count: Int, most: Int
  ) throws {
    let sql = "SELECT value FROM json_each('[1,2,3,4]') WHERE value <= \(count)"
    var limits = QueryLimits(rows: most)
    if count > most {
      #expect(try problem(sql, within: limits) == QueryProblem(.tooManyRows(most)))
    } else {
      #expect(try result(sql, within: limits).rows.count == count)
    }
    limits.cutsRows = true
    #expect(
      try result(sql, within: limits).rows
        == (1...5).prefix(min(count, most)).map { [.integer($0)] })
  }

  @Test(arguments: [(1_000, nil), (1_001, QueryProblem.Reason.tooLarge(bytes: 1_000))])
  func `a value may have as many bytes as the limit`(
    count: Int, reason: QueryProblem.Reason?
  ) throws {
    let limits = QueryLimits(valueBytes: 1_000)
    for sql in ["SELECT zeroblob(\(count))", "SELECT length(zeroblob(\(count - 1)) || 'x')"] {
      #expect(try problem(sql, within: limits)?.reason == reason, "\(sql)")
    }
    try expectUnchanged("length")
  }

  @Test func `all values together may have as many bytes as the limit, 24 more for each`() throws {
    let sql = "VALUES ('abc', 1), (x'0102', NULL)"
    let bytes = 4 * 24 + 5
    #expect(try problem(sql, within: QueryLimits(resultBytes: bytes)) == nil)
    #expect(
      try problem(sql, within: QueryLimits(resultBytes: bytes - 1))
        == QueryProblem(.tooLargeResult(bytes: bytes - 1)))
  }

  // MARK: - Places

  @Test(
    arguments: [
      ("SELECT missing", "no such column: missing", 1, 8),
      ("SELECT 1,\n\t'ü', missing\nFROM marks", "no such column: missing", 2, 7),
      ("SELECT 1\r\nFORM x y", "near \"x\": syntax error", 2, 6),
      ("SELECT (1", "incomplete input", 1, 10), ("SELECT\n", "incomplete input", 2, 1),
      ("SELECT 'nope'\nFROM \"nope\"", "no such table: nope", 2, 6),
      ("SELECT 1\nFROM main.nope", "no such table: main.nope", 2, 11),
      ("SELECT nofn(1)", "no such function: nofn", 1, 8),
      ("SELECT 'abc", "unrecognized token: \"'abc\"", 1, 8),
    ])
  func `SQLite's complaint has the line and the character`(
    sql: String, message: String, line: Int, column: Int
  ) throws {
    let problem = try #require(try problem(sql))
    #expect(problem.reason == .wrong(message))
    let place = try #require(problem.place(in: sql))
    #expect(place.line == line && place.column == column, "\(place)")
  }

  @Test func `an error of a running query has no place`() throws {
    let problem = try #require(try problem("SELECT json('{') FROM OnlineUsers"))
    #expect(problem.reason == .wrong("malformed JSON") && problem.offset == nil)
  }
}

/// The longest value that the connection takes.
private func longestValue(_ database: Database) -> Int {
  Int(sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, -1))
}
