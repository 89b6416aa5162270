import Glibc
package import Subprocess
import Synchronization
import SystemPackage

/// A process could not be started, or its output not be read.
package struct ProcessFailure: Error, Hashable, Sendable {
  /// The system's error number.
  package let code: Int32
}

/// A script that `/bin/sh` runs in a process group of its own, for a limited time.
package struct ShellProcess: Sendable {
  package enum Ending: Hashable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    case timedOut
  }

  /// How long processes may take to end after they were asked to.
  private static let grace = Duration.seconds(1)
  private static let pollInterval = Duration.milliseconds(10)

  private let arguments: [String]
  private let environment: [String: String]
  private let input: [UInt8]
  private let leavesGroup: Bool

  /// The arguments are `$0`, `$1` and so on of the script, and the input is what it reads.
  ///
  /// With `leavesGroup`, what the shell started goes on after the shell has ended by itself.
  package init(
    _ script: String, arguments: [String] = [], environment: [String: String], input: [UInt8] = [],
    leavesGroup: Bool
  ) {
    self.arguments = ["-c", script] + arguments
    self.environment = environment
    self.input = input
    self.leavesGroup = leavesGroup
  }

  /// Runs the shell to its end; ends it with its group when the time is over or the task cancelled.
  ///
  /// `sleep` waits for the timeout; `hear` reads what the group prints, until the shell ends. When
  /// one of them throws, the group is ended first.
  ///
  /// - Throws: `ProcessFailure`, `CancellationError`, or what `sleep` and `hear` throw.
  package func run<Errors: ErrorOutputProtocol>(
    timeout: Duration, errors: Errors,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    hear:
      @escaping @Sendable (Execution<CustomWriteInput, SequenceOutput, Errors>) async throws
      -> Void
  ) async throws -> Ending {
    try await withThrowingTaskGroup(of: Ending.self) { tasks in
      tasks.addTask { try await run(errors, hear) }
      tasks.addTask {
        try await sleep(timeout)
        return .timedOut
      }
      // The other task is cancelled, and has ended when this function returns.
      defer { tasks.cancelAll() }
      return try await tasks.next() ?? .timedOut
    }
  }

  private func run<Errors: ErrorOutputProtocol>(
    _ errors: Errors,
    _ hear: @Sendable (Execution<CustomWriteInput, SequenceOutput, Errors>) async throws -> Void
  ) async throws -> Ending {
    let group = Mutex<pid_t?>(nil)
    let status: TerminationStatus
    do {
      let keys = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
      status = try await Subprocess.run(
        .path("/bin/sh"), arguments: Arguments(arguments),
        environment: .custom(Dictionary(uniqueKeysWithValues: keys)), platformOptions: Self.options,
        input: .inputWriter, output: .sequence, error: errors
      ) { execution in
        group.withLock { $0 = execution.processIdentifier.value }
        async let fed: Void = feed(execution.standardInputWriter)
        try await hear(execution)
        await fed
      }.terminationStatus
    } catch {
      await Self.end(group.withLock(\.self))
      throw Self.failure(error)
    }
    if !leavesGroup || Task.isCancelled { await Self.end(group.withLock(\.self)) }
    try Task.checkCancellation()
    switch status {
    case .exited(let status): return .exited(status: status)
    case .signaled(let signal): return .killed(signal: signal)
    }
  }

  private static var options: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: grace)
    ]
    return options
  }

  /// Writes the input as far as the shell reads it; SIGPIPE has to be ignored.
  private func feed(_ writer: StandardInputWriter) async {
    do {
      _ = try await writer.write(input)
      try await writer.finish()
    } catch {
      // The shell, or what it started, has closed its input: it needs no more.
    }
  }

  /// Ends what is left of a group whose shell has ended.
  private static func end(_ group: pid_t?) async {
    guard let group else { return }
    // In a task of its own, since this one may be cancelled.
    _ = await Task {
      kill(-group, SIGTERM)
      var waited = Duration.zero
      while waited < grace, kill(-group, 0) == 0 {
        try await Task.sleep(for: pollInterval)
        waited += pollInterval
      }
      kill(-group, SIGKILL)
    }.result
  }

  private static func failure(_ error: any Error) -> any Error {
    guard let error = error as? SubprocessError else { return error }
    return ProcessFailure(code: error.underlyingError?.rawValue ?? EIO)
  }
}
