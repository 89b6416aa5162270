import Foundation
import Glibc
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

  /// Runs the command with `sh -c`; keeps its output secret, and of its standard error only the end.
  ///
  /// Cancelling the task, or reaching the time limit, ends the command and all its children.
  func token() async throws -> AccessToken {
    let run = CommandRun(command, environment, limit: limit)
    let timer = Task {
      try await Task.sleep(for: limit)
      run.expire()
    }
    defer { timer.cancel() }
    let (status, bytes, errors) = try await withTaskCancellationHandler {
      try await run.wait()
    } onCancel: {
      run.cancel()
    }
    try Task.checkCancellation()
    guard status == 0 else {
      throw CredentialsError.commandFailed(
        command: command, status: status, said: errors.lastLine(hiding: bytes))
    }
    return AccessToken(Secret(try token(in: bytes)))
  }

  /// The single line of the output, without its line end.
  private func token(in bytes: some Collection<UInt8>) throws(CredentialsError) -> String {
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

/// One run of a command; may be cancelled before, during and after the run.
private final class CommandRun: Sendable {
  /// Interval at which a silent command is checked for cancellation.
  private static let pollMilliseconds: Int32 = 20
  /// Time that a command has to end after SIGTERM.
  private static let graceMilliseconds: Int32 = 1_000

  /// Foundation gives it a process group of its own, whose id is the process id.
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let mark = ProcessMark()
  /// Why the command is ended early.
  private enum Interruption {
    case cancelled, expired
  }

  private let interruption = Mutex<Interruption?>(nil)
  private let command: String
  private let limit: Duration

  init(_ command: String, _ environment: [String: String], limit: Duration) {
    self.command = command
    self.limit = limit
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = environment.merging(mark.environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
  }

  /// Runs the command on a thread of its own; returns its status, its output and its errors' end.
  func wait() async throws -> (Int32, Data, ErrorTail) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        continuation.resume(with: Result { try runToEnd() })
      }
    }
  }

  func cancel() { interruption.withLock { $0 = .cancelled } }

  /// Ends the command because its time is over.
  func expire() { interruption.withLock { $0 = $0 ?? .expired } }

  private func runToEnd() throws -> (Int32, Data, ErrorTail) {
    CommandRun.unblockSignals()
    try check()
    do {
      try process.run()
    } catch {
      throw CredentialsError.commandNotStarted(command: command, reason: Self.reason(of: error))
    }
    do {
      let (bytes, errors) = try readToEnd()
      return (process.terminationStatus, bytes, errors)
    } catch {
      destroy()
      throw error
    }
  }

  /// The system's reason why no process could be started.
  private static func reason(of error: any Error) -> String {
    let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
    return code.map { String(cString: strerror($0)) } ?? "the system has no room for a process"
  }

  /// Reads the output of the shell and of all processes that it started, until the shell has ended
  /// and none of them holds the output open.
  private func readToEnd() throws -> (Data, ErrorTail) {
    var bytes = Data()
    var tail = ErrorTail()
    // Each is -1 after its end, which `poll` ignores.
    var printed = output.fileHandleForReading.fileDescriptor
    var said = errors.fileHandleForReading.fileDescriptor
    while printed >= 0 || process.isRunning {
      try check()
      var sources = [printed, said].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&sources, nfds_t(sources.count), Self.pollMilliseconds) > 0 else { continue }
      if sources[0].revents != 0 {
        let chunk = try chunk(from: printed)
        bytes += chunk
        if chunk.isEmpty { printed = -1 }
      }
      if sources[1].revents != 0 {
        let chunk = try chunk(from: said)
        tail.add(chunk)
        if chunk.isEmpty { said = -1 }
      }
      guard bytes.count <= TokenCommand.longestOutput else {
        throw misbehaved("printed more than \(TokenCommand.longestOutput) bytes")
      }
    }
    if said >= 0 { try drain(said, into: &tail) }
    return (bytes, tail)
  }

  /// Reads what the ended command left in the pipe, which others may still hold open.
  private func drain(_ descriptor: Int32, into tail: inout ErrorTail) throws {
    // As many pages as Linux keeps for a pipe; a process that never stops writing ends nothing.
    for _ in 0..<16 {
      var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&source, 1, 0) > 0 else { return }
      let chunk = try chunk(from: descriptor)
      guard !chunk.isEmpty else { return }
      tail.add(chunk)
    }
  }

  /// What there is to read; empty at the end.
  private func chunk(from descriptor: Int32) throws -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw misbehaved("could not be read: \(String(cString: strerror(errno)))")
      }
      return Array(chunk[..<count])
    }
  }

  private func misbehaved(_ did: String) -> CredentialsError {
    .commandMisbehaved(command: command, did: did)
  }

  private func check() throws {
    switch interruption.withLock(\.self) {
    case nil: return
    case .cancelled: throw CancellationError()
    case .expired:
      throw misbehaved("did not end within \(limit.components.seconds) seconds")
    }
  }

  /// Sends SIGTERM to all that the command started, and SIGKILL after the grace period.
  private func destroy() {
    let group = -process.processIdentifier
    guard group < -1 else { return }
    kill(group, SIGTERM)
    mark.send(SIGTERM)
    var waited: Int32 = 0
    while waited < Self.graceMilliseconds, kill(group, 0) == 0 || !mark.processes().isEmpty {
      _ = poll(nil, 0, Self.pollMilliseconds)
      waited += Self.pollMilliseconds
    }
    kill(group, SIGKILL)
    mark.send(SIGKILL)
  }

  /// Unblocks signals: Swift's threads block all, and a child that inherits that ignores SIGTERM.
  private static func unblockSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }
}
