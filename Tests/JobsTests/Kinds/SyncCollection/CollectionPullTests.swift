import Emulator
import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Sync
@testable import Workspace

/// Copies of whole collections, over a Firestore in memory and into a real database.
@Suite struct CollectionPullTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  @discardableResult
  private func pull(
    _ port: any FirestorePort, _ order: CollectionPullRequest = .orders()
  ) async throws -> CollectionPullResult {
    try await CollectionPull(port: port, store: workspace.store, documentsPerCommit: 4).run(order)
  }

  private func texts(_ sql: String) throws -> [String] { try workspace.texts(sql) }

  private static func orders(_ count: Int) -> [String: [String: Value]] {
    Dictionary(
      uniqueKeysWithValues: (1...count).map { number in
        (
          "Orders/o\(number + 100)",
          ["total": .double(Double(number)), "city": .string("City \(number)")]
        )
      })
  }

  @Test func `every document becomes a row, and a second run changes nothing`() async throws {
    let firestore = MemoryFirestore(Self.orders(11))
    let first = try await pull(firestore)
    #expect(first.pull.counts == RunCounts(fetched: 11, inserted: 11))
    let rows = try texts("SELECT document_path || ' ' || document_id || ' ' || total FROM Orders")
    #expect(rows.count == 11)
    #expect(rows.first == "Orders/o101 o101 1.0")
    let again = try await pull(firestore)
    #expect(again.pull.counts == RunCounts(fetched: 11, unchanged: 11))
    #expect(again.drift.warnings.isEmpty)
  }

  @Test(arguments: [(3, true), (4, true), (5, false)])
  func `a limited load that ends among one type of its order says that there is another`(
    most: Int, mixes: Bool
  ) async throws {
    var documents: [String: [String: Value]] = [:]
    for number in 0..<4 {
      documents["Orders/t\(number)"] = ["at": .timestamp(Timestamp(microseconds: Int64(number)))]
      if mixes { documents["Orders/n\(number)"] = ["at": .integer(Int64(number) + 9)] }
    }
    let at = FieldPath(segments: ["at"])
    for direction in [StructuredQuery.Direction.ascending, .descending] {
      var order = CollectionPullRequest.orders(
        source: CollectionSource(
          collectionId: "Orders", order: .init(field: at, direction: direction)))
      order.options.maxDocuments = min(most, documents.count)
      let result = try await pull(MemoryFirestore(documents), order)
      #expect(result.mixesTypes == mixes)
    }
  }

  @Test func `a whole document survives its journey through the database`() async throws {
    let fields: [String: Value] = [
      "null": .null, "big": .integer(.max), "small": .integer(.min), "nan": .double(.nan),
      "minus zero": .double(-0.0), "infinite": .double(-.infinity), "bytes": .bytes([0, 255, 16]),
      "reference": .reference("projects/demo/databases/(default)/documents/Users/ü"),
      "place": .geoPoint(latitude: 0, longitude: -180),
      "time": .timestamp(Timestamp(microseconds: Instant.morning.microseconds + 1)),
      "text": .string("\u{0}\"\\\u{2028}👩‍👩‍👧‍👦 e\u{301}"), "empty": .array([]), "map": .map([:]),
      "deep": .map(["a.b`c": .array([.map(["x": .null]), .integer(1)])]),
    ]
    let firestore = MemoryFirestore(["Orders/o1": fields, "Orders/o2": [:]])
    try await pull(firestore, .orders(columns: [], hasDocument: true))
    let stored = try texts("SELECT document FROM Orders ORDER BY document_id").map {
      try Document(json: JSON(parsing: Array($0.utf8)))
    }
    #expect(stored.map(\.fields) == [fields, [:]])
    #expect(stored.map(\.id) == ["o1", "o2"])
    #expect(stored.first?.updateTime != nil && stored.first?.createTime != nil)
  }

  @Test(arguments: [true, false])
  func `only the declared fields travel, unless the whole document is kept`(hasDocument: Bool)
    async throws
  {
    let firestore = MemoryFirestore(Self.orders(1))
    try await pull(firestore, .orders(hasDocument: hasDocument))
    guard case .page(let query, _)? = firestore.calls.first else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(query.select?.map(\.description) == (hasDocument ? nil : ["city", "total"]))
    #expect(query.offset == 0)
    #expect(query.orderBy == [.init(field: .documentName)])
  }

  @Test func `pages follow the order's field, and those without it are counted`() async throws {
    var documents = Self.orders(9)
    documents["Orders/without"] = ["city": .string("x")]
    documents["Orders/null"] = ["total": .null]
    let firestore = MemoryFirestore(documents)
    var order = CollectionPullRequest.orders()
    order.source.order = .init(field: FieldPath(segments: ["total"]), direction: .descending)
    let result = try await pull(firestore, order)
    #expect(result.pull.counts.inserted == 10)
    #expect(result.lackingCount == 1)
    let times = firestore.calls.compactMap { call -> Timestamp?? in
      if case .count(_, let readTime) = call { .some(readTime) } else { nil }
    }
    #expect(times.count == 2)
    #expect(Set(times) == [result.pull.readTime.map { Timestamp(microseconds: $0.microseconds) }])
    order.options.maxDocuments = 3
    firestore.forgetCalls()
    #expect(try await pull(firestore, order).lackingCount == nil)
    // Two pages, and one document of the other type is looked for: docs/jobs/sync-collection.md.
    #expect(firestore.calls.count == 3)
    guard case .count(let query, _)? = firestore.calls.last else {
      Issue.record("no other type was looked for")
      return
    }
    let earliest = Timestamp(microseconds: -62_135_596_800_000_000)
    #expect(
      query.filter
        == .field(FieldPath(segments: ["total"]), .greaterThanOrEqual, .timestamp(earliest)))
  }

  @Test
  func `a collection group and a collection of one document have their own documents`() async throws
  {
    let firestore = MemoryFirestore([
      "Orders/root": [:], "Shops/a/Orders/x": [:], "Shops/b/Orders/x": [:], "Shops/a": [:],
    ])
    try await pull(
      firestore, .orders(source: CollectionSource(collectionId: "Orders", isGroup: true)))
    #expect(
      try texts("SELECT document_path FROM Orders ORDER BY 1") == [
        "Orders/root", "Shops/a/Orders/x", "Shops/b/Orders/x",
      ])
    try await pull(
      firestore,
      .orders(
        source: CollectionSource(collectionId: "Orders", parent: "Shops/a"), table: "ShopOrders"))
    #expect(try texts("SELECT document_path FROM ShopOrders") == ["Shops/a/Orders/x"])
  }

  @Test
  func `a pull that dies at any call goes on where it was and ends with the same rows`()
    async throws
  {
    let documents = Self.orders(11)
    for failingCall in 1...6 {
      let workspace = try TemporaryStore()
      let firestore = MemoryFirestore(documents)
      let pull = { (port: any FirestorePort) in
        try await CollectionPull(port: port, store: workspace.store, documentsPerCommit: 4)
          .run(.orders())
      }
      await #expect(throws: FirestoreError.self) {
        try await pull(FaultyPort(firestore, failingCall: failingCall))
      }
      let committed = try workspace.texts("SELECT document_id FROM Orders").count
      #expect(committed == (failingCall - 1) * 2)
      firestore.put(["Orders/o111": nil])
      let result = try await pull(firestore)
      #expect(result.pull.resumedAfter == (committed == 0 ? nil : committed))
      #expect(result.pull.counts.fetched + committed == (committed == 0 ? 10 : 11))
      #expect(result.drift.vanished.isEmpty)
    }
  }

  @Test
  func `a new column is filled for unchanged documents, too, and an old one is kept`() async throws
  {
    let firestore = MemoryFirestore(Self.orders(3))
    try await pull(firestore)
    let columns = [
      MappedColumn(name: "total", path: FieldPath(segments: ["total"]), kind: .real),
      MappedColumn(name: "place", path: FieldPath(segments: ["city"]), kind: .text),
    ]
    let result = try await pull(firestore, .orders(columns: columns))
    #expect(result.pull.counts.updated == 3)
    #expect(result.schemaChanges.map(\.keptAs) == [nil, "city_removed"])
    #expect(result.drift.warnings.isEmpty)
    #expect(try texts("SELECT place FROM Orders ORDER BY 1") == ["City 1", "City 2", "City 3"])
    #expect(try texts("SELECT city_removed FROM Orders WHERE document_id = 'o101'") == ["City 1"])
    let again = try await pull(firestore, .orders(columns: columns))
    #expect(again.pull.counts == RunCounts(fetched: 3, unchanged: 3))
    #expect(again.schemaChanges.isEmpty)
  }

  @Test
  func `a column that another field fills is filled anew, and a dropped table is made anew`()
    async throws
  {
    let firestore = MemoryFirestore(Self.orders(2))
    try await pull(firestore)
    let columns = [MappedColumn(name: "city", path: FieldPath(segments: ["town"]), kind: .text)]
    try await pull(firestore, .orders(columns: columns))
    #expect(try texts("SELECT city FROM Orders WHERE city IS NOT NULL").isEmpty)
    try workspace.execute("ALTER TABLE Orders DROP COLUMN city")
    #expect(try await pull(firestore).pull.counts.updated == 2)
    #expect(try texts("SELECT total FROM Orders ORDER BY 1") == ["1.0", "2.0"])
    try workspace.execute("DROP TABLE Orders")
    #expect(try await pull(firestore).pull.counts.inserted == 2)
  }

  @Test
  func `a table that is not the collection's is refused before anything is asked for`() async throws
  {
    let firestore = MemoryFirestore(Self.orders(2))
    try workspace.execute("CREATE TABLE orders (x)")
    for table in ["Orders", "OnlineUsers", "sync_runs"] {
      await expectRefusal(.badData, "The table '\(table)' exists, and no sync-collection job") {
        try await pull(firestore, .orders(table: table))
      }
    }
    #expect(firestore.calls.isEmpty)
  }

  @Test func `drift is told by the run that finds it, and only by it`() async throws {
    let firestore = MemoryFirestore(Self.orders(6))
    let order = CollectionPullRequest.orders(hasDocument: true)
    try await pull(firestore, order)
    firestore.put(["Orders/o101": ["total": .string("9,90"), "city": .string("x"), "new": .null]])
    let found = try await pull(firestore, order)
    #expect(
      found.drift.warnings == [
        "New fields: new (null).",
        "Fields whose type changed: total (now also string).",
        "Fields with values of several types: total (double 5, string 1).",
      ])
    #expect(found.pull.notes == ["total (string)": 1])
    #expect(try texts("SELECT document_id FROM Orders WHERE total IS NULL") == ["o101"])
    #expect(
      try await pull(firestore, order).drift.warnings == [
        "Fields with values of several types: total (double 5, string 1)."
      ])
  }

  @Test func `a field with a NUL in its name is new once`() async throws {
    let firestore = MemoryFirestore(Self.orders(2))
    let order = CollectionPullRequest.orders(hasDocument: true)
    try await pull(firestore, order)
    firestore.put(["Orders/o101": ["ci\u{0}ty": .string("x")]])
    #expect(try await pull(firestore, order).drift.warnings.count == 1)
    #expect(try await pull(firestore, order).drift.warnings.isEmpty)
  }

  @Test func `odd names of columns and tables stay names`() async throws {
    let firestore = MemoryFirestore(Self.orders(1))
    let columns = [
      MappedColumn(name: "select", path: FieldPath(segments: ["city"]), kind: .text),
      MappedColumn(name: "_1", path: FieldPath(segments: ["total"]), kind: .real),
    ]
    try await pull(firestore, .orders(columns: columns, table: "group"))
    #expect(try texts(#"SELECT "select" || _1 FROM "group""#) == ["City 11.0"])
  }

  @Test func `big documents are committed before they fill the memory`() async throws {
    let text = Value.string(String(repeating: "x", count: 1_000))
    let documents = Dictionary(
      uniqueKeysWithValues: (10...49).map { ("Orders/o\($0)", ["text": text]) })
    let committed = Mutex<Set<Int>>([])
    let port = FaultyPort(
      MemoryFirestore(documents),
      afterCall: { [workspace] _ in
        do {
          let rows = try workspace.texts("SELECT document_id FROM Orders")
          committed.withLock { _ = $0.insert(rows.count) }
        } catch {
          Issue.record(error)
        }
      })
    _ = try await CollectionPull(
      port: port, store: workspace.store, documentsPerCommit: 10_000, bytesPerCommit: 20_000
    ).run(.orders(columns: [], hasDocument: true))
    #expect(committed.withLock { $0 } == [0, 18, 36])
    #expect(try texts("SELECT document_id FROM Orders").count == 40)
  }
}

extension CollectionPullRequest {
  static func orders(
    source: CollectionSource = CollectionSource(collectionId: "Orders"),
    columns: [MappedColumn] = [
      MappedColumn(name: "total", path: FieldPath(segments: ["total"]), kind: .real),
      MappedColumn(name: "city", path: FieldPath(segments: ["city"]), kind: .text),
    ], hasDocument: Bool = false, table: String = "Orders"
  ) -> CollectionPullRequest {
    CollectionPullRequest(
      source: source, tableName: table, columns: columns, hasDocument: hasDocument,
      options: PullOptions(job: "orders", pageSize: 2, now: .morning))
  }
}
