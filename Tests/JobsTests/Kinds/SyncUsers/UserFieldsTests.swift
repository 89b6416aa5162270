import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Users whose fields get other names in the job file, while their documents stay as they are.
@Suite struct UserFieldsTests {
  private static let userCount = 5
  private static let right = UserWireFields.app.renamed(["user_city": "town"])
  private static let wrong = UserWireFields.app.renamed(["user_city": "twon"])

  private let firestore = MemoryFirestore(users("Users") + users("Members"))
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  /// Users who live in Quito, where the app's own field says Lima, and changed an hour and more
  /// ago.
  private static func users(_ collection: String) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: (1...userCount).map { number in
        let changed = Instant.morning - .seconds(3_600 * Int64(number))
        let id = "\(collection)-\(number)"
        return (
          "\(collection)/\(id)",
          .user(
            id, seenAgo: 60,
            [
              "town": .string("Quito"),
              "changed": .timestamp(Timestamp(microseconds: changed.microseconds)),
            ])
        )
      })
  }

  enum Load: CaseIterable {
    case newest, whole, incremental, replacing
  }

  private func request(
    _ load: Load, _ fields: UserWireFields, of collection: String = "Users"
  ) -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: 2)
    request.collection = collection
    request.fields = fields
    request.options.mode = load == .replacing ? .replace : .merge
    request.isWhole = load == .whole || load == .incremental
    if load == .incremental {
      request.options.watermark = Watermark(
        field: FieldPath(segments: ["changed"]), overlap: .seconds(300))
    }
    return request
  }

  @discardableResult
  private func pull(
    _ request: SyncUsersRequest, from port: (any FirestorePort)? = nil
  ) async throws -> RunCounts {
    try await Pull(port: port ?? firestore, store: workspace.store, documentsPerCommit: 2)
      .run(request).counts
  }

  private var cities: Set<String> {
    get throws { Set(try workspace.users().map { $0.text(.city) }) }
  }

  @Test(arguments: Load.allCases)
  func `another name fills the column of every user who is met, changed or not`(load: Load)
    async throws
  {
    try await pull(request(load, Self.wrong))
    #expect(try cities == [""])
    let ids = try workspace.rowIds()
    let counts = try await pull(request(load, Self.right))
    #expect(counts == RunCounts(fetched: Self.userCount, updated: Self.userCount))
    #expect(try cities == ["Quito"])
    #expect(try workspace.rowIds() == ids)
    #expect(try await pull(request(load, Self.right)).updated == 0)
  }

  @Test
  func `an incremental load by names that were there before begins with everything, too`()
    async throws
  {
    try await pull(request(.incremental, Self.right))
    try await pull(request(.newest, Self.wrong))
    #expect(try cities == [""])
    let counts = try await pull(request(.incremental, Self.right))
    #expect(counts == RunCounts(fetched: Self.userCount, updated: Self.userCount))
    #expect(try await pull(request(.incremental, Self.right)).fetched == 1)
  }

  @Test(arguments: 1...3)
  func `a load by other names that fails at any step ends, run again, with all of them`(step: Int)
    async throws
  {
    try await pull(request(.whole, Self.wrong))
    await #expect(throws: FirestoreError.self) {
      try await pull(
        request(.whole, Self.right), from: FaultyPort(firestore, failingCall: step))
    }
    try await pull(request(.whole, Self.right))
    #expect(try cities == ["Quito"])
  }

  @Test
  func `rows stored before names were remembered are filled anew, and no load starts over`()
    async throws
  {
    try await pull(request(.incremental, Self.right))
    try workspace.execute("DELETE FROM marks")
    #expect(
      try await pull(request(.incremental, Self.right)) == RunCounts(fetched: 1, updated: 1))
    #expect(try await pull(request(.whole, Self.right)).updated == Self.userCount - 1)
  }

  @Test
  func `two collections with names of their own do not undo each other's rows`() async throws {
    for _ in 1...2 {
      try await pull(request(.incremental, .app))
      try await pull(request(.incremental, Self.right, of: "Members"))
    }
    #expect(try await pull(request(.incremental, .app)) == RunCounts(fetched: 1, unchanged: 1))
    #expect(try cities == ["Lima", "Quito"])
  }
}

private func + (
  left: [String: [String: Value]], right: [String: [String: Value]]
) -> [String: [String: Value]] {
  left.merging(right) { _, last in last }
}
