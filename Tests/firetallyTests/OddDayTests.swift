import Emulator
import Foundation
import Glibc
import Model
import Store
import Testing
import Workspace

@testable import firetally

/// A wrong clock, a disk that takes nothing, a folder of somebody else.
@Suite struct OddDayTests {
  private let morning = TemporaryWorkspace.morning
  private let year = Duration.seconds(365 * 86_400)

  @Test
  func `a run dated next year stops no schedule, fails status and doctor, and can be forgotten`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "--due", at: morning + year)
    let due = try await workspace.run("run", "--due", "--json")
    #expect(due.output.contains(#""trigger":"first-load""#))
    #expect(due.output.contains("is in the future and does not count: the clock was or is wrong."))
    let status = try await workspace.run("status")
    #expect(status.status == 1)
    #expect(status.output.contains("Error: The clock was wrong: "))
    #expect(status.output.contains("else remove them with `firetally runs forget`."))
    for command in ["jobs", "runs"] {
      let listed = try await workspace.run(command)
      #expect(listed.status == 0 && listed.output.contains("\nThe clock was wrong: "))
    }
    #expect(try await !workspace.run("jobs").output.contains("2027-01-31 08:00:00"))
    let doctor = try await workspace.run("doctor", "--offline")
    #expect(
      doctor.status == 1 && doctor.output.contains("FAIL  recent-runs    The clock was"))
    let page = workspace.folder.appendingPathComponent("output/runs.txt")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("The clock was wrong"))
    #expect(try await workspace.run("runs", "forget").status == 64)
    let forgotten = try await workspace.run("runs", "forget", "--yes")
    #expect(forgotten.status == 0 && forgotten.output.hasPrefix("Removed "))
    #expect(try await !workspace.run("status").output.contains("Error: The clock was wrong"))
    #expect(try await !workspace.run("doctor", "--offline").output.contains("The clock was wrong"))
    let again = try await workspace.run("runs", "forget", "--json")
    #expect(
      again.output
        == #"{"incidents":0,"lastStart":false,"message_type":"runs_forgotten","removed":0}"# + "\n")
  }

  @Test func `incidents dated next year are forgotten without any such run`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    let store = try Store.open(path: workspace.folder.path + "/data/firetally.sqlite")
    let ahead = JobIncident(.clock, causes: ["clock"], sentence: "X.", beganAt: morning + year)
    try store.write { _ = try $0.save(ahead) }
    try store.close()
    let refused = try await workspace.run("runs", "forget")
    #expect(refused.status == 64 && refused.errors.contains("will be removed: 1 incident."))
    let forgotten = try await workspace.run("runs", "forget", "--yes")
    #expect(forgotten.output == "Removed 0 runs and 1 incident dated in the future.\n")
    #expect(
      try await workspace.run("runs", "forget").output
        == "No run or incident is dated in the future.\n")
    let again = try Store.open(path: workspace.folder.path + "/data/firetally.sqlite")
    for (option, output) in [
      (
        [],
        "Removed 0 runs and 0 incidents dated in the future, and the last start by a scheduler."
      ),
      (
        ["--json"],
        #"{"incidents":0,"lastStart":true,"message_type":"runs_forgotten","removed":0}"#
      ),
    ] {
      try again.write { try $0.setLastTick(morning + year) }
      let start = try await workspace.run(["runs", "forget", "--yes"] + option)
      #expect(start.output == output + "\n")
    }
    try again.close()
  }

  @Test func `a summary reads: it makes no database, and none is changed`() async throws {
    let workspace = try await TemporaryWorkspace()
    let file = workspace.folder.appendingPathComponent("data/firetally.sqlite")
    for form in ["--summary", "--text"] {
      let result = try await workspace.run("report", form)
      #expect(result.status == 0 && result.output.contains("ChatHub"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  /// Runs the program where no file can grow, as on a full disk.
  private func runWithoutRoom(
    _ arguments: [String], _ workspace: TemporaryWorkspace, at now: Instant
  ) async throws -> BuiltProgram.Result {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    let words =
      [BuiltProgram.url.path] + arguments + [
        "-C", workspace.folder.path, "--now", now.description,
      ]
    // The output goes through a pipe, since its file could not grow either.
    shell.arguments =
      [
        "-c", "set -o pipefail; (trap '' XFSZ; ulimit -f 0; exec \"$@\") 2>&1 | cat", "bash",
      ] + words
    shell.environment = [
      "PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
      "FIRESTORE_EMULATOR_HOST": workspace.server.address,
    ]
    let running = try Running.started(shell)
    return try await running.wait()
  }

  @Test
  func `where nothing can be recorded the failure hooks run, and doctor blames no cron`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    let heard = workspace.folder.appendingPathComponent("heard", isDirectory: true)
    try FileManager.default.createDirectory(at: heard, withIntermediateDirectories: false)
    try workspace.write(
      """
      kind: sync-settings
      schedule: "*/30 * * * *"
      hooks:
        on_failure: {command: "mkdir heard/$FIRETALLY_JOB-$FIRETALLY_OUTCOME-$FIRETALLY_RUN_ID"}
      """, to: "jobs/settings.yml")
    for job in ["online-users", "events", "maintain", "report", "upload-feedback"] {
      try FileManager.default.removeItem(
        at: workspace.folder.appendingPathComponent("jobs/\(job).yml"))
    }
    _ = try await workspace.run("run", "settings")
    let later = morning + .seconds(7_200)
    let result = try await runWithoutRoom(["run", "--due"], workspace, at: later)
    #expect(result.status != 0 && result.output.contains("The disk that holds"), "\(result)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: heard.path) == ["settings-failed-"])
    let doctor = try await workspace.run("doctor", "--offline", at: later + .seconds(3_600))
    #expect(doctor.output.contains("could not be recorded") && !doctor.output.contains("cron is"))
    _ = try await workspace.run("run", "--due", at: later + .seconds(3_600))
    let mended = try await workspace.run("doctor", "--offline", at: later + .seconds(3_600))
    #expect(!mended.output.contains("could not be recorded"))
  }

  @Test func `a folder that this user may not look into is told as such`() async throws {
    let workspace = try await TemporaryWorkspace()
    let path = workspace.folder.path
    chmod(path, 0o000)
    defer { chmod(path, 0o700) }
    let problem = try lookingAsNobody { () -> (any Error)? in
      do {
        _ = try Workspace.find(at: path)
        return nil
      } catch {
        return error
      }
    }
    #expect(problem.map { "\($0)" }?.contains("permission denied") == true, "\(problem as Any)")
    #expect(throws: WorkspaceError.notAWorkspace(path: path + "-none")) {
      try Workspace.find(at: path + "-none")
    }
  }

  /// Runs on this thread with the rights of nobody where root would be let in anywhere.
  private func lookingAsNobody<T>(_ body: () throws -> T) throws -> T {
    guard geteuid() == 0 else { return try body() }
    typealias SetUser = @convention(c) (uid_t) -> Int32
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    _ = setUser(65_534)
    defer { _ = setUser(0) }
    return try body()
  }
}
