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
