import Glibc

/// A command that `/bin/sh` runs in a process group of its own.
struct ShellCommand: Sendable {
  enum Ending: Hashable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    case timedOut
  }

  let text: String
  let environment: [String: String]
  let folder: String
  /// What it reads on its standard input; a few kilobytes at most.
  var input: [UInt8] = []

  /// Goes to the folder `$1`, then becomes the command `$2`.
  private static let script = #"cd -- "$1" && exec /bin/sh -c "$2""#
  static let pollInterval = Duration.milliseconds(10)
  /// How long a command may take to end after it was asked to.
  static let grace = Duration.seconds(1)

  /// Runs the command to its end, or ends it with everything it started.
  ///
  /// `said` hears each line that it prints, until it ends: what it leaves running
  /// has to write elsewhere.
  ///
  /// - Throws: `FileFailure` when it cannot be started, or what `sleep` throws, when the command
  ///   is ended first.
  func run(
    timeout: Duration, said: @escaping @Sendable (String) -> Void,
    sleep: @Sendable (Duration) async throws -> Void
  ) async throws -> Ending {
    var (output, writer) = try CommandOutput.pipe(said)
    var input: CommandInput?
    let pid: pid_t
    if self.input.isEmpty {
      pid = try start(writingTo: writer, readingFrom: nil)
    } else {
      let (feed, reader) = try CommandInput.pipe(self.input)
      input = feed
      pid = try start(writingTo: writer, readingFrom: reader)
    }
    defer { output.finish() }
    do {
      let ending = try await end(
        of: pid, within: timeout, output: &output, input: &input, sleep: sleep)
      if let ending {
        return ending
      }
      try await askToEnd(pid, sleep: sleep)
      destroy(pid)
      return .timedOut
    } catch {
      destroy(pid)
      throw error
    }
  }

  private func start(
    writingTo writer: FileDescriptor, readingFrom reader: FileDescriptor?
  ) throws(FileFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let reader {
      posix_spawn_file_actions_adddup2(&actions, reader.number, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    for stream: Int32 in 1...2 {
      posix_spawn_file_actions_adddup2(&actions, writer.number, stream)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.setFreshState(&attributes)
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    var pid: pid_t = 0
    let code = withPointers(to: ["/bin/sh", "-c", Self.script, "firetally", folder, text]) {
      words in
      withPointers(to: variables) { variables in
        posix_spawn(&pid, "/bin/sh", &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else { throw FileFailure("run a command in", folder, code: code) }
    return pid
  }

  /// Its own process group, and every signal as a process has it by default.
  private static func setFreshState(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  /// The body's result, or `ENOMEM`.
  private func withPointers(
    to texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    let copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? ENOMEM }
  }

  /// Nil when the command still runs after the time.
  private func end(
    of pid: pid_t, within time: Duration, output: inout CommandOutput, input: inout CommandInput?,
    sleep: @Sendable (Duration) async throws -> Void
  ) async throws -> Ending? {
    var waited = Duration.zero
    while true {
      input?.feed()
      output.drain()
      if let ending = ending(of: pid, options: WNOHANG) { return ending }
      guard waited < time else { return nil }
      try await sleep(Self.pollInterval)
      waited += Self.pollInterval
    }
  }

  /// Gives the command, and what it started, the grace to end by themselves.
  private func askToEnd(
    _ pid: pid_t, sleep: @Sendable (Duration) async throws -> Void
  ) async throws {
    kill(-pid, SIGTERM)
    var waited = Duration.zero
    // The shell may end before its children, who keep the group, and so its number, until they do.
    while waited < Self.grace {
      _ = ending(of: pid, options: WNOHANG)
      guard kill(-pid, 0) == 0 else { return }
      try await sleep(Self.pollInterval)
      waited += Self.pollInterval
    }
  }

  /// Ends at once what is left of the command.
  private func destroy(_ pid: pid_t) {
    kill(-pid, SIGKILL)
    _ = ending(of: pid, options: 0)
  }

  private func ending(of pid: pid_t, options: Int32) -> Ending? {
    var status: Int32 = 0
    var waited = waitpid(pid, &status, options)
    while waited < 0, errno == EINTR { waited = waitpid(pid, &status, options) }
    guard waited == pid else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status: (status >> 8) & 0xff) : .killed(signal: signal)
  }
}
