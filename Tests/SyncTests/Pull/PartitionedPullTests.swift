import Emulator
import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import Store
@testable import Sync

/// Pulls whose partitions are read side by side.
@Suite struct PartitionedPullTests {
  private static let userCount = 23

  private let firestore = MemoryFirestore(.users(userCount))
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func request(_ partitions: Int = 4) -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: 2)
    request.isWhole = true
    request.options.partitions = partitions
    return request
  }

  @discardableResult
  private func pull(
    _ port: any FirestorePort, _ request: SyncUsersRequest? = nil, reads: ReadBudgetMeter? = nil,
    into target: TemporaryStore? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) async throws -> PullResult {
    try await Pull(
      port: port, store: (target ?? workspace).store, reads: reads ?? ReadBudgetMeter(),
      documentsPerCommit: 4, sleep: sleep
    ).run((request ?? self.request()).pull)
  }

  private var pages: [(query: StructuredQuery, readTime: Timestamp?)] {
    firestore.calls.compactMap { call in
      if case .page(let query, let readTime) = call { (query, readTime) } else { nil }
    }
  }

  @Test(arguments: [1, 2, 3, 16, 22])
  func `parts together are the whole, every document once, at one snapshot`(partitions: Int)
    async throws
  {
    let result = try await pull(firestore, request(partitions))
    #expect(result.counts == RunCounts(fetched: Self.userCount, inserted: Self.userCount))
    #expect(try workspace.users().count == Self.userCount)
    #expect(Set(pages.dropFirst().map(\.readTime)).count == 1)
    #expect(pages.first?.readTime == nil)
    #expect(pages.dropFirst().allSatisfy { $0.readTime != nil })
    let starts = Set(pages.compactMap { $0.query.startAt?.before == true ? $0.query.startAt : nil })
    #expect(starts.count == partitions - 1)
    let asked = firestore.calls.contains { if case .partitions = $0 { true } else { false } }
    #expect(asked == (partitions > 1))
  }

  @Test func `more parts than documents, one document and none are no trouble`() async throws {
    for count in 0...3 {
      let firestore = MemoryFirestore(count == 0 ? [:] : .users(count))
      let target = try TemporaryStore()
      #expect(try await pull(firestore, request(16), into: target).counts.inserted == count)
    }
  }

  @Test
  func `no more pages are on their way at once than there are parts, but as many`() async throws {
    let port = GaugedPort(firestore)
    try await pull(port, request(3))
    #expect(port.highest == 3)
  }

  @Test func `a server that cannot cut, over HTTP, is read in one go`() async throws {
    try await withServer { server, client in
      server.inject(.status(.unimplemented), matching: ":partitionQuery")
      try await client.put(.users(5))
      let result = try await pull(client)
      #expect(result.counts == RunCounts(fetched: 5, inserted: 5))
    }
  }

  @Test
  func `128 streams begin one after the other, 2 ms apart, and later pages wait for nothing`()
    async throws
  {
    let waits = Mutex<[Duration]>([])
    let firestore = MemoryFirestore(.users(400))
    let result = try await pull(firestore, request(128)) { duration in
      waits.withLock { $0.append(duration) }
    }
    #expect(result.counts.inserted == 400)
    let milliseconds = waits.withLock { $0.map { ($0 / .microseconds(1)).rounded() / 1_000 } }
    #expect(milliseconds.sorted() == (1...127).map { Double($0) * 2 })
  }

  @Test
  func `a collection is cut at its own names only, a nested one of the same id left out`()
    async throws
  {
    var documents: [String: [String: Value]] = .users(9)
    for number in 1...30 {
      documents["Teams/t\(number % 3)/Users/nested-\(number)"] = .user("n\(number)", seenAgo: 1)
    }
    firestore.put(documents)
    #expect(try await pull(firestore).counts.inserted == Self.userCount)
  }

  @Test
  func `an order that needs another one than names, or not all documents, is not cut`() async throws
  {
    var some = request()
    some.options.maxDocuments = 10
    #expect(try await pull(firestore, some).counts.fetched == 10)
    var recent = request()
    recent.isWhole = false
    #expect(try await pull(firestore, recent).counts.fetched == Self.userCount)
    #expect(!firestore.calls.contains { if case .partitions = $0 { true } else { false } })
  }

  private static let steps = FaultyPort.Trouble.allCases.flatMap { trouble in
    (1...16).map { (trouble, $0) }
  }

  @Test(arguments: steps)
  func `a pull in parts that failed at any step ends, run again, where an undisturbed one does`(
    trouble: FaultyPort.Trouble, step: Int
  ) async throws {
    let faulty = FaultyPort(firestore, failingCall: step, trouble: trouble)
    do {
      try await pull(faulty)
      // The one trouble after which a pull goes on in a new snapshot.
      #expect(trouble == .tooOld)
    } catch {
      let stored = try workspace.users().count
      let again = try await pull(firestore)
      #expect(again.counts.fetched == Self.userCount - stored)
      #expect(again.counts.inserted == Self.userCount - stored)
    }
    #expect(try workspace.users().count == Self.userCount)
    #expect(try await pull(firestore).counts.unchanged == Self.userCount)
  }

  @Test
  func `what comes, goes and moves between the pages is met as the first page saw it`() async throws
  {
    for step in 2...10 {
      let firestore = MemoryFirestore(.users(Self.userCount))
      let port = FaultyPort(
        firestore,
        afterCall: { number in
          guard number == step else { return }
          firestore.put([
            "Users/user-11": .user("user-11", seenAgo: 0), "Users/aaa": .user("aaa", seenAgo: 1),
            "Users/zzz": .user("zzz", seenAgo: 1), "Users/user-6": nil,
          ])
        })
      let target = try TemporaryStore()
      let result = try await pull(port, into: target)
      #expect(result.counts == RunCounts(fetched: Self.userCount, inserted: Self.userCount))
      #expect(try target.userIds().contains("user-6"))
    }
  }

  @Test(arguments: [1, 2, 3, 7, 12, 22])
  func `a budget that ends a pull in parts is used up, never exceeded, and the next goes on`(
    limit: Int
  ) async throws {
    let reads = ReadBudgetMeter(limit)
    let stopped = try await pull(firestore, reads: reads)
    #expect(!stopped.isComplete)
    #expect(reads.spent == limit)
    #expect(try workspace.users().count == stopped.counts.fetched)
    let rest = ReadBudgetMeter(100)
    let again = try await pull(firestore, reads: rest)
    #expect(again.isComplete)
    #expect(try workspace.users().count == Self.userCount)
    #expect(again.counts.fetched == Self.userCount - stopped.counts.fetched)
  }

  @Test func `a budget that is just enough is enough, however the parts share it`() async throws {
    // Each part that ends with a full page asks once more, and is billed one read.
    let generous = ReadBudgetMeter(1_000)
    try await pull(firestore, reads: generous)
    let exact = ReadBudgetMeter(generous.spent)
    let target = try TemporaryStore()
    #expect(try await pull(firestore, reads: exact, into: target).isComplete)
    #expect(try target.users().count == Self.userCount)
  }

  @Test func `a sweep in partitions finds what one in one go finds`() async throws {
    try await pull(firestore)
    firestore.put(["Users/user-3": nil, "Users/user-9": nil])
    var request = SweepRequest(
      query: SyncUsersQuery.everyone(in: "Users"), table: .onlineUsers,
      keys: KeyMapping(fields: ["User_id"]), limit: .default, ignoresCount: false,
      options: PullOptions(job: "sync-users", pageSize: 2, now: .morning))
    request.options.partitions = 4
    let sweep = Sweep(
      store: workspace.store,
      pull: Pull(port: firestore, store: workspace.store, documentsPerCommit: 4))
    let outcome = try await sweep.run(request, loadedAt: nil)
    #expect(
      outcome
        == .swept(
          .init(
            finding: .init(counted: 21, listed: 21, rows: 23, missing: 2), verdict: .delete,
            deleted: 2)))
  }

  @Test func `a cursor of parts survives its round trip`() {
    var cursor = PullCursor(cutAt: ["projects/p/a", "projects/p/\"é"])
    cursor.readTime = Timestamp(microseconds: 1)
    cursor.firstReadTime = Timestamp(microseconds: 0)
    cursor.highest = TypedTimes(.timestamp, Timestamp(microseconds: -1))
    cursor.documentCount = 7
    cursor.partitions[1].last = "projects/p/b"
    cursor.partitions[2].isDone = true
    #expect(cursor.partitions.count == 3)
    #expect(PullCursor(text: cursor.text) == cursor)
  }

  @Test func `the embedded server cuts, and the parts are read over HTTP`() async throws {
    try await withServer { server, client in
      try await client.put(.users(200))
      var request = request(4)
      request.options.pageSize = 20
      #expect(try await pull(client, request).counts.inserted == 200)
      #expect(server.requests.filter { $0.path.hasSuffix(":partitionQuery") }.count == 1)
    }
  }
}

/// A port that measures how many pages it is asked for at once.
private final class GaugedPort: FirestorePort {
  private let port: any FirestorePort
  private let state = Mutex((now: 0, highest: 0))

  init(_ port: any FirestorePort) { self.port = port }

  var highest: Int { state.withLock { $0.highest } }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    state.withLock { state in
      state.now += 1
      state.highest = max(state.highest, state.now)
    }
    // Lets those that were asked for at the same time come in.
    for _ in 0..<100 { await Task.yield() }
    state.withLock { $0.now -= 1 }
    try await port.page(of: query, under: parent, readTime: readTime, scan: scan)
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await port.count(of: query, under: parent, readTime: readTime)
  }

  func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    try await port.partitionPoints(of: query, count: count)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? { nil }

  func documents(at paths: [String]) async throws -> [String: Document] { [:] }

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    [:]
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {}
}
