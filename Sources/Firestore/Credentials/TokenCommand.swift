import Foundation

/// A command of the operator's that prints an access token.
struct TokenCommand: Sendable {
  var command: String
  var environment: [String: String]

  /// Runs it with `sh -c`; what it writes to standard error is passed on, its output is kept secret.
  ///
  /// Cancelling the task ends the command.
  func token() async throws -> AccessToken {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    let bytes = try await withTaskCancellationHandler {
      try await Self.output(of: process, through: output)
    } onCancel: {
      if process.isRunning { process.terminate() }
    }
    let status = process.terminationStatus
    guard status == 0, let text = String(validating: bytes, as: UTF8.self),
      case let token = text.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty
    else { throw CredentialsError.commandFailed(status: status) }
    return AccessToken(Secret(token))
  }

  /// Starts the process and waits for its end on a thread of its own.
  private static func output(of process: Process, through pipe: Pipe) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          try process.run()
          let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
          process.waitUntilExit()
          continuation.resume(returning: bytes)
        } catch {
          continuation.resume(
            throwing: CredentialsError.commandNotStarted(
              reason: (error as NSError).localizedDescription))
        }
      }
    }
  }
}
