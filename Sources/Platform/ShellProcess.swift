import Glibc
import Synchronization
import SystemPackage
package import Subprocess

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

  /// Goes to the folder `$1`, then becomes the command `$2`.
  static let inFolder = #"cd -- "$1" && exec /bin/sh -c "$2""#

  /// A command that runs in a folder, and otherwise as a script.
  package init(
    _ command: String, in folder: String, environment: [String: String], input: [UInt8] = [],
    leavesGroup: Bool
  ) {
    self.init(
      Self.inFolder, arguments: ["firetally", folder, command], environment: environment,
      input: input, leavesGroup: leavesGroup)
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
    let group = ProcessGroup()
    // In a task of its own: the library stops reading when it is cancelled, and what still prints
    // would end by SIGPIPE instead of as it wants to.
    let shell = Task { try await run(in: group, errors, hear) }
    return try await withThrowingTaskGroup(of: Ending.self) { tasks in
      tasks.addTask { try await shell.value }
      tasks.addTask {
        try await sleep(timeout)
        return .timedOut
      }
      defer { tasks.cancelAll() }
      do {
        let ending = try await tasks.next() ?? .timedOut
        if ending == .timedOut || !leavesGroup { await group.end() }
        return ending
      } catch {
        await group.end()
        throw error
      }
    }
  }

  private func run<Errors: ErrorOutputProtocol>(
    in group: ProcessGroup, _ errors: Errors,
    _ hear: @Sendable (Execution<CustomWriteInput, SequenceOutput, Errors>) async throws -> Void
  ) async throws -> Ending {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: ProcessGroup.grace)
    ]
    let keys = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: Arguments(arguments),
        environment: .custom(Dictionary(uniqueKeysWithValues: keys)), platformOptions: options,
        input: .inputWriter, output: .sequence, error: errors
      ) { execution in
        group.begin(execution.processIdentifier.value)
        async let fed: Void = feed(execution.standardInputWriter)
        try await hear(execution)
        await fed
      }
      switch result.terminationStatus {
      case .exited(let status): return .exited(status: status)
      case .signaled(let signal): return .killed(signal: signal)
      }
    } catch let error as SubprocessError {
      throw ProcessFailure(code: error.underlyingError?.rawValue ?? EIO)
    }
  }

  /// Writes the input as far as the shell reads it; a broken pipe must not end this process.
  private func feed(_ writer: StandardInputWriter) async {
    signal(SIGPIPE, SIG_IGN)
    do {
      _ = try await writer.write(input)
      try await writer.finish()
    } catch {
      // The shell, or what it started, has closed its input: it needs no more.
    }
  }
}

/// The process group of a shell, which may still have to begin.
final class ProcessGroup: Sendable {
  private struct State {
    var id: pid_t?
    var hasEnded = false
  }

  /// How long processes may take to end after they were asked to.
  static let grace = Duration.seconds(1)
  private static let pollInterval = Duration.milliseconds(10)

  private let state = Mutex(State())

  /// Notes the group, or kills it when it was ended before it began.
  func begin(_ id: pid_t) {
    let hasEnded = state.withLock { state in
      state.id = id
      return state.hasEnded
    }
    if hasEnded { kill(-id, SIGKILL) }
  }

  /// Ends the group of a number, as `end()` does.
  static func end(_ id: pid_t) async {
    let group = ProcessGroup()
    group.begin(id)
    await group.end()
  }

  /// Asks all processes of the group to end, and kills those that have not after the grace.
  func end() async {
    let id = state.withLock { state in
      state.hasEnded = true
      return state.id
    }
    guard let id else { return }
    // In a task of its own, since this one may be cancelled.
    _ = await Task {
      kill(-id, SIGTERM)
      var waited = Duration.zero
      while waited < Self.grace, kill(-id, 0) == 0 {
        try await Task.sleep(for: Self.pollInterval)
        waited += Self.pollInterval
      }
      kill(-id, SIGKILL)
    }.result
  }
}
