import Firestore
import Fixtures
import JobsTesting
import Model
import StoreTesting
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Store
@testable import Sync

/// Changes that did not move the field of an incremental load, found by the list of a sweep.
@Suite struct SilentChangesTests {
  private let workspace: TemporaryStore
  private let firestore = MemoryFirestore()

  /// The newest change of all makes the loads leave the other documents alone.
  init() throws {
    workspace = try TemporaryStore()
    firestore.put(["Orders/z": Self.order(0, changed: 500)])
  }

  private static func order(_ total: Int, changed seconds: Int64 = 0) -> [String: Value] {
    [
      "total": .integer(Int64(total)), "city": .string("x"),
      "changed": .timestamp(
        Timestamp(microseconds: Instant.morning.microseconds + (seconds - 1_000) * 1_000_000)),
    ]
  }

  /// Changes these orders; the field that loads go by stays as it is.
  private func put(_ numbers: some Sequence<Int>, total: Int) {
    let pairs = numbers.map { ("Orders/o\($0)", Optional(Self.order(total))) }
    firestore.put(Dictionary(uniqueKeysWithValues: pairs))
  }

  private var request: CollectionPullRequest {
    var request = CollectionPullRequest.orders(hasDocument: true)
    request.options.watermark = Watermark(
      field: FieldPath(segments: ["changed"]), overlap: .seconds(1))
    return request
  }

  @discardableResult
  private func load(_ port: (any FirestorePort)? = nil) async throws -> PullResult {
    try await CollectionPull(
      port: port ?? firestore, store: workspace.store, documentsPerCommit: 4
    ).run(request).pull
  }

  private func sweep(
    _ port: (any FirestorePort)? = nil, loadedAt: Instant? = nil,
    reads: ReadBudgetMeter = ReadBudgetMeter()
  ) async throws -> SweepOutcome {
    let pull = Pull(
      port: port ?? firestore, store: workspace.store, reads: reads, documentsPerCommit: 40)
    var sweep = SweepRequest(
      query: request.source.query(selecting: nil), table: request.table,
      keys: request.source.keys, limit: .rows(100), ignoresCount: true,
      options: PullOptions(job: "orders", pageSize: 20, now: .morning))
    sweep.silentChanges = SilentChanges(
      missedBy: request.pull, keys: sweep.keys, loadedAt: loadedAt)
    return try await Sweep(store: workspace.store, pull: pull).run(sweep, loadedAt: loadedAt)
  }

  private func refreshed(
    _ port: (any FirestorePort)? = nil, loadedAt: Instant? = nil,
    reads: ReadBudgetMeter = ReadBudgetMeter()
  ) async throws -> Int {
    switch try await sweep(port, loadedAt: loadedAt, reads: reads) {
    case .noDrift: 0
    case .swept(let result): result.refreshed.count
    case .outOfReads(let refreshed): refreshed.count
    }
  }

  private func count(total: Int) throws -> Int {
    try workspace.texts("SELECT document_id FROM Orders WHERE total = \(total)").count
  }

  private var named: [StructuredQuery] {
    firestore.calls.compactMap {
      guard case .page(let query, _) = $0, query.filter != nil else { return nil }
      return query
    }
  }

  @Test
  func `a change that no load meets is found by its time in the list, fetched by name, once`()
    async throws
  {
    put(100..<150, total: 1)
    try await load()
    put([101, 119, 149], total: 2)
    let later = try await load()
    #expect(later.isIncremental && later.counts.updated == 0)
    #expect(try count(total: 2) == 0)
    firestore.forgetCalls()
    let meter = ReadBudgetMeter()
    #expect(try await refreshed(loadedAt: later.readTime, reads: meter) == 3)
    #expect(try count(total: 2) == 3 && count(total: 1) == 47)
    // Two of the three lie on the first page of names.
    #expect(named.map(\.limit) == [2, 1])
    #expect(named.allSatisfy { $0.select == nil && $0.startAt == nil })
    #expect(meter.spent == 51 + 3 + 1)
    let documents = try workspace.texts("SELECT document FROM Orders WHERE total = 2")
    #expect(documents.allSatisfy { $0.contains(#""total":{"integerValue":"2"}"#) })
    firestore.forgetCalls()
    #expect(try await refreshed() == 0)
    #expect(named.isEmpty)
  }

  @Test(arguments: [(30, [30]), (31, [30, 1])])
  func `one request asks for 30 names`(count: Int, limits: [Int]) async throws {
    put(100..<200, total: 1)
    try await load()
    put(100..<100 + count, total: 2)
    firestore.forgetCalls()
    let pull = Pull(port: firestore, store: workspace.store, documentsPerCommit: 4)
    var sweep = SweepRequest(
      query: request.source.query(selecting: nil), table: request.table,
      keys: request.source.keys, limit: .rows(100), ignoresCount: true,
      options: PullOptions(job: "orders", pageSize: 1_000, now: .morning))
    sweep.silentChanges = SilentChanges(missedBy: request.pull, keys: sweep.keys, loadedAt: nil)
    _ = try await Sweep(store: workspace.store, pull: pull).run(sweep, loadedAt: nil)
    #expect(named.map(\.limit) == limits)
    #expect(try self.count(total: 2) == count)
  }

  @Test func `a change after the load is the next load's to find`() async throws {
    put(100..<110, total: 1)
    try await load()
    put([101], total: 2)
    let loaded = try await load()
    put([102], total: 2)
    #expect(try await refreshed(loadedAt: loaded.readTime) == 1)
    #expect(try workspace.texts("SELECT document_id FROM Orders WHERE total = 2") == ["o101"])
  }

  @Test
  func `where the server leaves the times out, nothing is fetched and deletions are found`()
    async throws
  {
    put(100..<110, total: 1)
    try await load()
    put([101], total: 2)
    firestore.put(["Orders/o102": nil])
    guard case .swept(let result) = try await sweep(TimelessPort(port: firestore)) else {
      Issue.record("nothing was swept")
      return
    }
    #expect(result.deleted == 1 && result.refreshed.count == 0)
    #expect(try count(total: 2) == 0)
  }

  @Test func `what the read budget does not allow is left to the next sweep`() async throws {
    put(100..<120, total: 1)
    try await load()
    put(100..<105, total: 2)
    #expect(try await refreshed(reads: ReadBudgetMeter(22)) == 2)
    #expect(try count(total: 2) == 2)
    // The list goes on behind what it has shown.
    #expect(try await refreshed() == 0)
    #expect(try await refreshed() == 3)
    #expect(try count(total: 2) == 5)
  }

  @Test(arguments: 1...6)
  func `a sweep that failed at any step ends as others do when it is run again`(step: Int)
    async throws
  {
    put(100..<150, total: 1)
    try await load()
    put(100..<140, total: 2)
    firestore.put(["Orders/o149": nil])
    let faulty = FaultyPort(firestore, failingCall: step)
    await #expect(throws: (any Error).self) { try await sweep(faulty) }
    _ = try await sweep()
    #expect(try count(total: 2) == 40 && count(total: 1) == 9)
  }

  @Test func `documents that share a row do not take turns in it`() async throws {
    firestore.put(["Users/a": .user("anna", seenAgo: 90), "Users/b": .user("berta", seenAgo: 90)])
    var users = SyncUsersRequest.users(pageSize: 10)
    users.isWhole = true
    users.options.watermark = Watermark(
      field: FieldPath(segments: ["last_time_seen"]), overlap: .seconds(1))
    let keys = KeyMapping(fields: ["User_id"])
    _ = try await Pull(port: firestore, store: workspace.store).run(users)
    firestore.put(["Users/a": .user("anna", seenAgo: 90, ["User_name": .string("Anne")])])
    firestore.put(["Users/twin": .user("anna", seenAgo: 90)])
    for expected in [2, 0] {
      var sweep = SweepRequest(
        query: SyncUsersQuery.everyone(in: "Users"), table: .onlineUsers, keys: keys,
        limit: .rows(9),
        ignoresCount: true,
        options: PullOptions(job: "online-users", pageSize: 5, now: .morning))
      sweep.silentChanges = SilentChanges(missedBy: users.pull, keys: keys, loadedAt: nil)
      let pull = Pull(port: firestore, store: workspace.store, documentsPerCommit: 10)
      guard
        case .swept(let result) = try await Sweep(store: workspace.store, pull: pull)
          .run(sweep, loadedAt: nil)
      else {
        Issue.record("nothing was swept")
        return
      }
      #expect(result.refreshed.count == expected)
    }
    #expect(try workspace.userIds() == ["anna", "berta"])
  }
}

/// A port whose documents do not tell when they changed.
private struct TimelessPort: FirestorePort {
  let port: any FirestorePort

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    try await port.page(of: query, under: parent, readTime: readTime) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      bytes = Array(text.replacing(/,"updateTime":"[^"]*"/, with: "").utf8)
      return try scan(&bytes)
    }
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await port.count(of: query, under: parent, readTime: readTime)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? { nil }

  func documents(at paths: [String]) async throws -> [String: Document] { [:] }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {}

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    [:]
  }
}
