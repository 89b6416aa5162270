import Foundation
import Glibc
import Synchronization

/// A command of the operator's that prints an access token.
struct TokenCommand: Sendable {
  var command: String
  var environment: [String: String]

  /// Runs it with `sh -c`; what it writes to standard error is passed on, its output is kept secret.
  ///
  /// Cancelling the task ends the command.
  func token() async throws -> AccessToken {
    let run = CommandRun(command, environment)
    let (status, bytes) = try await withTaskCancellationHandler {
      try await run.wait()
    } onCancel: {
      run.cancel()
    }
    try Task.checkCancellation()
    guard status == 0, let text = String(validating: bytes, as: UTF8.self),
      case let token = text.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty
    else { throw CredentialsError.commandFailed(status: status) }
    return AccessToken(Secret(token))
  }
}

/// One run of a command, which may be cancelled before, while and after it runs.
private final class CommandRun: Sendable {
  private let process = Process()
  private let output = Pipe()
  private let isCancelled = Mutex(false)

  init(_ command: String, _ environment: [String: String]) {
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
  }

  /// Waits for the command's end on a thread of its own: its status, and what it printed.
  func wait() async throws -> (Int32, Data) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(with: Result { try runToEnd() })
      }
    }
  }

  func cancel() {
    isCancelled.withLock { isCancelled in
      isCancelled = true
      if process.isRunning { process.terminate() }
    }
  }

  private func runToEnd() throws -> (Int32, Data) {
    CommandRun.unblockSignals()
    do {
      try isCancelled.withLock { isCancelled in
        guard !isCancelled else { throw CancellationError() }
        try process.run()
      }
      let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, bytes)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw CredentialsError.commandNotStarted(reason: (error as NSError).localizedDescription)
    }
  }

  /// Swift's own threads block every signal, which a child would inherit and never hear SIGTERM.
  private static func unblockSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}
