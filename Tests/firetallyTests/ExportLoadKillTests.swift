import Firestore
import Fixtures
import Foundation
import Store
import StoreTesting
import Testing

@testable import Emulator

/// `kill -9` at random points of a load of an export: half of it is never seen.
@Suite struct ExportLoadKillTests {
  private static let documentCount = 20_000
  static let kills = 12

  @Test func `killed anywhere, a load of an export stores all or nothing`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.write("kind: sync-collection\ncollection: Orders\n", to: "jobs/orders.yml")
    let path = workspace.folder.appending(path: "export").path
    var writer = try ExportWriter(to: path, begin: Timestamp(microseconds: 5))
    for index in 0..<Self.documentCount {
      try writer.add(
        Document(
          name: "projects/demo/databases/(default)/documents/Orders/\(index)",
          fields: ["n": .integer(Int64(index)), "t": .string("text \(index)")]))
    }
    _ = try writer.finish(end: Timestamp(microseconds: 9))
    var pauses: [Int] = []
    for kill in 0..<Self.kills {
      let running = try workspace.start(["run", "orders", "--from", path])
      let pause = 20 + kill * 120 + Int.random(in: 0..<120)
      pauses.append(pause)
      try await Task.sleep(for: .milliseconds(pause))
      running.kill()
      _ = try await running.wait()
      let count = try rowCount(workspace)
      #expect(count == 0 || count == Self.documentCount, "pauses \(pauses)")
    }
    let last = try await workspace.run("run", "orders", "--from", path)
    #expect(last.status == 0, "pauses \(pauses): \(last.errors)")
    #expect(try rowCount(workspace) == Self.documentCount, "pauses \(pauses)")
    try workspace.store().checkIntegrity()
    let job = try await workspace.run("run", "report", "--from", path)
    #expect(job.status == 64)
    #expect(job.errors.contains("which loads no exports"))
  }

  private func rowCount(_ workspace: TemporaryWorkspace) throws -> Int {
    let path = workspace.folder.appending(path: "data/firetally.sqlite").path
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    let table = SyncTable.collection(name: "Orders", columns: [], hasDocument: true)
    return try Store.open(path: path).read { reader in
      try reader.isEmpty(table) ? 0 : reader.mirrorCounts(of: table).rows
    }
  }
}
