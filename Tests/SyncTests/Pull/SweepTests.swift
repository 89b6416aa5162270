import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import StoreTesting
import SyncTesting
import Testing

@testable import Store
@testable import Sync

/// Sweeps over a copy of users whose documents come and go.
@Suite struct SweepTests {
  private static let userCount = 25

  private struct OutOfReads: Error {}

  private let firestore = MemoryFirestore(.users(userCount))
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  /// Loads everything, as a job with deletes does, and returns the load's snapshot.
  @discardableResult
  private func load(_ firestore: any FirestorePort) async throws -> Instant? {
    var request = SyncUsersRequest.users(pageSize: 10)
    request.isWhole = true
    request.options.remembersSkipped = true
    return try await Pull(port: firestore, store: workspace.store).run(request)
      .readTime
  }

  private func sweep(
    _ port: any FirestorePort, loadedAt readTime: Instant? = nil, limit: DeleteLimit = .default,
    ignoresCount: Bool = false, later: Duration = .zero, reads: ReadBudgetMeter = ReadBudgetMeter()
  ) async throws -> SweepResult? {
    let request = SweepRequest(
      query: SyncUsersQuery.everyone(in: "Users"), table: .onlineUsers,
      keys: KeyMapping(fields: ["User_id"]), limit: limit, ignoresCount: ignoresCount,
      options: PullOptions(job: "online-users", pageSize: 5, now: .morning + later))
    let pull = Pull(port: port, store: workspace.store, reads: reads, documentsPerCommit: 10)
    let outcome = try await Sweep(store: workspace.store, pull: pull)
      .run(request, loadedAt: readTime)
    switch outcome {
    case .noDrift: return nil
    case .swept(let result): return result
    case .outOfReads: throw OutOfReads()
    }
  }

  private func remove(_ ids: String...) {
    firestore.put(Dictionary(uniqueKeysWithValues: ids.map { ("Users/\($0)", nil) }))
  }

  private var pages: [StructuredQuery] {
    firestore.calls.compactMap { if case .page(let query, _) = $0 { query } else { nil } }
  }

  private func tombstones() throws -> [String] {
    try workspace.store.read { try $0.tombstones(of: .onlineUsers) }.keys.sorted()
  }

  @Test func `where the count shows no drift nothing is listed`() async throws {
    let snapshot = try await load(firestore)
    remove("user-3")
    firestore.forgetCalls()
    #expect(try await sweep(firestore, loadedAt: snapshot) == nil)
    #expect(pages.isEmpty)
    #expect(firestore.calls.count == 1)
    #expect(try workspace.users().count == Self.userCount)
  }

  @Test
  func `rows whose documents are gone go and leave tombstones; only names travel for it`()
    async throws
  {
    try await load(firestore)
    remove("user-3", "user-25")
    firestore.forgetCalls()
    let result = try #require(try await sweep(firestore))
    #expect(
      result
        == SweepResult(
          finding: .init(counted: 23, listed: 23, rows: 25, missing: 2), verdict: .delete,
          deleted: 2))
    #expect(try workspace.users().count == 23)
    #expect(try tombstones() == ["user-25", "user-3"])
    #expect(pages.allSatisfy { $0.select == [FieldPath(segments: ["User_id"])] })
    #expect(pages.allSatisfy { $0.orderBy == [.init(field: .documentName)] && $0.offset == 0 })
    #expect(try await sweep(firestore) == nil)
  }

  @Test func `a document that returns is a row again, and its tombstone goes`() async throws {
    try await load(firestore)
    remove("user-3", "user-4")
    _ = try await sweep(firestore)
    firestore.put(["Users/user-3": .user("user-3", seenAgo: 60)])
    try await load(firestore)
    #expect(try workspace.userIds().contains("user-3"))
    #expect(try tombstones() == ["user-4"])
  }

  @Test
  func `the key is the field that names the user, and the document's id only without it`()
    async throws
  {
    firestore.put([
      "Users/other-id": .user("named", seenAgo: 5),
      "Users/by-id": .user("x", seenAgo: 6, ["User_id": .null]),
      "Users/numbered": .user("x", seenAgo: 7, ["User_id": .integer(7)]),
    ])
    let snapshot = try await load(firestore)
    #expect(try await sweep(firestore, loadedAt: snapshot) == nil)
    let result = try await sweep(firestore, ignoresCount: true)
    #expect(result?.finding.missing == 0)
    #expect(try workspace.userIds().contains("named"))
    #expect(try workspace.userIds().contains("by-id"))
    remove("other-id")
    #expect(try await sweep(firestore)?.deleted == 1)
    #expect(try !workspace.userIds().contains("named"))
  }

  @Test
  func `documents that a rule leaves out are no drift, whether they are new or go`() async throws {
    firestore.put(["Users/ab": .user("ab", seenAgo: 1), "Users/xy": .user("xy", seenAgo: 1)])
    #expect(try await sweep(firestore, loadedAt: try await load(firestore)) == nil)
    firestore.put(["Users/no-name": .user("no-name", seenAgo: 1, ["User_name": .string("")])])
    #expect(try await sweep(firestore, loadedAt: try await load(firestore)) == nil)
    remove("ab")
    #expect(try await sweep(firestore)?.finding.missing == 0)
    #expect(try await sweep(firestore) == nil)
  }

  @Test func `documents that share a row make one sweep, not one after every load`() async throws {
    firestore.put(["Users/twin": .user("user-1", seenAgo: 1)])
    #expect(try await sweep(firestore, loadedAt: try await load(firestore))?.deleted == 0)
    #expect(try await sweep(firestore, loadedAt: try await load(firestore)) == nil)
    remove("user-2")
    #expect(try await sweep(firestore)?.deleted == 1)
  }

  @Test
  func `more rows than the limit allows stay, all of them, and the next run looks again`()
    async throws
  {
    try await load(firestore)
    remove("user-1", "user-2", "user-3", "user-4")
    let refused = try #require(try await sweep(firestore))
    #expect(refused.verdict == .tooMany(allowed: 3))
    #expect(refused.finding.missing == 4)
    #expect(try workspace.users().count == 25)
    #expect(try tombstones().isEmpty)
    #expect(try await sweep(firestore, limit: .rows(3))?.deleted == 0)
    #expect(try await sweep(firestore, limit: .rows(4))?.deleted == 4)
    #expect(try workspace.users().count == 21)
  }

  @Test
  func `an emptied collection deletes nothing unless the limit allows everything`() async throws {
    try await load(firestore)
    firestore.put(Dictionary(uniqueKeysWithValues: (1...25).map { ("Users/user-\($0)", nil) }))
    #expect(try await sweep(firestore)?.verdict == .tooMany(allowed: 3))
    #expect(try workspace.users().count == 25)
    #expect(try await sweep(firestore, limit: .percent(100))?.deleted == 25)
    #expect(try workspace.users().isEmpty)
  }

  private static let steps = FaultyPort.Trouble.allCases.flatMap { trouble in
    (1...7).map { (trouble, $0) }
  }

  @Test(arguments: steps)
  func `a sweep that failed at any step deleted nothing, and run again ends where others do`(
    trouble: FaultyPort.Trouble, step: Int
  ) async throws {
    try await load(firestore)
    remove("user-3", "user-25")
    let faulty = FaultyPort(firestore, failingCall: step, trouble: trouble)
    // The first count may be too old: then the sweep decides.
    if step > 1 || trouble != .tooOld {
      await #expect(throws: (any Error).self) { try await sweep(faulty) }
      #expect(try workspace.users().count == 25)
      #expect(try tombstones().isEmpty)
    }
    firestore.forgetCalls()
    #expect(try await sweep(firestore)?.deleted == 2)
    #expect(try workspace.users().count == 23)
    #expect(try tombstones() == ["user-25", "user-3"])
  }

  @Test func `a sweep that died goes on after its last commit, in its snapshot`() async throws {
    try await load(firestore)
    remove("user-3", "user-25")
    let faulty = FaultyPort(firestore, failingCall: 5)
    await #expect(throws: FirestoreError.self) { try await sweep(faulty) }
    remove("user-24")
    firestore.forgetCalls()
    let result = try #require(try await sweep(firestore))
    #expect(result.finding == .init(counted: 23, listed: 23, rows: 25, missing: 2))
    #expect(pages.first?.startAt != nil)
    #expect(try workspace.userIds().contains("user-24"))
  }

  @Test
  func `a load over two snapshots and the sweep after it end with the documents that there are`()
    async throws
  {
    // In the order of names the first snapshot has met all but the users 5 to 9.
    let faulty = FaultyPort(
      firestore, failingCall: 3, trouble: .tooOld,
      afterCall: { [firestore] call in
        guard call == 2 else { return }
        firestore.put([
          "Users/user-1": nil, "Users/user-9": nil, "Users/user-0": .user("user-0", seenAgo: 1),
          "Users/user-99": .user("user-99", seenAgo: 1),
        ])
      })
    let snapshot = try await load(faulty)
    #expect(try workspace.userIds().contains("user-99"))
    #expect(try workspace.userIds().contains("user-1"))
    // Rows and documents are as many; only a sweep sees that they are not the same.
    #expect(try await sweep(firestore, loadedAt: snapshot) == nil)
    #expect(try await sweep(firestore, ignoresCount: true)?.deleted == 1)
    try await load(firestore)
    // The new user was unexplained until now.
    #expect(try await sweep(firestore)?.deleted == 0)
    #expect(try await sweep(firestore) == nil)
    #expect(Set(try workspace.userIds()) == Set(firestore.contents(of: "Users").keys))
  }

  @Test func `a list that died more than 50 minutes ago begins anew`() async throws {
    try await load(firestore)
    remove("user-3")
    let faulty = FaultyPort(firestore, failingCall: 5)
    await #expect(throws: FirestoreError.self) { try await sweep(faulty) }
    remove("user-25")
    firestore.forgetCalls()
    let result = try #require(try await sweep(firestore, later: .seconds(3_000)))
    #expect(result.finding == .init(counted: 23, listed: 23, rows: 25, missing: 2))
    #expect(pages.first?.startAt == nil)
  }

  @Test
  func `a list that was complete is not made again when only its use is missing`() async throws {
    try await load(firestore)
    remove("user-3")
    // A count, five pages of names, and the count that proves them.
    let faulty = FaultyPort(firestore, failingCall: 7)
    await #expect(throws: FirestoreError.self) { try await sweep(faulty) }
    firestore.forgetCalls()
    #expect(try await sweep(firestore)?.deleted == 1)
    #expect(pages.count == 1)
  }

  @Test
  func `a budget that ends within a sweep deletes nothing; its list counts in its snapshot`()
    async throws
  {
    try await load(firestore)
    remove("user-3")
    for reads in [0, 1, 6, 12] {
      await #expect(throws: OutOfReads.self) {
        try await sweep(firestore, reads: ReadBudgetMeter(reads))
      }
      #expect(try workspace.users().count == 25)
    }
    let meter = ReadBudgetMeter(100)
    #expect(try await sweep(firestore, reads: meter)?.deleted == 1)
    // Two counts, and the names that no budget before had reached.
    #expect(meter.spent == 2 + 24 - 5 - 11)
  }

  @Test
  func `a list from which documents are missing deletes nothing, wherever it is short`()
    async throws
  {
    try await load(firestore)
    for number in 1...5 {
      let short = ShortPort(port: firestore, shortPage: number)
      let result = try #require(try await sweep(short, limit: .percent(100), ignoresCount: true))
      #expect(result.verdict == .incomplete)
      #expect(result.deleted == 0)
      #expect(try workspace.users().count == 25)
    }
    let result = try await sweep(firestore, limit: .percent(100), ignoresCount: true)
    #expect(result?.finding.missing == 0)
  }
}

/// A port whose pages lack their last document, from one page on.
private struct ShortPort: FirestorePort {
  let port: any FirestorePort
  let shortPage: Int
  private let count = Counter()

  init(port: any FirestorePort, shortPage: Int) {
    self.port = port
    self.shortPage = shortPage
  }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    var shorter = query
    if count.next() >= shortPage { shorter.limit = query.limit.map { $0 - 1 } }
    try await port.page(of: shorter, under: parent, readTime: readTime, scan: scan)
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
