import Fixtures
import Foundation

@testable import firetally

/// Runs the program that the build made, as a shell would.
struct BuiltProgram {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Added to an otherwise nearly empty environment.
  var environment: [String: String] = [:]

  /// `.build/debug/firetally`, beside the test bundle.
  static let url: URL = {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
    let folder =
      bundle?.deletingLastPathComponent()
      ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appendingPathComponent("firetally")
  }()

  /// Starts it in a folder, the current one unless told, with nothing to read unless told.
  func start(
    _ arguments: [String], in folder: URL? = nil, input: FileHandle = .nullDevice
  ) throws -> Running {
    let process = Process()
    process.executableURL = Self.url
    process.arguments = arguments
    process.environment = Self.environment(environment)
    process.standardInput = input
    if let folder { process.currentDirectoryURL = folder }
    let running = try Running(process: process)
    try running.begin()
    return running
  }

  /// Runs a command in this process: all of the program but its start, its signals and its streams.
  func run(_ arguments: [String]) async throws -> Result {
    let streams = CapturedStreams()
    let process = ProgramProcess(
      arguments: [Self.url.path] + arguments, environment: Self.environment(environment),
      streams: streams)
    let status = await Program.run(in: process)
    return Result(
      status: status, output: streams.text(of: .output), errors: streams.text(of: .errors))
  }

  func run(_ arguments: String...) async throws -> Result { try await run(arguments) }

  private static func environment(_ more: [String: String]) -> [String: String] {
    ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(more) { $1 }
  }
}

/// A program that was started; its output is collected in files, so that no pipe can fill up.
struct Running {
  let process: Process
  private let folder: TemporaryFolder

  init(process: Process) throws {
    self.process = process
    folder = try TemporaryFolder()
  }

  /// Starts a process that runs the program, such as a shell.
  static func started(_ process: Process) throws -> Running {
    process.standardInput = FileHandle.nullDevice
    let running = try Running(process: process)
    try running.begin()
    return running
  }

  private var outputURL: URL { folder.url.appending(path: "out") }
  private var errorURL: URL { folder.url.appending(path: "err") }

  fileprivate func begin() throws {
    for url in [outputURL, errorURL] {
      try Data().write(to: url)
    }
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorURL)
    try process.run()
  }

  /// Waits without keeping one of the few threads that tests share.
  func wait() async throws -> BuiltProgram.Result {
    while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    return BuiltProgram.Result(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self))
  }

  /// Waits until it has written something to standard error.
  func waitForErrors() async throws {
    while process.isRunning, try Data(contentsOf: errorURL).isEmpty {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
  }
}
