import Firestore
import Emulator
import Foundation
import Model
import Platform
import Store
import StoreTesting
import Testing

/// `kill -9` at random points of `run --all`, then a rerun: same rows, no feedback lost or doubled.
@Suite struct KillTests {
  /// Runs that are killed, each of them later than the one before.
  static let kills = 12

  @Test
  func `killed anywhere, a run that is repeated ends as if it had not been disturbed`() async throws
  {
    let undisturbed = try await workspaceWithFeedback()
    _ = try await undisturbed.run("run", "--all")
    let workspace = try await workspaceWithFeedback()
    // Slow answers, so that the kills fall into every phase of a run.
    workspace.server.inject(.delay(.milliseconds(15)), times: nil)
    var pauses: [Int] = []
    for kill in 0..<Self.kills {
      let running = try workspace.start(["run", "--all", "--force"])
      let pause = 10 + kill * 25 + Int.random(in: 0..<25)
      pauses.append(pause)
      try await Task.sleep(for: .milliseconds(pause))
      running.kill()
      _ = try await running.wait()
    }
    workspace.server.clearFaults()
    let later = TemporaryWorkspace.morning + .seconds(7_200)
    let last = try await workspace.run("run", "--all", "--force", at: later)
    #expect(last.status == 0 || last.status == 3, "pauses \(pauses): \(last.errors)")
    #expect(try workspace.userIds() == undisturbed.userIds(), "pauses \(pauses)")
    #expect(
      try Self.contents(workspace) == Self.contents(undisturbed), "pauses \(pauses)")
    let counts = try workspace.store().read { try $0.outboxCounts() }
    #expect(counts == [.delivered: 3], "pauses \(pauses)")
    try workspace.store().checkIntegrity()
  }

  @Test func `half-written files of a killed run go with the next one`() async throws {
    let workspace = try await TemporaryWorkspace()
    let dead = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
    dead.waitUntilExit()
    let files = [
      "output/.users.html.\(DraftWriter(process: dead.processIdentifier)).2a.tmp",
      "data/backups/firetally-2026-01-30T080000Z.sqlite.part",
    ]
    for file in files { try workspace.write("half", to: file) }
    _ = try await workspace.run("run", "report", "maintain")
    for file in files {
      let path = workspace.folder.appendingPathComponent(file).path
      #expect(!FileManager.default.fileExists(atPath: path), "\(file)")
    }
  }

  @Test
  func `while a job runs, status says so; killed, it is interrupted there and in the ledger`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.delay(.seconds(30)), matching: ":runQuery")
    let running = try workspace.start(["run", "online-users"])
    while workspace.userRequests == 0 { try await Task.sleep(for: .milliseconds(20)) }
    let during = try await workspace.run("status")
    #expect(during.status == 0)
    #expect(during.output.contains("running"))
    running.kill()
    _ = try await running.wait()
    let after = try await workspace.run("status")
    #expect(after.status == 1)
    #expect(after.output.contains("interrupted"))
    #expect(!after.output.contains("running"))
    let run = try workspace.store().read { try $0.lastRuns() }["online-users"]
    #expect(run?.outcome == .interrupted)
    #expect(run?.endedAt == nil)
  }

  private func workspaceWithFeedback() async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace()
    for number in 1...3 {
      let result = try await workspace.run(
        "rating", "submit", "\(number)", "--feedback", "The limits stop me, number \(number)")
      #expect(result.status == 0)
    }
    return workspace
  }

  /// The delivered texts with their ratings; ids may differ by the seconds that were free.
  private static func contents(_ workspace: TemporaryWorkspace) throws -> Set<[String: Value]> {
    let documents = try workspace.deliveredFeedback()
    #expect(documents.count == 3)
    return Set(documents.map(\.fields))
  }
}
