import Platform
import Subprocess

/// A command that `/bin/sh` runs in a folder, and whose lines are heard.
struct ShellCommand: Sendable {
  typealias Ending = ShellProcess.Ending

  let text: String
  let environment: [String: String]
  let folder: String
  /// What it reads on its standard input, while it runs.
  var input: [UInt8] = []

  /// Runs the command to its end, or ends it with everything it started.
  ///
  /// `said` hears each line that it prints, until it ends: what it leaves running
  /// has to write elsewhere.
  ///
  /// - Throws: `JobsError.file` when it cannot be started, or what `sleep` throws, when the command
  ///   is ended first.
  func run(
    timeout: Duration, said: @escaping @Sendable (String) -> Void,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) async throws -> Ending {
    let process = ShellProcess(
      text, in: folder, environment: environment, input: input, leavesGroup: true)
    do {
      return try await process.run(timeout: timeout, errors: .combinedWithOutput, sleep: sleep) {
        var output = CommandOutput(say: said)
        for try await bytes in $0.standardOutput {
          bytes.withUnsafeBytes { output.take($0) }
        }
        output.finish()
      }
    } catch let failure as ProcessFailure {
      throw JobsError.cannot("run a command in", folder, code: failure.code)
    }
  }
}
