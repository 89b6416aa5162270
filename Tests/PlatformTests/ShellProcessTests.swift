import Fixtures
import Foundation
import Glibc
import Subprocess
import Synchronization
import Testing

@testable import Platform

struct ShellProcessTests {
  private struct Deaf: Error {}

  /// Runs a script, and keeps what it prints.
  private func run(
    _ script: String, arguments: [String] = [], environment: [String: String] = [:],
    leavesGroup: Bool = false, timeout: Duration = .seconds(60),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws -> (ending: ShellProcess.Ending, output: String) {
    let output = Mutex<[UInt8]>([])
    let process = ShellProcess(
      script, arguments: arguments,
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own },
      leavesGroup: leavesGroup)
    let ending = try await process.run(timeout: timeout, errors: .discarded, sleep: sleep) {
      for try await bytes in $0.standardOutput {
        bytes.withUnsafeBytes { piece in output.withLock { $0.append(contentsOf: piece) } }
      }
    }
    return (ending, output.withLock { String(decoding: $0, as: UTF8.self) })
  }

  /// Whether the process ends within a minute; one that nobody waited for has ended, too.
  private func ends(_ id: pid_t) async throws -> Bool {
    for _ in 0..<6_000 {
      let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      guard let status, !status.contains(") Z ") else { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test(arguments: [
    ("true", ShellProcess.Ending.exited(status: 0)), ("exit 255", .exited(status: 255)),
    ("kill -TERM $$", .killed(signal: SIGTERM)), ("no-such-command", .exited(status: 127)),
  ])
  func `a shell ends by itself or by a signal`(
    script: String, ending: ShellProcess.Ending
  ) async throws {
    #expect(try await run(script).ending == ending)
  }

  @Test func `arguments are words of their own, and the environment is what is given`() async throws
  {
    let result = try await run(
      #"printf '%s|%s|%s|%s' "$0" "$1" "$A" "$HOME""#, arguments: ["sh", "a b; exit 9"],
      environment: ["A": "$B"])
    #expect(result.output == "sh|a b; exit 9|$B|")
  }

  @Test(arguments: [true, false])
  func `what the shell leaves running goes on only if it may`(leavesGroup: Bool) async throws {
    let result = try await run(
      "sleep 1000 >/dev/null 2>&1 & echo $!", leavesGroup: leavesGroup)
    #expect(result.ending == .exited(status: 0))
    let id = try #require(pid_t(result.output.dropLast()))
    if leavesGroup {
      #expect(kill(id, 0) == 0)
      kill(id, SIGKILL)
    }
    #expect(try await ends(id))
  }

  @Test func `what does not end when it is asked to is killed`() async throws {
    let ready = Mutex(false)
    let process = ShellProcess(
      "trap '' TERM; echo $$; while :; do sleep 0.01; done",
      environment: ["PATH": "/usr/bin:/bin"], leavesGroup: true)
    let ending = try await process.run(timeout: .seconds(7), errors: .discarded) { time in
      #expect(time == .seconds(7))
      while !ready.withLock(\.self) { try await Task.sleep(for: .milliseconds(10)) }
    } hear: {
      for try await _ in $0.standardOutput { ready.withLock { $0 = true } }
    }
    #expect(ending == .timedOut)
  }

  @Test func `a reader that fails ends the group first`() async throws {
    let process = ShellProcess(
      "echo one; sleep 1000", environment: ["PATH": "/usr/bin:/bin"], leavesGroup: true)
    await #expect(throws: Deaf.self) {
      _ = try await process.run(
        timeout: .seconds(60), errors: .discarded, sleep: { try await Task.sleep(for: $0) }
      ) {
        for try await _ in $0.standardOutput { throw Deaf() }
      }
    }
  }

  @Test func `a group that was ended before it began is killed as it begins`() async throws {
    let result = try await run("sleep 1000 >/dev/null 2>&1 & echo $$ $!", leavesGroup: true)
    let ids = result.output.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    try #require(ids.count == 2)
    let group = ProcessGroup()
    await group.end()
    group.begin(ids[0])
    #expect(try await ends(ids[1]))
  }
}
