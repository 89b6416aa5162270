import Foundation
import Model
import Store
import StoreTesting
import Testing

@Suite struct LimitWatchTests {
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"

  /// A workspace at its limit of one refresh, with a short cooldown.
  private func workspace(cooldown: Int) async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.set("refresh.limit: 1\n  refresh.cooldown: \(cooldown)")
    _ = try await workspace.run("limits", "use", "refresh")
    return workspace
  }

  private func arguments(_ workspace: TemporaryWorkspace, _ more: String...) -> [String] {
    ["limits", "check", "refresh", "--watch", "-C", workspace.folder.path] + more
      + ["--now", TemporaryWorkspace.morning.description]
  }

  private func eventCount(_ workspace: TemporaryWorkspace) throws -> Int {
    try workspace.store().read { try $0.eventsCount() }
  }

  /// What stands on the lines, without control sequences.
  private func lines(_ drawn: String) -> [String] {
    drawn.replacing(#/\u{1B}\[[?0-9]*[A-Za-z]/#, with: "").split(whereSeparator: \.isNewline)
      .map { String($0.drop { $0 == "\r" }) }
  }

  /// How many filled cells each picture's bar has.
  private func bars(_ drawn: String) -> [Int] {
    lines(drawn).filter { $0.contains("░") || $0.contains("█") }
      .map { $0.count { $0 == "█" } }
  }

  @Test
  func `on a terminal the popup counts down in place and ends in the available state, with 0`()
    async throws
  {
    let workspace = try await workspace(cooldown: 3)
    let before = try eventCount(workspace)
    let terminal = try PseudoTerminal()
    let process = try terminal.start(workspace.program, arguments(workspace))
    let drawn = try await terminal.read(process)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(drawn.hasPrefix(Self.hideCursor) && drawn.hasSuffix(Self.showCursor))
    #expect(drawn.contains("Time remaining: 0:03"))
    #expect(drawn.contains("Time remaining: 0:02"))
    let bars = bars(drawn)
    #expect(bars.first == 40 && bars.count > 3)
    #expect(bars == bars.sorted(by: >))
    #expect(drawn.contains("\u{1B}[34m█"))
    let last = try #require(drawn.components(separatedBy: "\u{1B}[6A").last)
    #expect(last.contains("[ Refresh Users ]  1 left") && !last.contains("Time remaining"))
    // The tap, the popup with its price and the block; then the end of the wait and of the popup.
    #expect(try eventCount(workspace) == before + 4 + 3)
    let (state, events) = try workspace.store().read {
      (
        try $0.limitState(profile: "default", feature: .refresh),
        try $0.newestEvents(.init(name: "ios_refresh_popup_dismissed"), limit: 9)
      )
    }
    #expect(state == LimitState(isFresh: true))
    #expect(events.map { $0.parameters["ios_dismiss_reason"] } == [.string("expired")])
  }

  @Test func `the end that a watcher sees is in the ledger as settle writes it`() async throws {
    var ends: [[Event]] = []
    for watches in [true, false] {
      let workspace = try await workspace(cooldown: 3)
      if watches {
        let terminal = try PseudoTerminal()
        let process = try terminal.start(workspace.program, arguments(workspace))
        _ = try await terminal.read(process)
        process.waitUntilExit()
      } else {
        _ = try await workspace.run("limits", "check", "refresh")
        try workspace.write("kind: settle\n", to: "jobs/settle.yml")
        _ = try await workspace.run(
          "run", "settle", at: TemporaryWorkspace.morning + .seconds(300))
      }
      let newest = try workspace.store().read { try $0.newestEvents(.init(), limit: 3) }
      ends.append(
        newest.map { event in
          var event = event
          event.parameters["ios_session_id"] = nil
          return event
        })
    }
    #expect(ends[0] == ends[1])
    #expect(
      ends[0].map(\.name) == [
        "ios_refresh_cooldown_completed", "ios_refresh_limit_reset", "ios_refresh_popup_dismissed",
      ])
    #expect(ends[0].last?.parameters["ios_popup_seconds"] == .integer(3))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interruption ends it with 130 and gives the cursor back`(signal: Int32) async throws {
    let workspace = try await workspace(cooldown: 600)
    let terminal = try PseudoTerminal()
    let process = try terminal.start(workspace.program, arguments(workspace))
    let before = try await terminal.read(process, until: "Time remaining", times: 2)
    kill(process.processIdentifier, signal)
    let drawn = try await terminal.read(process)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect((before + drawn).hasSuffix(Self.showCursor))
    let closed = try workspace.store().read {
      try $0.newestEvents(.init(name: "ios_refresh_popup_dismissed"), limit: 9)
    }
    #expect(closed.map { $0.parameters["ios_dismiss_reason"] } == [.string("dismissed")])
  }

  @Test
  func `a narrow terminal gets short lines and a short bar, and no colour where none is wanted`()
    async throws
  {
    let workspace = try await workspace(cooldown: 2)
    let terminal = try PseudoTerminal(columns: 24)
    let process = try terminal.start(workspace.program, arguments(workspace, "--no-color"))
    let drawn = try await terminal.read(process)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(bars(drawn).first == 24)
    #expect(!drawn.contains("\u{1B}[34m"))
    #expect(lines(drawn).allSatisfy { $0.count <= 24 })
  }

  @Test func `another process that resets the limit ends the wait at once`() async throws {
    let workspace = try await workspace(cooldown: 600)
    let terminal = try PseudoTerminal()
    let process = try terminal.start(workspace.program, arguments(workspace))
    _ = try await terminal.read(process, until: "Time remaining")
    _ = try await workspace.run("limits", "reset", "refresh")
    #expect(try await terminal.read(process).contains("1 left"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [[], ["--json"], ["--quiet"]])
  func `without a terminal or with --json it is one block, with --quiet one sentence`(
    flags: [String]
  ) async throws {
    let workspace = try await workspace(cooldown: 600)
    let result = try await workspace.run(["limits", "check", "refresh", "--watch"] + flags)
    #expect(result.status == 75)
    // An error object has the popup as text and as a value.
    let isQuiet = flags == ["--quiet"]
    let blocks = flags == ["--json"] ? 2 : isQuiet ? 0 : 1
    #expect(result.errors.components(separatedBy: "Time remaining: 10:00").count == blocks + 1)
    if isQuiet {
      #expect(result.errors.hasPrefix("firetally: ") && result.output.isEmpty)
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    #expect(!result.errors.contains("\u{1B}") && !result.output.contains("\u{1B}"))
    let terminal = try PseudoTerminal()
    guard let flag = flags.first else { return }
    let process = try terminal.start(workspace.program, arguments(workspace, flag))
    #expect(try await !terminal.read(process).contains("\u{1B}"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 75)
  }

  @Test func `where the user may proceed there is nothing to watch`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let terminal = try PseudoTerminal()
    let process = try terminal.start(workspace.program, arguments(workspace))
    let drawn = try await terminal.read(process)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(drawn.contains("2 left") && !drawn.contains("\u{1B}"))
  }
}
