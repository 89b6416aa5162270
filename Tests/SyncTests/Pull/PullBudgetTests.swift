import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Sync

/// Loads under a read budget; see `docs/costs.md#read-budget`.
@Suite struct PullBudgetTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func request(
    maxDocuments: Int? = nil, mode: PullMode = .merge, at now: Instant = .morning
  ) -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: 10, maxDocuments: maxDocuments)
    request.options.now = now
    request.options.mode = mode
    return request
  }

  private func pull(
    _ firestore: MemoryFirestore, reads: Int?, _ request: SyncUsersRequest
  ) async throws -> PullResult {
    try await Pull(port: firestore, store: workspace.store, reads: ReadBudgetMeter(reads))
      .run(request, finish: [.mark("yes", named: "finished")])
  }

  private var isFinished: Bool {
    get throws { try workspace.store.read { try $0.mark(named: "finished") } != nil }
  }

  /// The limits of the pages that were asked for.
  private func limits(_ firestore: MemoryFirestore) -> [Int?] {
    firestore.calls.map { call in
      guard case .page(let query, _) = call else { return nil }
      return query.limit
    }
  }

  /// The budget, the limits of the pages asked for, documents fetched, and whether the load ended.
  static let rows: [(Int?, [Int?], Int, Bool)] = [
    (0, [], 0, false),
    (1, [1], 1, false),
    (9, [9], 9, false),
    (10, [10], 10, false),
    (11, [10, 1], 11, false),
    (24, [10, 10, 4], 24, false),
    // The 25 documents are read, and that they are all is not known yet.
    (25, [10, 10, 5], 25, false),
    (26, [10, 10, 6], 25, true),
    (30, [10, 10, 10], 25, true),
    (nil, [10, 10, 10], 25, true),
  ]

  @Test(arguments: rows)
  func `no page is asked for that could exceed the budget`(
    reads: Int?, limits: [Int?], fetched: Int, isComplete: Bool
  ) async throws {
    let firestore = MemoryFirestore(.users(25))
    let result = try await pull(firestore, reads: reads, request())
    #expect(self.limits(firestore) == limits)
    #expect(result.counts.fetched == fetched)
    #expect(result.isComplete == isComplete)
    #expect(try workspace.users().count == fetched)
    #expect(try isFinished == isComplete)
  }

  @Test
  func `a load that its own limit ends is complete, whatever the budget has left`() async throws {
    let firestore = MemoryFirestore(.users(25))
    // One read finds that no time of another type is left.
    let result = try await pull(firestore, reads: 21, request(maxDocuments: 20))
    #expect(result.isComplete && result.counts.fetched == 20)
    #expect(limits(firestore) == [10, 1, 10])
  }

  @Test
  func `a day later the next pull goes on, at a new snapshot, until all is there`() async throws {
    let firestore = MemoryFirestore(.users(25))
    var ends: [Bool] = []
    for day in 0..<4 where ends.last != true {
      firestore.forgetCalls()
      let now = Instant.morning + .seconds(86_400 * Int64(day))
      let result = try await pull(firestore, reads: 7, request(at: now))
      ends.append(result.isComplete)
      #expect(result.resumedAfter == (day == 0 ? nil : 7 * day))
      guard case .page(_, let readTime)? = firestore.calls.first else {
        Issue.record("day \(day) asked for no page")
        return
      }
      #expect(readTime == nil)
    }
    #expect(ends == [false, false, false, true])
    #expect(try workspace.users().count == 25)
  }

  @Test
  func `a pull that may read nothing keeps the position that another one reached`() async throws {
    let firestore = MemoryFirestore(.users(25))
    _ = try await pull(firestore, reads: 12, request())
    let hour = Duration.seconds(3_600)
    for later in [hour, hour * 2] {
      let result = try await pull(firestore, reads: 0, request(at: .morning + later))
      #expect(!result.isComplete)
      #expect(result.resumedAfter == 12)
    }
    firestore.forgetCalls()
    let result = try await pull(firestore, reads: nil, request(at: .morning + hour * 3))
    #expect(result.counts.fetched == 13)
    #expect(result.isComplete)
  }

  @Test func `a replace that stops has replaced nothing, and begins anew`() async throws {
    let firestore = MemoryFirestore(.users(25))
    _ = try await pull(firestore, reads: nil, request(maxDocuments: 10))
    let before = try workspace.userIds()
    let stopped = try await pull(firestore, reads: 12, request(mode: .replace))
    #expect(!stopped.isComplete)
    #expect(try workspace.userIds() == before)
    let done = try await pull(firestore, reads: 100, request(mode: .replace))
    #expect(done.resumedAfter == nil)
    #expect(try workspace.users().count == 25)
  }

  @Test
  func `each commit stores the reads so far, for the case that the run is killed`() async throws {
    let firestore = MemoryFirestore(.users(25))
    let run = Run(job: "users", kind: "sync-users", trigger: .stale, startedAt: .morning)
    let id = try workspace.store.write { try $0.begin(run) }
    let pull = Pull(
      port: FaultyPort(firestore, failingCall: 3), store: workspace.store,
      reads: ReadBudgetMeter(100, runId: id), documentsPerCommit: 10)
    await #expect(throws: (any Error).self) { try await pull.run(request()) }
    let end = Instant.morning + .seconds(1)
    let reads = try workspace.store.read { try $0.billedReads(from: .morning, to: end) }
    #expect((20...30).contains(reads))
  }

  @Test func `the last commit stores them, too, also when it is the only one`() async throws {
    let run = Run(job: "users", kind: "sync-users", trigger: .stale, startedAt: .morning)
    let id = try workspace.store.write { try $0.begin(run) }
    let pull = Pull(
      port: MemoryFirestore(.users(25)), store: workspace.store,
      reads: ReadBudgetMeter(100, runId: id))
    #expect(try await pull.run(request()).isComplete)
    let end = Instant.morning + .seconds(1)
    #expect(try workspace.store.read { try $0.billedReads(from: .morning, to: end) } == 25)
  }
}

/// Counts under a read budget; see `docs/costs.md#read-budget`.
@Suite struct CountBudgetTests {
  /// The budget, the number of documents, the count, and the reads that it was billed.
  static let rows: [(Int?, Int, Int?, Int)] = [
    (nil, 1_200, 1_200, 2), (0, 10, nil, 0), (1, 999, 999, 1), (1, 1_000, nil, 1),
    (1, 1_200, nil, 1), (2, 1_200, 1_200, 2), (5, 0, 0, 1),
  ]

  @Test(arguments: rows)
  func `a count that its budget cuts short says nothing, and costs no more`(
    reads: Int?, documents: Int, expected: Int?, spent: Int
  ) async throws {
    let workspace = try TemporaryStore()
    let paths = (0..<documents).map { ("C/d\($0)", [String: Value]()) }
    let meter = ReadBudgetMeter(reads)
    let pull = Pull(
      port: MemoryFirestore(Dictionary(uniqueKeysWithValues: paths)), store: workspace.store,
      reads: meter)
    let query = StructuredQuery(from: [.init(collectionId: "C")])
    #expect(try await pull.count(of: query, under: nil, readTime: nil) == expected)
    #expect(meter.spent == spent)
  }
}
