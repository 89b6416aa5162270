import Fixtures
import Foundation
import Model
import Store
import Testing
import Workspace

/// `kill -9` at random points of `backup`, of a run and of `restore`, on two machines.
///
/// The steps themselves are in `RestoreTests` and `DiskLossTests` of the module Jobs.
@Suite struct DiskLossKillTests {
  private static let kills = 6

  @Test
  func `killed anywhere, repeated and restored, feedback is delivered once and rows are equal`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    let root = workspace.folder.path
    for number in 1...3 {
      let result = try await workspace.run(
        "rating", "submit", "\(number)", "--feedback", "The limits stop me, number \(number)")
      #expect(result.status == 0)
    }
    let elsewhere = try TemporaryFolder()
    let folder = elsewhere.path(of: "backups")
    #expect(try await workspace.run("backup", "--to", folder).status == 0)
    var pauses: [Int] = []
    func kill(_ arguments: [String], _ kill: Int) async throws {
      let running = try workspace.start(arguments)
      let pause = min(99, 10 + kill * 12 + Int.random(in: 0..<12))
      pauses.append(pause)
      try await Task.sleep(for: .milliseconds(pause))
      running.kill()
      _ = try await running.wait()
    }
    for number in 0..<Self.kills { try await kill(["backup", "--to", folder], number) }
    for number in 0..<Self.kills { try await kill(["run", "--all", "--force"], number) }
    // The disk is lost: what stays are the configuration and the backups.
    try FileManager.default.removeItem(atPath: root + "/data")
    let restore = ["restore", "latest", "--from", folder, "--yes"]
    for number in 0..<Self.kills {
      try await kill(restore, number)
      if FileManager.default.fileExists(atPath: root + "/data/firetally.sqlite") {
        try workspace.store().checkIntegrity()
      }
    }
    let last = try await workspace.run(restore)
    #expect(last.status == 0, "pauses \(pauses): \(last.errors)")
    let later = TemporaryWorkspace.morning + .seconds(7_200)
    let run = try await workspace.run("run", "--all", "--force", at: later)
    #expect(run.status == 0 || run.status == 3, "pauses \(pauses): \(run.errors)")
    #expect(try workspace.deliveredFeedback().count == 3, "pauses \(pauses)")
    let counts = try workspace.store().read { try $0.outboxCounts() }
    #expect(counts == [.delivered: 3], "pauses \(pauses)")
    let undisturbed = try await TemporaryWorkspace()
    _ = try await undisturbed.run(["run", "--all"], at: later)
    #expect(try workspace.userIds() == undisturbed.userIds(), "pauses \(pauses)")
    for entry in try BackupFolder(folder).entries() {
      #expect(try await workspace.run("verify", entry.path).status == 0, "pauses \(pauses)")
    }
  }
}
