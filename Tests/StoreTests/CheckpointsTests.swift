import Foundation
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct CheckpointsTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func checkpointPages() throws -> Int { try number(of: "wal_autocheckpoint") }

  private func number(of pragma: String) throws -> Int {
    try store.connection.writeWithoutTransaction {
      try Int.fetchOne($0, sql: "PRAGMA \(pragma)") ?? 0
    }
  }

  /// Bytes of the database file itself, without its log.
  private func fileSize() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    return try #require(attributes[.size] as? Int)
  }

  @Test func `what was committed gets into the file while the store stays open`() throws {
    let before = try fileSize()
    let checkpoints = try store.beginBackgroundCheckpoints()
    try store.merge((1...5_000).map { .numbered($0) })
    #expect(try fileSize() == before)
    checkpoints.start()
    try store.endBackgroundCheckpoints(checkpoints)
    #expect(try fileSize() > before + 500_000)
    #expect(try store.read { try $0.usersCount() } == 5_000)
    try store.checkIntegrity()
  }

  @Test func `the writer makes its own checkpoints later, and as before afterwards`() throws {
    let pages = try checkpointPages()
    let checkpoints = try store.beginBackgroundCheckpoints()
    #expect(try checkpointPages() == Checkpoints.longestLog)
    try store.endBackgroundCheckpoints(checkpoints)
    #expect(try checkpointPages() == pages)
    #expect(pages < Checkpoints.longestLog)
  }

  @Test func `the writer takes less memory for pages meanwhile`() throws {
    #expect(try number(of: "cache_size") == -16_384)
    let checkpoints = try store.beginBackgroundCheckpoints()
    #expect(try number(of: "cache_size") == -8_192)
    let isBuilt = try store.write { writer in
      try writer.database.execute(
        sql: "DROP INDEX main.\(try #require(SyncTable.onlineUsers.indexes.keys.min()))")
      return try writer.buildNextIndex(of: .onlineUsers)
    }
    #expect(try isBuilt && number(of: "cache_size") == -8_192, "building an index leaves it")
    try store.endBackgroundCheckpoints(checkpoints)
    #expect(try number(of: "cache_size") == -16_384)
  }

  @Test func `a load that fails leaves the writer as it was`() async throws {
    struct Stop: Error {}
    let pages = try checkpointPages()
    await #expect(throws: Stop.self) {
      try await store.withBackgroundCheckpoints { checkpoints in
        #expect(try checkpointPages() == Checkpoints.longestLog)
        checkpoints.start()
        throw Stop()
      }
    }
    #expect(try checkpointPages() == pages)
    #expect(try await store.withBackgroundCheckpoints { _ in 7 } == 7)
    #expect(try checkpointPages() == pages)
  }

  @Test func `checkpoints and writes at the same time lose nothing`() throws {
    let checkpoints = try store.beginBackgroundCheckpoints()
    for round in 0..<200 {
      try store.merge((1...20).map { .numbered(round * 20 + $0) })
      checkpoints.start()
    }
    try store.endBackgroundCheckpoints(checkpoints)
    #expect(try store.read { try $0.usersCount() } == 4_000)
    try store.checkIntegrity()
  }
}
