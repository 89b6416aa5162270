import Fixtures
import Foundation
import Jobs
import Model
import Store
import Testing

@testable import firetally

/// A machine is lost, and a backup makes another: docs/backup.md#restore.
@Suite struct RestoreDrillTests {
  private static let canRun =
    UnprivilegedProgram.canRun && FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  private static let absence: Comment =
    "Nobody may not run the built program, or openssl is not here: apt-get install openssl"

  @Test func `restore in a folder that is no workspace names --into`() async throws {
    let folder = try TemporaryFolder()
    let result = try await BuiltProgram().run("-C", folder.path, "restore", "/mnt/a.sqlite.gz")
    #expect(result.status == 78)
    #expect(
      result.errors == "firetally: \(folder.path) is not a workspace: it has no firetally.yml. To "
        + "restore into this folder, name it with --into: `firetally restore /mnt/a.sqlite.gz "
        + "--into \(folder.path)`.\n")
  }

  @Test(.enabled(if: canRun, absence))
  func `another user makes the machine of before in a bare folder, and nobody erased comes back`()
    async throws
  {
    let (lost, off) = (try await TemporaryWorkspace(users: 30), try TemporaryFolder())
    try off.write("a long secret\n", to: "key")
    let (cipher, key) = ("openssl enc -aes-256-cbc -pbkdf2", "-pass file:\(off.path(of: "key"))")
    try lost.add("backup:\n  encrypt: \(cipher) \(key)\n  decrypt: \(cipher) -d \(key)")
    try lost.write("SELECT 1 AS one\n", to: "reports/own.sql")
    #expect(try await lost.run("run", "--all").status == 3)
    #expect(
      try await lost.run(
        "rating", "submit", "2", "--feedback", "It crashes at the start",
        at: .morning + .seconds(60)
      ).status
        == 0)
    #expect(try await lost.run("run", "maintain", at: .morning + .seconds(120)).status == 0)
    let users = try lost.userIds()
    let gone = try #require(users.first)
    #expect(
      try await lost.run("users", "erase", gone, "--yes", at: .morning + .seconds(180)).status == 0)
    let copies = off.path(of: "copies")
    try FileManager.default.copyItem(
      atPath: lost.folder.path + "/data/backups", toPath: copies)
    let rows = try rows(of: lost.folder.path)

    let bare = off.path(of: "bare")
    try UnprivilegedProgram.chmod("a+rwX", off.path)
    func run(_ words: String..., in folder: String = bare) async throws -> BuiltProgram.Result {
      try await UnprivilegedProgram.run(
        words + ["-C", folder, "--now", (Instant.morning + .seconds(240)).description],
        temporary: off, environment: lost.program.environment)
    }
    let restored = try await run(
      "restore", "latest", "--from", copies, "--decrypt", "\(cipher) -d \(key)", "--into", bare,
      in: "/nonexistent")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.output.contains("1 person of the backup had been erased since"))
    #expect(
      restored.output.contains("firetally.yml") && restored.output.contains("reports/own.sql"))
    #expect(try self.rows(of: bare) == rows)
    let all = try await run("run", "--all")
    #expect([0, 3].contains(all.status), "\(all.errors)")
    let store = try Store.open(path: bare + "/data/firetally.sqlite", mode: .readOnly)
    let back = try store.read { try $0.users(limit: 1_000).users.map(\.userId).sorted() }
    #expect(back == users.filter { $0 != gone })
    #expect(try store.read { try $0.outboxCounts() }[.queued] == nil)
    #expect(try lost.deliveredFeedback().count == 1)
    let status = try await run("status")
    #expect(status.output.contains("; restore tested "))
  }

  /// What both machines must have alike: rows by table, and the outbox.
  private func rows(of workspace: String) throws -> [String: Int] {
    let store = try Store.open(path: workspace + "/data/firetally.sqlite", mode: .readOnly)
    return try store.read { reader in
      let outbox = try reader.outboxCounts().map { ("outbox \($0.key.rawValue)", $0.value) }
      return Dictionary(
        outbox + [
          ("users", try reader.usersCount()), ("events", try reader.eventsCount()),
          ("erased", try reader.erasedHashes().count),
        ], uniquingKeysWith: { first, _ in first })
    }
  }
}
