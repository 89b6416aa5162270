import Glibc

/// A command that `/bin/sh` runs as a filter: it reads one open file and writes another.
///
/// It is waited for by blocking, for work that is not asynchronous, such as a backup.
package struct ShellFilter: Sendable {
  /// How the command did not succeed.
  package struct Failure: Error, Hashable, Sendable {
    /// The exit status; 128 more than its number for a command that a signal ended.
    package let status: Int32
    /// The last line of its standard error, without what may be a token; nil when it said nothing.
    package let said: String?
  }

  private static let pollMicroseconds: UInt32 = 10_000

  private let command: String
  private let folder: String
  private let environment: [String: String]

  package init(_ command: String, in folder: String, environment: [String: String]) {
    self.command = command
    self.folder = folder
    self.environment = environment
  }

  /// Runs the command to its end, or ends it with its group when the task is cancelled, or when it
  /// asks on the terminal, which a command in a group of its own cannot have.
  ///
  /// - Throws: `Failure`, `ProcessFailure` when it cannot be started, or `CancellationError`.
  package func run(from input: Int32, to output: Int32) throws {
    guard let errors = tmpfile() else { throw ProcessFailure(code: errno) }
    defer { fclose(errors) }
    _ = fcntl(fileno(errors), F_SETFD, FD_CLOEXEC)
    let status = try wait(for: try start([input, output, fileno(errors)]))
    guard status != 0 else { return }
    throw Failure(status: status, said: Self.lastLine(of: errors))
  }

  /// Starts the shell in a group of its own; the streams are those that it has as 0, 1 and 2.
  private func start(_ streams: [Int32]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program ignores SIGPIPE, which a filter must not.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Nor what the thread that starts it holds back.
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ["/bin/sh", "-c", ShellProcess.inFolder, "firetally", folder, command]
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, "/bin/sh", &actions, &attributes, arguments, variables)
    guard code == 0 else { throw ProcessFailure(code: code) }
    return id
  }

  /// The exit status as a shell has it.
  private func wait(for id: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while true {
      let ended = waitpid(id, &status, WNOHANG | WUNTRACED)
      let isStopped = ended == id && status & 0xFF == 0x7F
      if ended == id, !isStopped { break }
      if ended < 0, errno != EINTR { throw ProcessFailure(code: errno) }
      if isStopped || Task.isCancelled {
        kill(-id, SIGKILL)
        while waitpid(id, &status, 0) != id, errno == EINTR {}
        guard isStopped else { throw CancellationError() }
        throw Failure(status: 1, said: "it asks on the terminal, which it cannot have")
      }
      usleep(Self.pollMicroseconds)
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  private static func lastLine(of file: UnsafeMutablePointer<FILE>) -> String? {
    var bytes = [UInt8](repeating: 0, count: ErrorTail.limit + 1)
    let size = lseek(fileno(file), 0, SEEK_END)
    let count = pread(fileno(file), &bytes, bytes.count, max(0, size - off_t(bytes.count)))
    var tail = ErrorTail()
    tail.add(Array(bytes.prefix(max(0, count))))
    return tail.lastLine()
  }
}
