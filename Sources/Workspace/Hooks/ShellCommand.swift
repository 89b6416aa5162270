package import Platform
import Subprocess

/// A command that `/bin/sh` runs in a folder, with a listener for its output lines.
package struct ShellCommand: Sendable {
  package typealias Ending = ShellProcess.Ending

  package let text: String
  package let environment: [String: String]
  package let folder: String
  /// The bytes for its standard input, written while it runs.
  package var input: [UInt8] = []

  package init(text: String, environment: [String: String], folder: String, input: [UInt8] = []) {
    self.text = text
    self.environment = environment
    self.folder = folder
    self.input = input
  }

  /// Runs the command to its end, or kills it with everything it started.
  ///
  /// `said` receives each line of output until the command ends: processes that it leaves running
  /// must write elsewhere.
  ///
  /// - Throws: `WorkspaceError.file` when it cannot be started, or what `sleep` throws, after the
  ///   command was killed.
  package func run(
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
      throw WorkspaceError.cannot("run a command in", folder, code: failure.code)
    }
  }
}

extension ShellProcess.Ending {
  /// Returns the end of a sentence about a command with this timeout: `ended with status 3`.
  package func words(after timeout: Duration) -> String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .timedOut: "was stopped after \(DurationText.text(timeout))"
    }
  }
}

/// The output of a command, split into lines.
///
/// Bytes beyond `longest` are dropped, so that the command is never blocked.
package struct CommandOutput: Sendable {
  /// The largest number of bytes that are kept.
  package static let longest = 65_536
  /// The largest size of one line, in bytes; a longer line continues in the next.
  package static let longestLine = 4_096

  private let say: @Sendable (String) -> Void
  private var line: [UInt8] = []
  private var kept = 0
  private var isCut = false

  package init(say: @escaping @Sendable (String) -> Void) {
    self.say = say
  }

  /// Passes on the lines that end in the bytes.
  package mutating func take(_ bytes: UnsafeRawBufferPointer) {
    let room = bytes.prefix(Self.longest - kept)
    kept += room.count
    isCut = isCut || room.count < bytes.count
    for byte in room {
      if byte == UInt8(ascii: "\n") {
        flush()
      } else {
        if line.count == Self.longestLine { flush() }
        line.append(byte)
      }
    }
  }

  /// Passes on the rest, including a last line without an end.
  package mutating func finish() {
    if !line.isEmpty { flush() }
    if isCut { say("(the rest of more than \(Self.longest) bytes was left out)") }
  }

  private mutating func flush() {
    say(ShellMessage.shown(String(decoding: line, as: UTF8.self)))
    line = []
  }
}
