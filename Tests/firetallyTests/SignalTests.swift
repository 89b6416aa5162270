import Emulator
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// The first SIGTERM or SIGINT ends every command within 2 s: `docs/commands.md#signals`.
@Suite struct SignalTests {
  /// 2 s, and some for a machine that is busy with other tests.
  private static let limit = Duration.milliseconds(2_700)

  /// An endless computation, as a query.
  private static let endless = """
    SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT i FROM n)
    """

  /// Sends the signal, and returns how the command ended and how long that took.
  private func end(
    _ running: Running, by signal: Int32
  ) async throws -> (status: Int32, reason: Process.TerminationReason, time: Duration) {
    let process = running.process
    let start = ContinuousClock.now
    kill(process.processIdentifier, signal)
    // Other tests may keep the few threads that tasks share: one of its own sees the end.
    let end = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while process.isRunning { usleep(2_000) }
        continuation.resume(returning: ContinuousClock.now)
      }
    }
    return (process.terminationStatus, process.terminationReason, end - start)
  }

  /// A workspace with a database, in which such SQL was run.
  private func workspace(_ sql: String...) async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace()
    #expect(try await workspace.run("run", "settings").status == 0)
    for sql in sql {
      try SQLiteFile.execute(
        workspace.folder.appending(path: "data/firetally.sqlite").path, sql)
    }
    return workspace
  }

  /// Has whatever adds such a row compute for ever.
  private static func endlessInsert(into table: String) -> String {
    "CREATE TRIGGER endless AFTER INSERT ON \(table) BEGIN \(endless); END"
  }

  /// Has whatever reads the settings compute for ever.
  private static let endlessSettings = """
    ALTER TABLE settings RENAME TO settings_copy;
    CREATE VIEW settings AS SELECT * FROM settings_copy WHERE (\(endless)) > 0
    """

  private func pipe(in workspace: TemporaryWorkspace) throws -> String {
    let path = workspace.folder.appending(path: "pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    return path
  }

  /// The pipe's other end, as soon as the command has its own.
  private func writer(to path: String, _ running: Running) async throws -> FileHandle {
    while running.process.isRunning {
      let number = open(path, O_WRONLY | O_NONBLOCK)
      if number >= 0 { return FileHandle(fileDescriptor: number, closeOnDealloc: true) }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw CancellationError()
  }

  /// Waits until it has used the processor for longer than a start takes.
  private func waitUntilItComputes(_ running: Running) async throws {
    while running.process.isRunning {
      let path = "/proc/\(running.process.processIdentifier)/stat"
      let fields = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
      // The 14th, in hundredths of a second.
      if let time = Int(fields[13]), time > 40 { return }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a command that reads a pipe to which nothing is written`(signal: Int32) async throws {
    let workspace = try await workspace()
    let path = try pipe(in: workspace)
    let running = try workspace.start(["events", "import", path])
    let writer = try await writer(to: path, running)
    let (status, _, time) = try await end(running, by: signal)
    #expect(status == 130 && time < Self.limit)
    try writer.close()
    #expect(try await workspace.run("status").status == 0)
  }

  @Test(arguments: [(SIGINT, SIGTERM), (SIGTERM, SIGINT), (SIGTERM, SIGTERM)])
  func `a second signal, also of the other kind, ends a command at once`(
    first: Int32, second: Int32
  ) async throws {
    let workspace = try await workspace()
    let path = try pipe(in: workspace)
    let running = try workspace.start(["events", "import", path])
    let writer = try await writer(to: path, running)
    kill(running.process.processIdentifier, first)
    try await Task.sleep(for: .milliseconds(100))
    let (status, reason, time) = try await end(running, by: second)
    #expect(status == second && reason == .uncaughtSignal)
    #expect(time < .seconds(1))
    try writer.close()
  }

  @Test(arguments: [
    ["report"], ["run", "report"], ["limits", "show"], ["run", "maintain"],
    ["query", "OnlineUsers"], ["refresh"], ["export", endless], ["sql", endless],
  ])
  func `commands that compute in the database`(arguments: [String]) async throws {
    let workspace = try await workspace(
      arguments.contains("maintain") || arguments.contains("query")
        ? Self.endlessInsert(into: "sync_runs") : Self.endlessSettings)
    let running = try workspace.start(arguments)
    try await waitUntilItComputes(running)
    let (status, _, time) = try await end(running, by: SIGTERM)
    #expect(status == 130 && time < Self.limit)
  }

  @Test(arguments: [
    ["events", "import"], ["limits", "replay"],
    ["limits", "what-if", "--set", "refresh.limit=5", "--file"],
  ])
  func `commands that read and decide lines without an end`(arguments: [String]) async throws {
    let workspace = try await workspace()
    let path = try pipe(in: workspace)
    let running = try workspace.start(arguments + [path])
    let writer = try await writer(to: path, running)
    let feeder = Process()
    feeder.executableURL = URL(fileURLWithPath: "/usr/bin/yes")
    feeder.arguments = [#"{"at": 1769846400, "user": "u1", "feature": "refresh", "verb": "use"}"#]
    feeder.standardOutput = writer
    feeder.standardError = FileHandle.nullDevice
    _ = fcntl(writer.fileDescriptor, F_SETFL, 0)
    try feeder.run()
    try await waitUntilItComputes(running)
    let (status, _, time) = try await end(running, by: SIGINT)
    #expect(status == 130 && time < Self.limit)
    feeder.terminate()
    feeder.waitUntilExit()
  }

  @Test(arguments: [
    ["inspect"], ["doctor"], ["count", "OnlineUsers"], ["run", "--all", "--force"],
  ])
  func `commands that wait for a server that does not answer`(arguments: [String]) async throws {
    let workspace = try await workspace()
    let before = workspace.server.requests.count
    workspace.server.inject(.delay(.seconds(60)), times: nil)
    let running = try workspace.start(arguments)
    while running.process.isRunning, workspace.server.requests.count == before {
      try await Task.sleep(for: .milliseconds(5))
    }
    let (status, _, time) = try await end(running, by: SIGTERM)
    #expect(status == 130 && time < Self.limit)
  }

  @Test(arguments: [["run", "settings"], ["restore", "latest", "--yes"], ["refresh"]])
  func `commands that wait for the lock`(arguments: [String]) async throws {
    let workspace = try await workspace()
    #expect(try await workspace.run("backup").status == 0)
    let path = workspace.folder.appending(path: "data/firetally.lock").path
    let lock = try #require(FileHandle(forUpdatingAtPath: path))
    try #require(flock(lock.fileDescriptor, LOCK_EX) == 0)
    let running = try workspace.start(arguments + ["--lock-wait", "60"])
    // It waits without a word.
    try await Task.sleep(for: .milliseconds(500))
    let (status, _, time) = try await end(running, by: SIGTERM)
    #expect(status == 130 && time < Self.limit)
    try lock.close()
  }

  @Test
  func `a job that computes in the database is interrupted, and recorded as that`() async throws {
    let workspace = try await workspace(Self.endlessInsert(into: "OnlineUsers"))
    let running = try workspace.start(["run", "online-users"])
    try await waitUntilItComputes(running)
    let (status, _, time) = try await end(running, by: SIGTERM)
    #expect(status == 130 && time < Self.limit)
    let run = try workspace.store().read { try $0.lastRuns() }["online-users"]
    #expect(run?.outcome == .interrupted && run?.endedAt != nil)
  }

  @Test
  func `a job that computes in the database ends with its timeout, and has failed`() async throws {
    let workspace = try await workspace(Self.endlessInsert(into: "OnlineUsers"))
    try workspace.write("kind: sync-users\ntimeout: 1s\n", to: "jobs/online-users.yml")
    let start = ContinuousClock.now
    let result = try await workspace.start(["run", "online-users"]).wait()
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(result.status == 1)
    #expect(result.errors.contains("reached its timeout of 1s and was stopped"))
    let run = try workspace.store().read { try $0.lastRuns() }["online-users"]
    #expect(run?.outcome == .failed && run?.endedAt != nil)
    #expect(try workspace.store().read { try $0.usersCount() } == 0)
  }
}
