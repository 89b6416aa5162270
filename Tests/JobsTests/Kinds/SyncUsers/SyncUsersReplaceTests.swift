import Firestore
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Pulls that replace the users, as `firetally filter apply` does.
@Suite struct SyncUsersReplaceTests {
  private static let userCount = 11
  private static let pageCount = 6

  private func request(
    _ filter: UserFilter = .none, mode: PullMode = .replace
  ) -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: 2)
    request.filter = filter
    request.options.mode = mode
    return request
  }

  @discardableResult
  private func pull(
    _ port: any FirestorePort, into workspace: TemporaryStore, _ request: SyncUsersRequest
  ) async throws -> PullResult {
    try await Pull(port: port, store: workspace.store, documentsPerCommit: 4)
      .run(request)
  }

  /// Three old users, one of whom Firestore still has.
  private func fill(_ workspace: TemporaryStore) async throws {
    let earlier = MemoryFirestore([
      "Users/gone-1": .user("gone-1", seenAgo: 5), "Users/gone-2": .user("gone-2", seenAgo: 9_000),
      "Users/user-3": .user("user-3", seenAgo: 180),
    ])
    try await pull(earlier, into: workspace, request(mode: .merge))
  }

  @Test func `what is found becomes all there is; who stays keeps the row's id`() async throws {
    let workspace = try TemporaryStore()
    try await fill(workspace)
    let id = try workspace.rowIds()["user-3"]
    let result = try await pull(MemoryFirestore(.users(Self.userCount)), into: workspace, request())
    #expect(try workspace.users().map(\.userId) == (1...Self.userCount).map { "user-\($0)" })
    #expect(result.counts.fetched == Self.userCount)
    #expect(result.counts.deleted == 2)
    #expect(result.counts.inserted == Self.userCount - 1)
    #expect(
      result.counts.inserted + result.counts.updated + result.counts.unchanged == Self.userCount)
    #expect(try workspace.rowIds()["user-3"] == id)
  }

  @Test func `a filter that finds nobody leaves nobody`() async throws {
    let workspace = try TemporaryStore()
    try await fill(workspace)
    let result = try await pull(
      MemoryFirestore(.users(4)), into: workspace, request(UserFilter(country: "Peru")))
    #expect(result.counts == RunCounts(deleted: 3))
    #expect(try workspace.users() == [])
  }

  private static let steps = FaultyPort.Trouble.allCases.flatMap { trouble in
    (1...pageCount).map { (trouble, $0) }
  }

  @Test(arguments: steps)
  func `a pull that fails at any step leaves the users as they were, and can be run again`(
    trouble: FaultyPort.Trouble, step: Int
  ) async throws {
    let workspace = try TemporaryStore()
    try await fill(workspace)
    let before = (try workspace.users(), try workspace.rowIds())
    let firestore = MemoryFirestore(.users(Self.userCount))
    let faulty = FaultyPort(firestore, failingCall: step, trouble: trouble)
    await #expect(throws: (any Error).self) { try await pull(faulty, into: workspace, request()) }
    #expect(try workspace.users() == before.0)
    #expect(try workspace.rowIds() == before.1)
    let again = try await pull(firestore, into: workspace, request())
    #expect(again.resumedAfter == nil)
    #expect(again.counts.fetched == Self.userCount)
    #expect(try workspace.users().map(\.userId) == (1...Self.userCount).map { "user-\($0)" })
  }

  @Test
  func `what a pull that died had found does not get into that of another filter`() async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    firestore.put(["Users/peru": .user("peru", seenAgo: 1, ["User_country": .string("Peru")])])
    let workspace = try TemporaryStore()
    let faulty = FaultyPort(firestore, failingCall: 6)
    await #expect(throws: FirestoreError.self) {
      try await pull(faulty, into: workspace, request(UserFilter(country: "Chile")))
    }
    try await pull(firestore, into: workspace, request(UserFilter(country: "Peru")))
    #expect(try workspace.userIds() == ["peru"])
  }

  @Test
  func `a merge that died before a replace begins anew after it: nobody is missing`() async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try TemporaryStore()
    let faulty = FaultyPort(firestore, failingCall: 6)
    await #expect(throws: FirestoreError.self) {
      try await pull(faulty, into: workspace, request(mode: .merge))
    }
    #expect(try workspace.users().count == 10)
    try await pull(firestore, into: workspace, request(UserFilter(country: "Peru")))
    #expect(try workspace.users() == [])
    let merged = try await pull(firestore, into: workspace, request(mode: .merge))
    #expect(merged.resumedAfter == nil)
    #expect(try workspace.users().count == Self.userCount)
  }
}
