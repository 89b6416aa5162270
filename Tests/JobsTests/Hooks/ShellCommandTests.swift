import Fixtures
import Glibc
import Synchronization
import Testing

@testable import Jobs

struct ShellCommandTests {
  private struct Cancelled: Error {}

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a command, and keeps what it prints.
  private func run(
    _ text: String, input: String = "", timeout: Duration = .seconds(60),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws -> (ending: ShellCommand.Ending, lines: [String]) {
    let lines = Mutex<[String]>([])
    let command = ShellCommand(
      text: text, environment: ["PATH": "/usr/bin:/bin"], folder: folder.path,
      input: Array(input.utf8))
    let ending = try await command.run(
      timeout: timeout, said: { line in lines.withLock { $0.append(line) } }, sleep: sleep)
    return (ending, lines.withLock { $0 })
  }

  @Test(arguments: [
    ("true", ShellCommand.Ending.exited(status: 0)), ("exit 1", .exited(status: 1)),
    ("exit 255", .exited(status: 255)), ("exit 256", .exited(status: 0)),
    ("kill -TERM $$", .killed(signal: SIGTERM)), ("kill -KILL $$", .killed(signal: SIGKILL)),
    ("no-such-command-at-all", .exited(status: 127)),
  ])
  func `a command ends by itself or by a signal`(
    text: String, ending: ShellCommand.Ending
  ) async throws {
    #expect(try await run(text).ending == ending)
  }

  @Test func `both streams are read, also a last line without an end`() async throws {
    let result = try await run("echo one; echo two >&2; printf '\\n'; printf three")
    #expect(result.lines == ["one", "two", "", "three"])
  }

  @Test(arguments: [
    (CommandOutput.longestLine - 1, [CommandOutput.longestLine - 1]),
    (CommandOutput.longestLine, [CommandOutput.longestLine]),
    (CommandOutput.longestLine + 1, [CommandOutput.longestLine, 1]),
  ])
  func `a long line goes on in the next`(bytes: Int, lengths: [Int]) async throws {
    let line = "head -c \(bytes) /dev/zero | tr '\\0' x"
    #expect(try await run(line).lines.map(\.utf8.count) == lengths)
    #expect(try await run("\(line); echo").lines.map(\.utf8.count) == lengths)
  }

  @Test(arguments: [
    (CommandOutput.longest - 1, false), (CommandOutput.longest, false),
    (CommandOutput.longest + 1, true),
  ])
  func `beyond so many bytes the rest is left out, and that is said`(
    bytes: Int, isCut: Bool
  ) async throws {
    let result = try await run("head -c \(bytes) /dev/zero | tr '\\0' '\\n'")
    #expect(result.ending == .exited(status: 0))
    let note = "(the rest of more than 65536 bytes was left out)"
    #expect(result.lines.filter { !$0.isEmpty } == (isCut ? [note] : []))
    #expect(result.lines.filter(\.isEmpty).count == min(bytes, CommandOutput.longest))
  }

  @Test(arguments: [0, 1, 65_536, 300_000])
  func `all of its input is given, and then ends`(bytes: Int) async throws {
    let result = try await run("wc -c", input: String(repeating: "x", count: bytes))
    #expect(result.lines == ["\(bytes)"])
  }

  @Test func `time is counted in pauses, and after the last one what hangs is asked to end`()
    async throws
  {
    let pauses = Mutex(0)
    let pause = ShellCommand.pollInterval
    let result = try await run(
      "trap 'touch ended; exit' TERM; touch ready; while :; do sleep 0.01; done",
      timeout: pause * 3
    ) { time in
      #expect(time == pause)
      let number = pauses.withLock { count in
        count += 1
        return count
      }
      guard let mark = [1: "ready", 4: "ended"][number] else { return }
      let isThere = try await appears(mark)
      #expect(isThere, "\(mark)")
    }
    #expect(result.ending == .timedOut)
    #expect(pauses.withLock { $0 } > 3)
  }

  /// Whether a file is there within a minute.
  private func appears(_ name: String) async throws -> Bool {
    for _ in 0..<6_000 {
      if access("\(folder.path)/\(name)", F_OK) == 0 { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func `a wait that is cancelled ends the command first`() async throws {
    let mark = "\(folder.path)/pid"
    await #expect(throws: Cancelled.self) {
      _ = try await run("echo $$ > part; mv part pid; exec sleep 1000") { time in
        guard access(mark, F_OK) != 0 else { throw Cancelled() }
        try await Task.sleep(for: time)
      }
    }
    let pid = try #require(pid_t(try folder.text(of: "pid").dropLast()))
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }
}
