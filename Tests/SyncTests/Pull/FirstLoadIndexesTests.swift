import Firestore
import Jobs
import JobsTesting
import Model
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import Store
@testable import Sync

/// A first load drops the users' indexes and builds all of them at its end.
@Suite struct FirstLoadIndexesTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func pull(_ port: any FirestorePort, documentsPerCommit: Int = 4) async throws {
    _ = try await Pull(
      port: port, store: workspace.store, documentsPerCommit: documentsPerCommit
    ).run(.users(pageSize: 2))
  }

  /// The number of indexes after each answer of a pull.
  private func indexCounts(
    during firestore: MemoryFirestore, documentsPerCommit: Int = 4
  ) async throws -> Set<Int> {
    let counts = Mutex<Set<Int>>([])
    let port = FaultyPort(
      firestore,
      afterCall: { [workspace] _ in
        do {
          let count = try workspace.indexCount()
          counts.withLock { _ = $0.insert(count) }
        } catch {
          Issue.record(error)
        }
      })
    try await pull(port, documentsPerCommit: documentsPerCommit)
    return counts.withLock { $0 }
  }

  @Test
  func `between the commits of a first load there is no index; after the last, all six`()
    async throws
  {
    #expect(try await indexCounts(during: MemoryFirestore(.users(11))) == [0, 6])
    #expect(try workspace.indexCount() == 6)
    #expect(try workspace.users().count == 11)
    try workspace.store.checkIntegrity()
  }

  @Test func `a load into a table with users keeps the indexes all the time`() async throws {
    let firestore = MemoryFirestore(.users(3))
    try await pull(firestore)
    firestore.put(.users(11))
    #expect(try await indexCounts(during: firestore) == [6])
  }

  @Test func `a load of one commit keeps the indexes all the time`() async throws {
    let firestore = MemoryFirestore(.users(11))
    #expect(try await indexCounts(during: firestore, documentsPerCommit: 12) == [6])
  }

  @Test func `indexes that are all there begin nothing`() async throws {
    let store = workspace.store
    var count = 0
    try await store.buildIndexes(of: .onlineUsers) { count += 1 }
    #expect(count == 0)
    try store.write { try $0.dropIndexes(of: .onlineUsers, addedRows: 0) }
    try await store.buildIndexes(of: .onlineUsers) { count += 1 }
    #expect(count == 1)
    #expect(try workspace.indexCount() == 6)
  }

  @Test
  func `a first load that died is completed with its indexes by the next pull`() async throws {
    let firestore = MemoryFirestore(.users(11))
    await #expect(throws: FirestoreError.self) {
      try await pull(FaultyPort(firestore, failingCall: 5))
    }
    #expect(try workspace.indexCount() == 0)
    try await pull(firestore)
    #expect(try workspace.indexCount() == 6)
    #expect(try workspace.users().count == 11)
    try workspace.store.checkIntegrity()
  }
}

extension TemporaryStore {
  /// The indexes of `OnlineUsers` that have a name, as another reader sees them.
  func indexCount() throws -> Int {
    try store.read { reader in
      try reader.count(
        """
        SELECT count(*) FROM sqlite_schema
        WHERE type = 'index' AND tbl_name = 'OnlineUsers' AND sql IS NOT NULL
        """)
    }
  }
}
