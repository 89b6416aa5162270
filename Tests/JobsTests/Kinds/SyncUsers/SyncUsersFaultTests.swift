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

/// Pulls that fail at every step, are killed, or meet documents that move.
@Suite struct SyncUsersFaultTests {
  private static let userCount = 11
  private static let pageSize = 2
  private static let pageCount = 6

  private func pull(
    _ port: any FirestorePort, into workspace: TemporaryStore, _ request: SyncUsersRequest? = nil,
    documentsPerCommit: Int = 4
  ) async throws -> PullResult {
    try await Pull(
      port: port, store: workspace.store, documentsPerCommit: documentsPerCommit
    ).run(request ?? .users(pageSize: Self.pageSize))
  }

  /// Leaves a workspace in which a pull of `request` failed at its sixth page, with five stored.
  private func interrupted(
    _ firestore: MemoryFirestore, _ request: SyncUsersRequest? = nil
  ) async throws -> TemporaryStore {
    let workspace = try TemporaryStore()
    let port = FaultyPort(firestore, failingCall: 6)
    await #expect(throws: FirestoreError.self) { try await pull(port, into: workspace, request) }
    #expect(try workspace.users().count == 10)
    firestore.forgetCalls()
    return workspace
  }

  private static let steps = FaultyPort.Trouble.allCases.flatMap { trouble in
    // A snapshot that is too old ends no pull after its first page.
    (1...(trouble == .tooOld ? 1 : pageCount)).map { (trouble, $0) }
  }

  @Test(arguments: steps)
  func `a pull that failed at any step ends, run again, where an undisturbed one ends`(
    trouble: FaultyPort.Trouble, step: Int
  ) async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let undisturbed = try TemporaryStore()
    _ = try await pull(firestore, into: undisturbed)
    let workspace = try TemporaryStore()
    let faulty = FaultyPort(firestore, failingCall: step, trouble: trouble)
    await #expect(throws: (any Error).self) { try await pull(faulty, into: workspace) }
    let storedCount = try workspace.users().count
    #expect(storedCount == (step - 1) * Self.pageSize)
    let again = try await pull(firestore, into: workspace)
    #expect(try workspace.users() == undisturbed.users())
    #expect(try workspace.rowIds() == undisturbed.rowIds())
    let resumesAt = storedCount == 0 ? nil : storedCount
    #expect(again.resumedAfter == resumesAt)
    #expect(again.counts.fetched == Self.userCount - (resumesAt ?? 0))
    #expect(try await pull(firestore, into: workspace).counts.unchanged == Self.userCount)
  }

  @Test
  func `users who come, go and move between two pages are met once, as the first page saw them`()
    async throws
  {
    for step in 1..<Self.pageCount {
      let firestore = MemoryFirestore(.users(Self.userCount))
      let port = FaultyPort(
        firestore,
        afterCall: { number in
          guard number == step else { return }
          firestore.put([
            "Users/user-11": .user("user-11", seenAgo: 0),
            "Users/user-1": .user("user-1", seenAgo: 9_000),
            "Users/new": .user("new", seenAgo: 1), "Users/user-6": nil,
          ])
        })
      let workspace = try TemporaryStore()
      let result = try await pull(port, into: workspace)
      #expect(result.counts == RunCounts(fetched: Self.userCount, inserted: Self.userCount))
      #expect(try workspace.users().map(\.userId) == (1...11).map { "user-\($0)" })
      let later = try await pull(firestore, into: workspace)
      #expect(later.counts == RunCounts(fetched: 11, inserted: 1, updated: 2, unchanged: 8))
    }
  }

  @Test func `a pull that failed goes on after its last page, in its snapshot`() async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    firestore.put(["Users/new": .user("new", seenAgo: 30_000)])
    let result = try await pull(firestore, into: workspace)
    #expect(result.resumedAfter == 10)
    #expect(result.counts == RunCounts(fetched: 1, inserted: 1))
    guard case .page(let query, let readTime)? = firestore.calls.first else {
      Issue.record("no page was asked for")
      return
    }
    let name = "projects/demo/databases/(default)/documents/Users/user-10"
    #expect(query.startAt?.values.last == .reference(name))
    #expect(readTime == Timestamp(microseconds: Instant.morning.microseconds + 1))
    #expect(try !workspace.userIds().contains("new"))
  }

  @Test(arguments: [
    (Duration.zero, true), (.seconds(2999), true), (.seconds(3000) - .microseconds(1), true),
    (.seconds(3000), false), (.seconds(86_400), false), (.seconds(-1), false),
  ])
  func `a cursor is used for less than 50 minutes`(later: Duration, isUsed: Bool) async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    var request = SyncUsersRequest.users(pageSize: Self.pageSize)
    request.options.now = request.options.now + later
    let result = try await pull(firestore, into: workspace, request)
    #expect(result.resumedAfter == (isUsed ? 10 : nil))
    #expect(result.counts.fetched == (isUsed ? 1 : Self.userCount))
    #expect(try workspace.users().count == Self.userCount)
  }

  private static let changes: [@Sendable (inout SyncUsersRequest) -> Void] = [
    { $0.options.job = "other-job" }, { $0.options.maxDocuments = 10 },
    { $0.filter.country = "Chile" },
    { $0.filter.minAge = 18 }, { $0.filter.maxAge = 99 }, { $0.ownUserId = "user-1" },
    { $0.fields = .app.renamed(["User_name": "User_id"]) },
    { request in
      request.filter.isNearbyOnly = true
      request.city = "Lima"
    },
  ]

  @Test(arguments: changes.indices)
  func `a cursor of another order is not used`(index: Int) async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    var request = SyncUsersRequest.users(pageSize: Self.pageSize)
    Self.changes[index](&request)
    let result = try await pull(firestore, into: workspace, request)
    #expect(result.resumedAfter == nil)
    #expect(result.counts.fetched == min(Self.userCount, request.options.maxDocuments ?? .max))
  }

  @Test func `another page size goes on from the same cursor`() async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    let result = try await pull(firestore, into: workspace, .users(pageSize: 5))
    #expect(result.resumedAfter == 10)
    #expect(try workspace.users().count == Self.userCount)
  }

  @Test func `max_documents counts those of the interrupted pull`() async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let request = SyncUsersRequest.users(pageSize: Self.pageSize, maxDocuments: 10)
    let workspace = try TemporaryStore()
    // The second call looks for numbers, and finds none.
    let port = FaultyPort(firestore, failingCall: 6)
    await #expect(throws: FirestoreError.self) { try await pull(port, into: workspace, request) }
    let result = try await pull(firestore, into: workspace, request)
    #expect(result.counts == RunCounts(fetched: 2, inserted: 2))
    #expect(try workspace.users().count == 10)
  }

  @Test func `documents that become no rows move the cursor, too`() async throws {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try TemporaryStore()
    var request = SyncUsersRequest.users(pageSize: Self.pageSize)
    request.filter.minAge = 90
    let port = FaultyPort(firestore, failingCall: 5)
    await #expect(throws: FirestoreError.self) { try await pull(port, into: workspace, request) }
    let result = try await pull(firestore, into: workspace, request)
    #expect(result.resumedAfter == 8)
    #expect(result.counts == RunCounts(fetched: 3, skipped: ["filter": 3]))
  }

  @Test func `a cursor that the server refuses is forgotten`() async throws {
    let error = FirestoreError.refusal(.invalidArgument)
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    await #expect(throws: error) { try await pull(RefusingPort(error: error), into: workspace) }
    #expect(try await pull(firestore, into: workspace).resumedAfter == nil)
    #expect(try workspace.users().count == Self.userCount)
  }

  private static let tooOld = FirestoreError.refusal(
    .failedPrecondition, "The requested read_time is too old")

  @Test
  func `a pull whose snapshot is gone goes on from its last page in a new one, however late`()
    async throws
  {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    let again = RefusingPort(error: Self.tooOld)
    await #expect(throws: Self.tooOld) { try await pull(again, into: workspace) }
    firestore.put(["Users/new": .user("new", seenAgo: 30_000)])
    var request = SyncUsersRequest.users(pageSize: Self.pageSize)
    request.options.now = request.options.now + .seconds(86_400)
    let result = try await pull(firestore, into: workspace, request)
    #expect(result.resumedAfter == 10)
    #expect(result.counts == RunCounts(fetched: 2, inserted: 2))
    guard case .page(_, let readTime)? = firestore.calls.first else {
      Issue.record("no page was asked for")
      return
    }
    #expect(readTime == nil)
  }

  @Test(arguments: 2...6)
  func `a pull whose snapshot is called too old at any page goes on in a new one at once`(call: Int)
    async throws
  {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try TemporaryStore()
    let result = try await pull(
      FaultyPort(firestore, failingCall: call, trouble: .tooOld), into: workspace)
    #expect(result.counts.inserted == Self.userCount)
    #expect(try workspace.users().count == Self.userCount)
    let times = firestore.calls.compactMap { call -> Timestamp?? in
      guard case .page(_, let readTime) = call else { return nil }
      return readTime
    }
    #expect(times.count { $0 == nil } == 2, "two pages name a snapshot")
    let replacing = try TemporaryStore()
    var request = SyncUsersRequest.users(pageSize: Self.pageSize)
    request.options.mode = .replace
    await #expect(throws: Self.tooOld) {
      try await pull(
        FaultyPort(firestore, failingCall: call, trouble: .tooOld), into: replacing, request)
    }
    #expect(try replacing.users().isEmpty)
  }

  @Test
  func `a pull refused its first page for an old snapshot, which it never had, begins anew`()
    async throws
  {
    let firestore = MemoryFirestore(.users(Self.userCount))
    let workspace = try await interrupted(firestore)
    let refusing = RefusingPort(error: Self.tooOld)
    for _ in 1...2 {
      await #expect(throws: Self.tooOld) { try await pull(refusing, into: workspace) }
    }
    #expect(try await pull(firestore, into: workspace).resumedAfter == nil)
  }

  @Test func `a cursor text survives its round trip, and a foreign one is no cursor`() throws {
    var cursor = PullCursor()
    cursor.documentCount = 42
    cursor.readTime = Timestamp(microseconds: Instant.morning.microseconds + 1)
    for value in [Value.null, .double(.nan), .integer(.min), .string("\u{0}\"é"), .map([:])] {
      cursor.last = .init(value: value, name: "projects/p/databases/d/documents/Users/ü\"")
      #expect(PullCursor(text: cursor.text) == cursor)
    }
    for text in ["", "{", "{}", "[]", #"{"documentCount":1}"#, #"{"documentCount":"x"}"#] {
      #expect(PullCursor(text: text) == nil)
    }
  }
}

/// A port that refuses everything.
private struct RefusingPort: FirestorePort {
  var error: FirestoreError

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws { throw error }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int { throw error }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? { throw error }

  func documents(at paths: [String]) async throws -> [String: Document] { throw error }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {
    throw error
  }

  func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] { throw error }
}
