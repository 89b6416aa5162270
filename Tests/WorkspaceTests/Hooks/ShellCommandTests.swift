import Fixtures
import Glibc
import Platform
import Synchronization
import Testing

@testable import Workspace

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

  @Test func `when the time is over, what hangs is asked to end`() async throws {
    let result = try await run(
      "trap 'touch ended; exit' TERM; touch ready; while :; do sleep 0.01; done",
      timeout: .seconds(7)
    ) { time in
      #expect(time == .seconds(7))
      let isReady = try await appears("ready")
      #expect(isReady)
    }
    #expect(result.ending == .timedOut)
    #expect(access("\(folder.path)/ended", F_OK) == 0)
  }

  @Test func `what the shell started has a second to end after it`() async throws {
    let child =
      "trap 'sleep 0.2; touch ended; exit' TERM; touch ready; while :; do sleep 0.01; done"
    let result = try await run("(\(child)) >/dev/null 2>&1 & wait", timeout: .seconds(7)) { _ in
      let isReady = try await appears("ready")
      #expect(isReady)
    }
    #expect(result.ending == .timedOut)
    #expect(access("\(folder.path)/ended", F_OK) == 0)
  }

  @Test(arguments: [
    "exec >/dev/null 2>&1; touch ready; exec sleep 1000", "touch ready; sleep 1000",
  ])
  func `the time is over for a command that has closed its output, too`(text: String) async throws {
    let result = try await run(text, timeout: .seconds(7)) { _ in
      let isReady = try await appears("ready")
      #expect(isReady)
    }
    #expect(result.ending == .timedOut)
  }

  @Test func `what a command leaves running is not waited for, and goes on`() async throws {
    let result = try await run("sleep 1000 & echo $!")
    #expect(result.ending == .exited(status: 0))
    let pid = try #require(result.lines.first.flatMap { pid_t($0) })
    #expect(kill(pid, SIGKILL) == 0)
  }

  @Test func `a command need not read its input`() async throws {
    let result = try await run("exec <&-; echo one", input: String(repeating: "x", count: 300_000))
    #expect(result.ending == .exited(status: 0) && result.lines == ["one"])
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
    await #expect(throws: Cancelled.self) {
      _ = try await run("echo $$ > part; mv part pid; exec sleep 1000") { _ in
        _ = try await appears("pid")
        throw Cancelled()
      }
    }
    let pid = try #require(pid_t(try folder.text(of: "pid").dropLast()))
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  @Test func `a task that is cancelled ends the command first`() async throws {
    let task = Task { try await run("echo $$ > part; mv part pid; exec sleep 1000") }
    let isThere = try await appears("pid")
    #expect(isThere)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let pid = try #require(pid_t(try folder.text(of: "pid").dropLast()))
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }
}
