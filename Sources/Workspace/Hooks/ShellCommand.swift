package import Platform
import Subprocess

/// A command that `/bin/sh` runs in a folder, and whose lines are heard.
package struct ShellCommand: Sendable {
  package typealias Ending = ShellProcess.Ending

  package let text: String
  package let environment: [String: String]
  package let folder: String
  /// What it reads on its standard input, while it runs.
  package var input: [UInt8] = []

  package init(text: String, environment: [String: String], folder: String, input: [UInt8] = []) {
    self.text = text
    self.environment = environment
    self.folder = folder
    self.input = input
  }

  /// Runs the command to its end, or ends it with everything it started.
  ///
  /// `said` hears each line that it prints, until it ends: what it leaves running
  /// has to write elsewhere.
  ///
  /// - Throws: `JobsError.file` when it cannot be started, or what `sleep` throws, when the command
  ///   is ended first.
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
      throw JobsError.cannot("run a command in", folder, code: failure.code)
    }
  }
}

extension ShellProcess.Ending {
  /// The end of a sentence about a command that had so much time: `ended with status 3`.
  package func words(after timeout: Duration) -> String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .timedOut: "was stopped after \(DurationText.text(timeout))"
    }
  }
}

/// What a command prints, cut into lines.
///
/// Beyond `longest` bytes it is dropped, so that the command is never held up.
package struct CommandOutput: Sendable {
  /// Bytes of which lines are made.
  package static let longest = 65_536
  /// Bytes of one line; a longer one goes on in the next.
  package static let longestLine = 4_096

  private let say: @Sendable (String) -> Void
  private var line: [UInt8] = []
  private var kept = 0
  private var isCut = false

  package init(say: @escaping @Sendable (String) -> Void) {
    self.say = say
  }

  /// Says the lines that end in the bytes.
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

  /// Says what is left, also a last line without an end.
  package mutating func finish() {
    if !line.isEmpty { flush() }
    if isCut { say("(the rest of more than \(Self.longest) bytes was left out)") }
  }

  private mutating func flush() {
    say(ShellMessage.shown(String(decoding: line, as: UTF8.self)))
    line = []
  }
}
