import Emulator
import Foundation
import Testing

/// Google's own Python client over REST, put to our server by `Python/client_suite.py`.
@Suite struct PythonClientTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Python/client_suite.py").path

  private static let isInstalled: Bool = {
    do {
      let look =
        "import importlib.util as i, sys; sys.exit(not i.find_spec('google.cloud.firestore'))"
      return try run(look, ["-c"]).status == 0
    } catch {
      return false
    }
  }()

  private static let absence: Comment =
    "Google's Python client is not here: pip install google-cloud-firestore"

  @Test(.enabled(if: isInstalled, absence))
  func `Google's Python client gets what it expects`() async throws {
    let server = try await EmulatorServer.start()
    let address = server.address
    let outcome = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.run(Self.script, ["-B"], address) })
      }
    }
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("ok a bulk writer gives each write its own end"))
    try await server.stop()
  }

  private struct Outcome: Sendable {
    let status: Int32
    let output: String
  }

  /// Runs Python with the options, the script and its arguments; waits for its end.
  private static func run(
    _ script: String, _ options: [String], _ arguments: String...
  ) throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + options + [script] + arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}
