import Firestore
import Fixtures
import Model
import StoreTesting
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Store
@testable import Sync

/// Whole copies of collections: incremental, in partitions, and without deleted documents.
@Suite struct CollectionMirrorTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private static let group = CollectionSource(collectionId: "Orders", isGroup: true)

  /// Orders of three shops, each changed a second after the one before.
  private static func orders(_ count: Int) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: (1...count).map { number in
        ("Shops/s\(number % 3)/Orders/o\(number + 100)", order(number, changed: Int64(number)))
      })
  }

  private static func order(_ total: Int, changed seconds: Int64) -> [String: Value] {
    [
      "total": .integer(Int64(total)), "city": .string("x"),
      "changed": .timestamp(
        Timestamp(microseconds: Instant.morning.microseconds - (1_000 - seconds) * 1_000_000)),
    ]
  }

  private func order(
    _ source: CollectionSource = group, isIncremental: Bool = false, partitions: Int = 1
  ) -> CollectionPullRequest {
    var order = CollectionPullRequest.orders(source: source)
    if isIncremental {
      order.options.watermark = Watermark(
        field: FieldPath(segments: ["changed"]), overlap: .seconds(1))
    }
    order.options.partitions = partitions
    return order
  }

  @discardableResult
  private func pull(
    _ port: any FirestorePort, _ order: CollectionPullRequest, into target: TemporaryStore? = nil
  ) async throws -> CollectionPullResult {
    try await CollectionPull(
      port: port, store: (target ?? workspace).store, documentsPerCommit: 4
    ).run(order)
  }

  private func sweep(
    _ port: any FirestorePort, _ order: CollectionPullRequest, limit: DeleteLimit = .rows(100)
  ) async throws -> SweepOutcome {
    let pull = Pull(port: port, store: workspace.store, documentsPerCommit: 4)
    var sweep = SweepRequest(
      query: order.source.query(selecting: nil), parent: order.source.parent, table: order.table,
      keys: order.source.keys, limit: limit, ignoresCount: false,
      options: PullOptions(job: order.options.job, pageSize: 3, now: .morning))
    sweep.options.partitions = order.options.partitions
    return try await Sweep(store: workspace.store, pull: pull)
      .run(sweep, loadedAt: nil)
  }

  private func paths(_ target: TemporaryStore? = nil) throws -> [String] {
    try (target ?? workspace).texts("SELECT document_path FROM Orders ORDER BY 1")
  }

  @Test
  func `a later load asks for what changed, and the watermark's field travels for it`() async throws
  {
    let firestore = MemoryFirestore(Self.orders(20))
    let order = order(isIncremental: true)
    #expect(try await pull(firestore, order).pull.counts.inserted == 20)
    firestore.put(["Shops/s9/Orders/new": Self.order(7, changed: 30)])
    firestore.forgetCalls()
    let later = try await pull(firestore, order)
    // Those of the overlap, a second before the highest, and the new one.
    #expect(later.pull.counts == RunCounts(fetched: 3, inserted: 1, unchanged: 2))
    #expect(later.drift.vanished.isEmpty)
    guard case .page(let query, _)? = firestore.calls.first else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(query.select?.map(\.description) == ["changed", "city", "total"])
    #expect(query.orderBy.map(\.field.description) == ["changed", "__name__"])
  }

  @Test
  func `fields of documents that an incremental load does not read have not vanished`() async throws
  {
    var documents = Self.orders(5)
    documents["Orders/odd"] = [
      "changed": .timestamp(Timestamp(microseconds: Instant.morning.microseconds - 990_000_000)),
      "city": .string("x"),
    ]
    let firestore = MemoryFirestore(documents)
    let order = order(isIncremental: true)
    try await pull(firestore, order)
    let later = try await pull(firestore, order)
    #expect(later.pull.counts.fetched == 1)
    #expect(later.drift.warnings.isEmpty)
  }

  @Test func `another filter begins anew, also one that was there before`() async throws {
    let firestore = MemoryFirestore(Self.orders(8))
    let all = order(isIncremental: true)
    var some = all
    some.source.filter = .field(FieldPath(segments: ["total"]), .equal, .integer(3))
    #expect(try await pull(firestore, all).pull.counts.fetched == 8)
    #expect(try await pull(firestore, some).pull.counts.fetched == 1)
    guard case .swept(let result) = try await sweep(firestore, some) else {
      Issue.record("no sweep")
      return
    }
    #expect(result.deleted == 7)
    #expect(try paths() == ["Shops/s0/Orders/o103"])
    #expect(try await pull(firestore, all).pull.counts.inserted == 7)
    #expect(try paths().count == 8)
  }

  @Test(arguments: [1, 4])
  func `rows whose documents are gone go by their paths, not by their ids`(partitions: Int)
    async throws
  {
    var documents = Self.orders(9)
    documents["Shops/s9/Orders/o101"] = Self.order(1, changed: 1)
    let firestore = MemoryFirestore(documents)
    let order = order(partitions: partitions)
    try await pull(firestore, order)
    #expect(try await sweep(firestore, order) == .noDrift)
    firestore.put(["Shops/s1/Orders/o101": nil])
    guard case .swept(let result) = try await sweep(firestore, order) else {
      Issue.record("no sweep")
      return
    }
    #expect(result.deleted == 1)
    #expect(try paths().count == 9)
    #expect(try paths().contains("Shops/s9/Orders/o101"))
    let tombstones = try workspace.store.read { try $0.tombstones(of: order.table) }
    #expect(Array(tombstones.keys) == ["Shops/s1/Orders/o101"])
  }

  @Test
  func `a list that follows a comparison by order is paged by that field's values`() async throws {
    let firestore = MemoryFirestore(Self.orders(12))
    var source = Self.group
    let total = FieldPath(segments: ["total"])
    source.filter = .field(total, .greaterThan, .integer(4))
    source.order = .init(field: total)
    try await pull(firestore, order(source))
    firestore.put(["Shops/s0/Orders/o112": Self.order(1, changed: 1)])
    firestore.forgetCalls()
    guard case .swept(let result) = try await sweep(firestore, order(source)) else {
      Issue.record("no sweep")
      return
    }
    #expect(result.finding == .init(counted: 7, listed: 7, rows: 8, missing: 1))
    #expect(result.deleted == 1)
    #expect(!firestore.calls.contains { if case .document = $0 { true } else { false } })
  }

  @Test func `more than the limit stays`() async throws {
    let firestore = MemoryFirestore(Self.orders(9))
    try await pull(firestore, order())
    firestore.put(["Shops/s1/Orders/o101": nil, "Shops/s2/Orders/o102": nil])
    guard case .swept(let result) = try await sweep(firestore, order(), limit: .rows(1)) else {
      Issue.record("no sweep")
      return
    }
    #expect(result.verdict == .tooMany(allowed: 1))
    #expect(try paths().count == 9)
  }

  @Test func `a sweep that another job's came after begins anew`() async throws {
    let firestore = MemoryFirestore(Self.orders(12))
    var order = order()
    try await pull(firestore, order)
    firestore.put(["Shops/s1/Orders/o101": nil])
    // A count, and a second page of names that fails.
    for failingCall in 3...4 {
      await #expect(throws: FirestoreError.self) {
        try await sweep(FaultyPort(firestore, failingCall: failingCall), order)
      }
    }
    order.options.job = "other"
    _ = try await sweep(firestore, order)
    #expect(try paths().count == 11)
    firestore.put(["Shops/s2/Orders/o102": nil])
    order.options.job = "orders"
    _ = try await sweep(firestore, order)
    #expect(try paths().count == 10)
  }

  @Test
  func `a group in four parts that died at any call has, run again, the rows of one in one go`()
    async throws
  {
    let firestore = MemoryFirestore(Self.orders(19))
    try await pull(firestore, order())
    for failingCall in 1...9 {
      let target = try TemporaryStore()
      await #expect(throws: FirestoreError.self) {
        try await pull(
          FaultyPort(firestore, failingCall: failingCall), order(partitions: 4), into: target)
      }
      let stored = try paths(target).count
      let again = try await pull(firestore, order(partitions: 4), into: target)
      #expect(again.pull.counts.fetched == 19 - stored)
      #expect(try paths(target) == paths())
    }
  }
}
