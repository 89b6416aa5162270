import Foundation
import Model
import Store
import Testing

@testable import firetally

@Suite struct SQLCommandTests {
  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 5)
  }

  private static let values = """
    SELECT 1 AS n, 0.5 AS half, 'a,"b"' AS name, x'00ff' AS bytes, NULL AS none
    UNION ALL SELECT 1000, 2.0, 'ü', x'', '' ORDER BY 1
    """

  @Test(
    arguments: [
      (
        "table",
        "   n  half  name   bytes  none\n"
          + "   1   0.5  a,\"b\"  AP8=   -\n"
          + "1000   2.0  ü             \n"
      ),
      (
        "csv",
        "n,half,name,bytes,none\r\n1,0.5,\"a,\"\"b\"\"\",AP8=,\r\n1000,2.0,ü,\"\",\"\"\r\n"
      ),
      (
        "ndjson",
        """
        {"n":1,"half":0.5,"name":"a,\\"b\\"","bytes":{"$base64":true,"encoded":"AP8="},"none":null}
        {"n":1000,"half":2.0,"name":"ü","bytes":{"$base64":true,"encoded":""},"none":""}

        """
      ),
      (
        "json",
        """
        [{"n":1,"half":0.5,"name":"a,\\"b\\"","bytes":{"$base64":true,"encoded":"AP8="},"none":null},
        {"n":1000,"half":2.0,"name":"ü","bytes":{"$base64":true,"encoded":""},"none":""}]

        """
      ),
    ])
  func `each format has every kind of value`(format: String, expected: String) async throws {
    let result = try await workspace.run("sql", Self.values, "--format", format)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == expected)
  }

  @Test(arguments: [
    ("SELECT user_contry FROM v_users", "Did you mean 'user_country'?"),
    ("SELECT u.user_nam FROM OnlineUsers u", "Did you mean 'user_name'?"),
    ("SELECT * FROM OnlineUser", "Did you mean 'OnlineUsers'?"),
    ("SELECT nothing_like_it FROM v_users", "no such column: nothing_like_it"),
  ])
  func `a misspelt column is named with the one that was meant`(sql: String, words: String)
    async throws
  {
    _ = try await workspace.run("run", "settings")
    let result = try await workspace.run("sql", sql)
    #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
  }

  @Test func `with --json each row is a line that says so`() async throws {
    let result = try await workspace.run("sql", "VALUES (1, 'a'), (2, NULL)", "--json")
    #expect(
      result.output == """
        {"message_type":"row","row":{"column1":1,"column2":"a"}}
        {"message_type":"row","row":{"column1":2,"column2":null}}

        """)
    let none = try await workspace.run("sql", "SELECT 1 WHERE 0", "--json")
    #expect(none.output.isEmpty && none.status == 0)
    let array = try await workspace.run("sql", "SELECT 1 WHERE 0", "--json", "--format", "json")
    #expect(array.output == "[]\n")
  }

  @Test func `the period, now and the time zone are the report's`() async throws {
    try workspace.write(
      "kind: report\nperiod: yesterday\ntime_zone: Asia/Tokyo\n", to: "jobs/report.yml")
    let result = try await workspace.run(
      "sql", "SELECT :start, :end, :now / 60000000, :time_zone", "--format", "csv")
    let now = TemporaryWorkspace.morning.microseconds
    // 08:00 in UTC is 17:00 in Tokyo.
    let today = now - 17 * 3_600 * 1_000_000
    #expect(
      result.output.split(separator: "\r\n").last
        == "\(today - 86_400_000_000),\(today),\(now / 60_000_000),Asia/Tokyo")
  }

  @Test func `the stored data is read beside a lock, and without a database there is none`()
    async throws
  {
    let count = "SELECT count(*) AS n FROM OnlineUsers"
    #expect(try await workspace.run("sql", count).output == "n\n0\n")
    #expect(
      !FileManager.default.fileExists(
        atPath: workspace.folder.appending(path: "data/firetally.sqlite").path))
    _ = try await workspace.run("run", "online-users")
    let users = try workspace.userIds().count
    #expect(users > 0)
    let lock = try FileHandle(
      forWritingTo: workspace.folder.appending(path: "data/firetally.lock"))
    #expect(flock(lock.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try await workspace.run("sql", count).output == "n\n\(users)\n")
    let refused = try await workspace.run("sql", "DELETE FROM OnlineUsers")
    #expect(refused.status == 64)
    #expect(try workspace.userIds().count == users)
  }

  // MARK: - Files

  @Test func `a query comes from a file, or from standard input`() async throws {
    try workspace.write("-- two\nSELECT 2 AS n;\n", to: "two.sql")
    let path = workspace.folder.appending(path: "two.sql")
    #expect(try await workspace.run("sql", "--file", path.path).output == "n\n2\n")
    for arguments in [["sql", "-"], ["sql", "--file", "-"]] {
      let running = try workspace.program.start(
        arguments + ["-C", workspace.folder.path], input: FileHandle(forReadingFrom: path))
      let result = try await running.wait()
      #expect(result.output == "n\n2\n", "\(result.errors)")
    }
  }

  @Test func `a file that cannot be a query says why`() async throws {
    let missing = try await workspace.run("sql", "--file", "/nowhere/a.sql")
    #expect(missing.status == 65)
    #expect(missing.errors.contains("/nowhere/a.sql"))
    let path = workspace.folder.appending(path: "bad.sql")
    try Data([0x53, 0xFF]).write(to: path)
    let bytes = try await workspace.run("sql", "--file", path.path)
    #expect(bytes.status == 65)
    #expect(bytes.errors.contains("bad.sql is not UTF-8"))
    try Data(repeating: 0x20, count: 1_000_001).write(to: path)
    let long = try await workspace.run("sql", "--file", path.path)
    #expect(long.status == 65)
    #expect(long.errors.contains("more than 1000000 bytes"))
  }

  // MARK: - Errors

  @Test func `a mistake has its line with a caret, and what to do`() async throws {
    let result = try await workspace.run("sql", "SELECT 'ü',\n  nam FROM v_users")
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == """
        firetally: Line 2, column 3: SQLite cannot run the query: no such column: nam.
            nam FROM v_users
            ^
        `firetally schema` lists tables, views and relations with their columns.

        """)
    let table = try await workspace.run("sql", "SELECT 1 FROM v_user")
    #expect(table.errors.contains("no such table: v_user. Did you mean 'v_users'?\n"))
  }

  @Test func `a mistake in a file ends with 65 and names file, line and column`() async throws {
    try workspace.write("SELECT 1\nFROM v_users\nWHERE :strat", to: "week.sql")
    let path = workspace.folder.appending(path: "week.sql").path
    let result = try await workspace.run("sql", "--file", path)
    #expect(result.status == 65)
    #expect(
      result.errors.hasPrefix(
        "firetally: \(path):3:7: The parameter :strat has no value. "
          + "There are :end, :now, :start, :time_zone.\n"))
    let errors = try await workspace.run("sql", "--file", path, "--json").errors
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any])
    #expect(line["message_type"] as? String == "error")
    #expect(line["line"] as? Int == 3 && line["column"] as? Int == 7)
    #expect(line["file"] as? String == path)
    #expect(line["code"] as? Int == 65)
  }

  @Test func `of a long line the part around the mistake is shown`() throws {
    let sql = "SELECT " + (1...100).map { "'column \($0)'" }.joined(separator: ", ") + ", x y z"
    let offset = sql.utf8.count - 1
    let problem = QueryProblem(.wrong("w"), at: offset)
    let text = QueryExcerpt(
      problem: problem, place: problem.place(in: sql), file: nil, tables: []
    ).text
    let lines = text.split(separator: "\n").map(Array.init)
    #expect(lines[1].count <= QueryExcerpt.width + 4)
    #expect(lines[1].starts(with: "  …"))
    #expect(lines[2].last == "^" && lines[1][lines[2].count - 1] == "z")
  }

  @Test(arguments: [
    [], ["SELECT 1", "--file", "a.sql"], ["SELECT 1", "--limit", "0"],
    ["SELECT 1", "--limit", "1000001"], ["SELECT 1", "--timeout", "0s"],
    ["SELECT 1", "--timeout", "2h"], ["SELECT 1", "--timeout", "5"],
    ["SELECT 1", "--format", "xml"], [""], ["SELECT 1; SELECT 2"], ["PRAGMA user_version"],
  ])
  func `a wrong command line ends with 64`(arguments: [String]) async throws {
    let result = try await workspace.run(["sql"] + arguments)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  // MARK: - Limits

  @Test func `rows beyond the limit are left out, which only a limit of one's own makes right`()
    async throws
  {
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001) "
    for (arguments, rows, status) in [
      (["--limit", "2"], 2, 0), (["--limit", "10001"], 10_001, 0), ([], 10_000, 3),
    ] as [([String], Int, Int32)] {
      let result = try await workspace.run(["sql", numbers + "SELECT i FROM n"] + arguments)
      #expect(result.output.split(separator: "\n").count == rows + 1)
      #expect(result.status == status)
      #expect(result.errors.contains("left out") == (status == 3))
    }
    let whole = try await workspace.run("sql", numbers + "SELECT i FROM n WHERE i <= 10000")
    #expect(whole.status == 0)
  }

  @Test func `a query that takes too long is stopped, and says how to allow more`() async throws {
    let result = try await workspace.run(
      "sql", "--timeout", "1s",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    #expect(result.status == 1)
    #expect(result.errors.contains("longer than 1 s") && result.errors.contains("--timeout"))
  }

  @Test func `a function that nothing can interrupt ends with the time, and the program with it`()
    async throws
  {
    let long = "SELECT instr(zeroblob(9000000), zeroblob(4000000) || x'01')"
    let time = ContinuousClock.now
    let result = try await workspace.start(["sql", "--timeout", "1s", long]).wait()
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.errors.contains("longer than 1 s") && result.errors.contains("--timeout"))
    // By itself it takes hours.
    #expect(ContinuousClock.now - time < .seconds(60))
  }

  @Test func `one row that would fill the memory is refused, in sql and in export`() async throws {
    _ = try await workspace.run("run", "settings")
    let values = Array(repeating: "randomblob(9999000)", count: 100).joined(separator: ", ")
    for command in ["sql", "export"] {
      let result = try await workspace.start([command, "SELECT \(values)"]).wait()
      #expect(result.status == 64 && result.output.isEmpty, "\(command)")
      #expect(result.errors.contains("more than 200000000 bytes of memory"), "\(result.errors)")
    }
  }
}

/// Tables of the terminal: docs/sql.md#formats.
@Suite struct WideTableTests {
  /// The length of the shortest line of four, of which one has a long cell in the first column.
  private func length(besideWidth width: Int) -> Int? {
    var table = TextTable(["a", "b"])
    for cell in [String(repeating: "x", count: width), "y", "z"] { table.add([cell, "1"]) }
    return table.text.split(separator: "\n").map(\.utf8.count).min()
  }

  @Test func `cells are padded to the widest, but in a table of 16 MiB and more only to 100`() {
    #expect(length(besideWidth: 500) == 503)
    #expect(length(besideWidth: (4 << 20) - 1) == (4 << 20) + 2)
    #expect(length(besideWidth: 4 << 20) == 103)
  }
}
