import Foundation
import Glibc
import Synchronization

/// A command of the operator's that prints an access token.
struct TokenCommand: Sendable {
  var command: String
  var environment: [String: String]

  /// Runs it with `sh -c`; what it writes to standard error is passed on, its output is kept secret.
  ///
  /// Cancelling the task ends the command with everything it started.
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
  /// How often is looked whether a silent command has been cancelled.
  private static let pollMilliseconds: Int32 = 20
  /// How long a command may take to end after it was asked to.
  private static let graceMilliseconds: Int32 = 1_000

  /// Foundation starts it in a process group of its own, so that its number is also the group's.
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

  func cancel() { isCancelled.withLock { $0 = true } }

  private func runToEnd() throws -> (Int32, Data) {
    CommandRun.unblockSignals()
    do {
      guard !isCancelled.withLock(\.self) else { throw CancellationError() }
      try process.run()
      let bytes = try readToEnd()
      while process.isRunning {
        try checkCancellation()
        _ = poll(nil, 0, Self.pollMilliseconds)
      }
      return (process.terminationStatus, bytes)
    } catch let error as CancellationError {
      destroy()
      throw error
    } catch {
      throw CredentialsError.commandNotStarted(reason: (error as NSError).localizedDescription)
    }
  }

  /// Everything printed, also by what the shell started and did not wait for.
  private func readToEnd() throws -> Data {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      try checkCancellation()
      var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&source, 1, Self.pollMilliseconds) > 0 else { continue }
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private func checkCancellation() throws {
    if isCancelled.withLock(\.self) { throw CancellationError() }
  }

  /// Asks the command and all that it started to end, and ends what does not.
  private func destroy() {
    let group = -process.processIdentifier
    guard group < -1 else { return }
    kill(group, SIGTERM)
    var waited: Int32 = 0
    while waited < Self.graceMilliseconds, kill(group, 0) == 0 {
      _ = poll(nil, 0, Self.pollMilliseconds)
      waited += Self.pollMilliseconds
    }
    kill(group, SIGKILL)
  }

  /// Swift's own threads block every signal, which a child would inherit and never hear SIGTERM.
  private static func unblockSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}
