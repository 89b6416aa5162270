import Glibc
import Platform
import Subprocess
import Synchronization

/// A command of the operator that prints an access token.
///
/// Limits its time and output, so that no command blocks a run or fills the memory; see
/// `docs/firestore.md#credentials`.
struct TokenCommand: Sendable {
  static let longestRun = Duration.seconds(30)
  static let longestOutput = 64 << 10

  var command: String
  var environment: [String: String]
  var limit = Self.longestRun

  /// The token that the command prints.
  func token() async throws -> AccessToken {
    AccessToken(secret: Secret(try token(in: try await output())))
  }

  /// Runs the command with `sh -c`; keeps its output secret, and of its standard error only the end.
  ///
  /// Cancelling the task, or reaching the time limit, ends the command and its process group.
  func output() async throws -> [UInt8] {
    let printed = Mutex<[UInt8]>([])
    let said = Mutex(ErrorTail())
    let ending = try await ending(
      printed: { bytes in
        try printed.withLock { printed in
          printed += bytes
          guard printed.count <= Self.longestOutput else {
            throw misbehaved("printed more than \(Self.longestOutput) bytes")
          }
        }
      }, said: { bytes in said.withLock { $0.add(bytes) } })
    let bytes = printed.withLock(\.self)
    switch ending {
    case .exited(status: 0): return bytes
    case .exited(let status), .killed(signal: let status):
      throw CredentialsError.commandFailed(
        command: command, status: status, said: said.withLock { $0.lastLine(hiding: bytes) })
    case .timedOut: throw misbehaved("did not end within \(limit.components.seconds) seconds")
    }
  }

  /// Runs the command, and hands on what it writes to its two streams.
  private func ending(
    printed: @escaping @Sendable ([UInt8]) throws -> Void,
    said: @escaping @Sendable ([UInt8]) -> Void
  ) async throws -> ShellProcess.Ending {
    let process = ShellProcess(command, environment: environment, leavesGroup: false)
    do {
      return try await process.run(
        timeout: limit, errors: .sequence, sleep: { try await Task.sleep(for: $0) }
      ) { execution in
        try await withThrowingTaskGroup(of: Void.self) { streams in
          streams.addTask {
            for try await bytes in execution.standardOutput {
              try printed(bytes.withUnsafeBytes { Array($0) })
            }
          }
          streams.addTask {
            for try await bytes in execution.standardError {
              said(bytes.withUnsafeBytes { Array($0) })
            }
          }
          try await streams.waitForAll()
        }
      }
    } catch let failure as ProcessFailure {
      throw CredentialsError.commandNotStarted(
        command: command, reason: String(cString: strerror(failure.code)))
    }
  }

  /// The single line of the output, without its line end.
  private func token(in bytes: [UInt8]) throws(CredentialsError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmed }.filter { !$0.isEmpty }
    guard let token = lines.first else { throw misbehaved("printed nothing") }
    guard lines.count == 1 else { throw misbehaved("printed \(lines.count) lines") }
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw misbehaved("printed a character that no token has")
    }
    return token
  }

  private func misbehaved(_ did: String) -> CredentialsError {
    .commandMisbehaved(command: command, did: did)
  }
}

extension Substring {
  /// Without blanks at both ends.
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
