import Fixtures
import Foundation
import Testing

/// Runs the built program as somebody who is not root: as nobody where root runs the tests.
enum UnprivilegedProgram {
  /// Words that run a command as nobody; empty for whoever is not root already.
  private static let asNobody =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []

  static let absence: Comment =
    "setpriv is not here, or nobody may not run the built program: apt-get install util-linux"

  static let canRun: Bool = {
    let process = Self.process(["--version"])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Runs it in a folder for temporary files that it may write, with little else around it.
  static func run(
    _ arguments: [String], temporary: TemporaryFolder, environment: [String: String] = [:]
  ) async throws -> BuiltProgram.Result {
    let process = Self.process(arguments)
    let own = ["PATH": "/usr/bin:/bin", "HOME": "/none", "TMPDIR": temporary.path]
    process.environment = own.merging(environment) { $1 }
    process.currentDirectoryURL = temporary.url
    return try await Running.started(process).wait()
  }

  private static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = asNobody + [BuiltProgram.url.path] + arguments
    return process
  }

  /// Changes who may do what with a folder and all in it, as `chmod -R` takes it.
  static func chmod(_ mode: String, _ path: String) throws {
    let process = try Process.run(
      URL(fileURLWithPath: "/bin/chmod"), arguments: ["-R", mode, path])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
