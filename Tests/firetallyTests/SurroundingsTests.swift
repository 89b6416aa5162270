import Fixtures
import Foundation
import Model
import Store
import Testing

@testable import firetally

/// What a machine may lack: `docs/decisions/024-a-start-with-nothing.md`.
@Suite struct SurroundingsTests {
  private func run(
    _ arguments: [String], in workspace: TemporaryWorkspace, files: Int
  ) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      ["-c", "ulimit -n \(files); exec \"$0\" \"$@\"", BuiltProgram.url.path] + arguments
      + ["-C", workspace.folder.path, "--now", TemporaryWorkspace.morning.description]
    process.environment = ["PATH": "/usr/bin:/bin"].merging(workspace.program.environment) { $1 }
    return try Running.started(process)
  }

  @Test
  func `with six open files commands that read read, and those that fetch say what they need`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "--all")
    let questions = ["status", "jobs", "users list", "limits show", "outbox list", "profile show"]
    for question in questions {
      let result = try await run(
        question.split(separator: " ").map(String.init), in: workspace, files: 6
      ).wait()
      #expect(result.status == 0, "\(question): \(result.errors)")
      #expect(!result.output.isEmpty, "\(question)")
    }
    for command in [["run", "--all"], ["report"]] {
      let result = try await run(command, in: workspace, files: 6).wait()
      #expect(result.status == 1)
      #expect(
        result.errors == "firetally: Too few files may be open: this command needs 24 besides "
          + "those that are. Raise `ulimit -n`.\n")
    }
  }

  @Test(arguments: [4, 5])
  func `with fewer than six open files every command says what it needs`(limit: Int) async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    for command in [["status"], ["jobs"]] {
      let result = try await run(command, in: workspace, files: limit).wait()
      #expect(result.status == 1)
      let sentence = "firetally: Too few files may be open: this command needs 3 "
      #expect(result.errors.hasPrefix(sentence), "\(result.errors)")
    }
  }

  @Test
  func `a command that fetches runs with as many files as it says that it needs`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await run(["run", "--all"], in: workspace, files: 40).wait()
    #expect(result.status == 3, "\(result.errors)")
  }

  /// As nobody, whose threads are few.
  private func run(_ arguments: [String], in folder: String, processes: Int) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
    process.arguments =
      ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/prlimit"]
      + ["--nproc=\(processes)", BuiltProgram.url.path] + arguments + ["-C", folder]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/none"]
    return try Running.started(process)
  }

  @Test(.enabled(if: geteuid() == 0 && UnprivilegedProgram.canRun, UnprivilegedProgram.absence))
  func `with few threads commands that read read, and others say what they need`() async throws {
    let temporary = try TemporaryFolder()
    try UnprivilegedProgram.chmod("a+rwX", temporary.path)
    let folder = temporary.path(of: "workspace")
    #expect(try await UnprivilegedProgram.run(["init", folder], temporary: temporary).status == 0)
    let needed = ThreadRoom.neededForTasks
    for processes in [4, needed] {
      let result = try await run(["run", "settle"], in: folder, processes: processes).wait()
      #expect(result.status == 1)
      #expect(
        result.errors.hasPrefix(
          "firetally: Too few threads may be started: this command needs \(needed) threads. "),
        "\(result.errors)")
      let jobs = try await run(["jobs"], in: folder, processes: processes).wait()
      #expect(jobs.status == 0 && jobs.output.contains("settle"), "\(jobs.errors)")
    }
    // The first thread is the program's own.
    let result = try await run(["run", "settle"], in: folder, processes: needed + 1).wait()
    #expect(result.status == 0, "\(result.errors)")
    let alone = try await run(["jobs"], in: folder, processes: 1).wait()
    #expect(alone.status == 1 && alone.errors.contains("this command needs 1 thread."))
  }

  @Test func `threads are counted up to what is asked for`() {
    #expect(ThreadRoom.room(upTo: 0) == 0 && ThreadRoom.room(upTo: 3) == 3)
  }

  @Test(
    arguments: [
      ("0::/a.slice/b.service\n", "20\n", 17), ("1:pids:/x\n0::/a.slice/b.service\n", "3", 0),
      ("0::/a.slice/b.service\n", "max\n", nil), ("8:pids:/a.slice/b.service\n", "20", nil),
      ("0::/c\n", "20", nil),
    ] as [(String, String, Int?)])
  func `a control group has room for as many as its limit leaves`(
    membership: String, limit: String, room: Int?
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(membership, to: "membership")
    try folder.write(limit, to: "cgroup/a.slice/b.service/pids.max")
    try folder.write("3\n", to: "cgroup/a.slice/b.service/pids.current")
    #expect(
      ControlGroup.roomForTasks(
        membership: folder.path(of: "membership"), root: folder.path(of: "cgroup")) == room)
  }

  @Test func `a folder in the place of firetally.yml ends with 78 and says so`() async throws {
    let workspace = try await TemporaryWorkspace()
    let path = workspace.folder.appending(path: "firetally.yml")
    try FileManager.default.removeItem(at: path)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
    for command in [["run", "--all"], ["status"], ["report"]] {
      let result = try await workspace.run(command)
      #expect(result.status == 78, "\(command)")
      #expect(result.errors.contains("firetally.yml is a folder"), "\(result.errors)")
    }
  }

  @Test func `the room for open files is counted up to what is asked for`() {
    #expect(OpenFiles.room(upTo: 0) == 0)
    #expect(OpenFiles.room(upTo: 1) == 1)
    #expect(OpenFiles.areEnoughForTasks)
  }
}
