import Fixtures
import Foundation
import Model
import Store
import Testing

@testable import firetally

@Suite struct ExportCommandTests {
  @Test(arguments: [
    ["export"], ["sql", "--format", "csv"], ["sql", "--format", "ndjson"],
    ["export", "--format", "ndjson"], ["sql", "--json"],
  ])
  func `what acts on a terminal is shown there, and kept in a pipe`(command: [String]) async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("run", "settings")
    let query = "SELECT char(27) || '[2J' || char(155) || 'x' AS t, 'a' || char(10) || 'b' AS u"
    let terminal = try PseudoTerminal()
    let process = try terminal.start(
      workspace.program, command + [query, "-C", workspace.folder.path])
    let drawn = try await terminal.read(process)
    #expect(drawn.contains("[2J") && process.terminationStatus == 0, "\(drawn)")
    #expect(!drawn.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
    let piped = try await workspace.start(command + [query]).wait()
    #expect(piped.output.unicodeScalars.contains("\u{9B}"))
  }

  private let workspace: TemporaryWorkspace

  init() async throws {
    workspace = try await TemporaryWorkspace(users: 60)
    _ = try await workspace.run("run", "online-users")
  }

  private func file(_ name: String) -> String {
    workspace.folder.appending(path: name).path
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: workspace.folder.appending(path: name))
  }

  // MARK: - Where to

  @Test(
    arguments: [
      (nil, nil, false, ExportFormat.csv, false), ("-", nil, false, .csv, false),
      ("a", nil, false, .csv, false), ("a.csv", nil, false, .csv, false),
      ("a.CSV", nil, false, .csv, false), ("a.csv.gz", nil, false, .csv, true),
      ("a.ndjson", nil, false, .ndjson, false), ("a.jsonl.gz", nil, false, .ndjson, true),
      ("a.parquet", nil, true, .parquet, true), ("a.sqlite", nil, false, .sqlite, false),
      ("a.db", nil, false, .sqlite, false), ("a.csv", .ndjson, false, .ndjson, false),
      ("a.gz", nil, false, .csv, true), ("dir.csv/a", nil, false, .csv, false),
      ("csv", nil, true, .csv, true), (".parquet", nil, false, .csv, false),
    ] as [(String?, ExportFormat?, Bool, ExportFormat, Bool)])
  func `the file's ending says what is not said`(
    to: String?, format: ExportFormat?, gzip: Bool, expected: ExportFormat, isGzip: Bool
  ) {
    let target = ExportTarget(to: to, format: format, isGzip: gzip)
    #expect(target.format == expected)
    #expect(target.isGzip == isGzip)
    #expect(target.file == (to == "-" ? nil : to))
  }

  @Test func `a file appears whole, for its owner alone unless output mode says otherwise`()
    async throws
  {
    let result = try await workspace.run(
      "export", "OnlineUsers", "--to", file("users.csv"), "--json")
    #expect(result.status == 0, "\(result.errors)")
    let count = try workspace.userIds().count
    #expect(
      result.output == """
        {"file":"\(file("users.csv"))","format":"csv","message_type":"export","rows":\(count)}

        """)
    #expect(try String(decoding: bytes("users.csv"), as: UTF8.self).hasPrefix("id,user_id,"))
    let printed = try await workspace.start(["export", "OnlineUsers", "--to", "-"]).wait()
    #expect(Data(printed.output.utf8) == (try bytes("users.csv")))
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file("users.csv"))[.posixPermissions] as? Int
    }
    #expect(try mode() == 0o600)
    try workspace.add("output: {mode: \"0640\"}")
    _ = try await workspace.run("export", "OnlineUsers", "--to", file("users.csv"))
    #expect(try mode() == 0o640)
  }

  @Test(arguments: ["csv", "ndjson", "sqlite"])
  func `gzip holds the same bytes`(format: String) async throws {
    for name in ["plain.\(format)", "small.\(format).gz"] {
      let result = try await workspace.run("export", "v_users", "--to", file(name))
      #expect(result.status == 0, "\(result.errors)")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gunzip")
    process.arguments = [file("small.\(format).gz")]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try bytes("small.\(format)") == bytes("plain.\(format)"))
    #expect(try bytes("plain.\(format)").count > 5_000)
  }

  @Test(
    arguments: [
      ["OnlineUser"], ["DELETE FROM OnlineUsers"], ["SELECT 1; SELECT 2"], ["SELECT x"], [""],
      ["SELECT ?"], ["OnlineUsers", "--format", "xml"], ["OnlineUsers", "--format", "sqlite"],
      ["OnlineUsers", "--to", "a.json"], ["OnlineUsers", "--to", "a.xml.gz"],
      ["OnlineUsers", "--table", "t"], ["OnlineUsers", "--to", "a.db", "--table", "sqlite_a"],
    ])
  func `a wrong command line ends with 64`(arguments: [String]) async throws {
    let result = try await workspace.run(["export"] + arguments)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test func `a misspelt table is answered with the one that was meant`() async throws {
    let result = try await workspace.run("export", "OnlinUsers")
    #expect(
      result.errors.contains("There is no table 'OnlinUsers'. Did you mean 'OnlineUsers'?"))
  }

  @Test(arguments: ["person", "SELECT count(*) FROM person"])
  func `a relation is answered with what reads and writes it`(query: String) async throws {
    let result = try await workspace.run("export", query)
    #expect(result.status == 64)
    #expect(result.errors.contains("'person' is a relation of the report"), "\(result.errors)")
  }

  @Test func `what cannot be written leaves the file as it was`() async throws {
    try workspace.write("before", to: "users.parquet")
    // Other kinds of values each time it runs.
    let query = "SELECT CASE WHEN random() < 0 THEN 1 ELSE 'a' END AS r FROM OnlineUsers LIMIT 1"
    var statuses: Set<Int32> = []
    for _ in 0..<200 where !statuses.contains(65) {
      statuses.insert(
        try await workspace.run("export", query, "--to", file("users.parquet")).status)
      if !statuses.contains(65) { try workspace.write("before", to: "users.parquet") }
    }
    #expect(statuses.contains(65))
    #expect(try bytes("users.parquet") == Data("before".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
        .filter { $0.hasSuffix(".tmp") } == [])
    let nowhere = try await workspace.run("export", "OnlineUsers", "--to", "/nowhere/a.csv")
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.contains("/nowhere/a.csv"))
  }

  @Test(arguments: ["csv", "ndjson", "parquet"])
  func `a standard output that takes nothing ends with 74`(format: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c", "exec \"$0\" \"$@\" > /dev/full", BuiltProgram.url.path, "export", "OnlineUsers",
      "--format", format, "-C", workspace.folder.path,
    ]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    #expect(process.terminationStatus == 74)
    let errors = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    #expect(errors.contains("no space left on device"), "\(errors)")
  }

  // MARK: - Beside other processes

  @Test func `an export that nobody reads from keeps no sync waiting, and has one snapshot`()
    async throws
  {
    let users = try workspace.userIds().count
    let process = Process()
    process.executableURL = BuiltProgram.url
    // More than the pipe and all buffers hold.
    process.arguments = [
      "export", "SELECT a.*, b.user_id AS other FROM OnlineUsers AS a, OnlineUsers AS b", "-C",
      workspace.folder.path,
    ]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    // Once the first byte is here, the snapshot stands.
    var output = pipe.fileHandleForReading.readData(ofLength: 1)
    let store = try Store.open(path: file("data/firetally.sqlite"))
    _ = try store.write { try $0.deleteAllUsers() }
    let sync = try await workspace.run("run", "online-users", "--force")
    #expect([0, 3].contains(sync.status), "\(sync.errors)")
    #expect(process.isRunning)
    output.append(pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 1 + users * users)
  }
}
