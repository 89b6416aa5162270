import Emulator
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@testable import firetally

/// Standard streams that are closed, full or broken pipes: `docs/commands.md#streams`.
@Suite struct StreamTests {
  /// Runs the program through a shell, with its streams as the redirection says.
  private func run(
    _ arguments: String..., in workspace: TemporaryWorkspace, streams: String
  ) async throws -> BuiltProgram.Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      ["-c", "\(Self.brokenPipe); \"$0\" \"$@\" \(streams)", BuiltProgram.url.path] + arguments
      + ["-C", workspace.folder.path, "--now", TemporaryWorkspace.morning.description]
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
      .merging(workspace.program.environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    // What these tests print is far below what a pipe holds.
    return BuiltProgram.Result(
      status: process.terminationStatus,
      output: String(decoding: output.fileHandleForReading.availableData, as: UTF8.self),
      errors: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
  }

  /// Opens the shell's descriptor 3 as a pipe whose reader has ended.
  private static let brokenPipe = "exec 3> >(exec true); wait $!"

  private func lastRuns(_ workspace: TemporaryWorkspace) throws -> [String: Run] {
    try workspace.store().read { try $0.lastRuns() }
  }

  @Test(arguments: [
    ("2>/dev/full", "no space left on device"), ("2>&-", "it is closed"),
    ("2>&3", "its reader is gone"), ("<&- >&- 2>&-", "it is closed"),
  ])
  func `a standard error that takes nothing stops no job, and the run's row says so`(
    streams: String, reason: String
  ) async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await run("run", "--all", in: workspace, streams: streams)
    #expect(result.status == 3)
    let runs = try lastRuns(workspace)
    #expect(runs.count == 8)
    #expect(runs.values.allSatisfy { $0.succeeded && $0.endedAt != nil })
    let warning =
      "Messages of this run were lost: standard error (\(reason)) could not be written."
    #expect(runs["online-users"]?.warnings.last == warning)
    #expect(runs["settings"]?.warnings == [])
    try workspace.store().checkIntegrity()
  }

  @Test func `a failed job that cannot be told stops no other job`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.garbage(), times: nil)
    let result = try await run("run", "--all", in: workspace, streams: "2>/dev/full")
    #expect(result.status == 69)
    let runs = try lastRuns(workspace)
    #expect(runs["settings"]?.outcome == .failed)
    // One server is one incident, which the first job that it stopped reports.
    let untold = runs.values.filter { $0.warnings.last?.contains("standard error") == true }
    #expect(untold.contains { $0.outcome == .failed })
    #expect(runs["maintain"]?.outcome == .ok)
  }

  @Test(arguments: [
    (">/dev/full", "no space left on device"), (">&-", "it is closed"),
    (">&3", "its reader is gone"),
  ])
  func `a standard output that cannot be written ends with 74 and one sentence`(
    streams: String, reason: String
  ) async throws {
    let workspace = try await TemporaryWorkspace()
    let sentence = "firetally: Standard output could not be written: \(reason).\n"
    for arguments in [["jobs"], ["help"], ["settings", "show"]] {
      let script = "\(Self.brokenPipe); \"$0\" \(arguments.joined(separator: " ")) \(streams)"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", "{ \(script); }", BuiltProgram.url.path]
      process.currentDirectoryURL = workspace.folder
      let errors = Pipe()
      process.standardError = errors
      try process.run()
      while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
      #expect(process.terminationStatus == 74, "\(arguments) \(streams)")
      let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
      #expect(text.hasSuffix(sentence), "\(arguments) \(streams): \(text)")
    }
  }

  @Test func `jobs whose lines standard output does not take run all the same: 74`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await run("run", "--all", "--json", in: workspace, streams: ">/dev/full")
    #expect(result.status == 74)
    let line = try #require(result.errors.split(separator: "\n").last)
    #expect(line.contains("Standard output could not be written: no space left on device."))
    let runs = try lastRuns(workspace)
    #expect(runs.count == 8)
    #expect(runs.values.allSatisfy { $0.succeeded })
    #expect(runs["report"]?.warnings.last?.contains("standard output (no space") == true)
  }

  @Test func `exported events that standard output does not take end with 74`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("limits", "use", "refresh")
    let result = try await run("events", "export", in: workspace, streams: ">/dev/full")
    #expect(result.status == 74)
    #expect(
      result.errors == "firetally: Standard output could not be written: no space left on device.\n"
    )
  }

  @Test
  func `a closed standard input reads as a failure, not as somebody else's file`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await run("events", "import", "-", in: workspace, streams: "<&-")
    #expect(result.status == 65)
    #expect(result.errors.contains("could not be"))
  }

  @Test(arguments: ["2>/dev/full", "2>&-"])
  func `a usage error that cannot be told keeps its status`(streams: String) async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await run("run", "--forse", in: workspace, streams: streams)
    #expect(result.status == 64)
  }

  @Test
  func `a stream that another process made non-blocking is waited for, not given up`() async throws
  {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
    let reader = ends[0]
    let text = [UInt8](repeating: 65, count: 300_000)
    let reading = Task.detached {
      var count = 0
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while count < text.count { count += max(0, read(reader, &chunk, chunk.count)) }
      return count
    }
    #expect(text.withUnsafeBytes { StandardStream.send($0, to: ends[1]) } == 0)
    #expect(await reading.value == text.count)
  }
}

extension Run {
  fileprivate var succeeded: Bool { [.ok, .partial, .fresh].contains(outcome) }
}
