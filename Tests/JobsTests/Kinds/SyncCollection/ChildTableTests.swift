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
@testable import Workspace

/// The child tables of collections, over a Firestore in memory and into a real database.
@Suite struct ChildTableTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private static let exploded: [ExplodedField] = [
    ExplodedField(
      tableName: "Orders_items", path: ValuePath(FieldPath(segments: ["items"])),
      columns: [
        MappedColumn(name: "sku", path: FieldPath(segments: ["sku"]), kind: .text),
        MappedColumn(name: "qty", path: FieldPath(segments: ["qty"]), kind: .integer),
        MappedColumn(name: "whole", source: .field(ValuePath(steps: [])), kind: .json),
      ]),
    ExplodedField(
      tableName: "Orders_scores", path: ValuePath(FieldPath(segments: ["deep", "scores"])),
      keyColumn: "key",
      columns: [MappedColumn(name: "score", source: .field(ValuePath(steps: [])), kind: .real)]),
  ]

  private func request(
    _ exploded: [ExplodedField] = exploded, keepsDeleted: Bool = false, pageSize: Int = 3
  ) -> CollectionPullRequest {
    CollectionPullRequest(
      source: CollectionSource(collectionId: "Orders"), tableName: "Orders",
      columns: [MappedColumn(name: "total", path: FieldPath(segments: ["total"]), kind: .integer)],
      hasDocument: true, exploded: exploded, keepsDeleted: keepsDeleted,
      options: PullOptions(job: "orders", pageSize: pageSize, now: .morning))
  }

  @discardableResult
  private func pull(
    _ port: any FirestorePort, _ request: CollectionPullRequest? = nil,
    into target: TemporaryStore? = nil
  ) async throws -> CollectionPullResult {
    try await CollectionPull(
      port: port, store: (target ?? workspace).store, documentsPerCommit: 4
    ).run(request ?? self.request())
  }

  private func sweep(
    _ port: any FirestorePort, _ request: CollectionPullRequest
  ) async throws -> SweepOutcome {
    let pull = Pull(port: port, store: workspace.store, documentsPerCommit: 4)
    return try await Sweep(store: workspace.store, pull: pull).run(
      SweepRequest(
        query: request.source.query(selecting: nil), table: request.table,
        keys: request.source.keys, limit: .rows(100), ignoresCount: false,
        options: PullOptions(job: "orders", pageSize: 3, now: .morning)), loadedAt: nil)
  }

  private static func item(_ sku: String, _ qty: Int64) -> Value {
    .map(["sku": .string(sku), "qty": .integer(qty)])
  }

  private static func order(_ items: [Value], scores: [String: Value] = [:]) -> [String: Value] {
    ["total": .integer(1), "items": .array(items), "deep": .map(["scores": .map(scores)])]
  }

  private func items(_ target: TemporaryStore? = nil) throws -> [String] {
    try (target ?? workspace).texts(
      """
      SELECT document_path || ' ' || idx || ' ' || ifnull(sku, '-') || ' ' || ifnull(qty, '-')
      FROM Orders_items ORDER BY document_path, idx
      """)
  }

  private func scores() throws -> [String] {
    try workspace.texts(
      """
      SELECT document_path || ' ' || key || ' ' || ifnull(score, '-') FROM Orders_scores ORDER BY 1
      """)
  }

  @Test func `elements and entries become rows, in the order of the array`() async throws {
    let firestore = MemoryFirestore([
      "Orders/a": Self.order(
        [Self.item("z", 1), .null, Self.item("a", 2), .string("odd")],
        scores: ["x": .double(1.5), "b\"c": .integer(2)]),
      "Orders/b": Self.order([]), "Orders/c": ["items": .null], "Orders/d": [:],
    ])
    let result = try await pull(firestore)
    #expect(
      try items() == [
        "Orders/a 0 z 1", "Orders/a 1 - -", "Orders/a 2 a 2", "Orders/a 3 - -",
      ])
    #expect(try scores() == ["Orders/a b\"c 2.0", "Orders/a x 1.5"])
    #expect(
      result.pull.notes == [
        "items.sku (string where a map was expected)": 1,
        "items.qty (string where a map was expected)": 1,
      ])
    #expect(
      try workspace.texts("SELECT whole FROM Orders_items WHERE idx = 3")
        == [#"{"stringValue":"odd"}"#])
  }

  @Test func `what is no array or no map leaves no rows, and is counted`() async throws {
    let firestore = MemoryFirestore([
      "Orders/a": ["items": .string("x"), "deep": .integer(1)],
      "Orders/b": ["items": .map([:]), "deep": .map(["scores": .array([.integer(1)])])],
    ])
    let result = try await pull(firestore)
    #expect(try items().isEmpty && scores().isEmpty)
    #expect(
      result.pull.notes == [
        "items (string where an array was expected)": 1,
        "items (map where an array was expected)": 1,
        "deep.scores (integer where a map was expected)": 1,
        "deep.scores (array where a map was expected)": 1,
      ])
  }

  @Test func `a vector's numbers are rows as an array's are`() async throws {
    let vector = Value.map([
      "__type__": .string("__vector__"), "value": .array([.double(0.5), .double(-1)]),
    ])
    let firestore = MemoryFirestore(["Orders/a": ["v": vector]])
    let field = ExplodedField(
      tableName: "Orders_v", path: ValuePath(FieldPath(segments: ["v"])),
      columns: [MappedColumn(name: "x", source: .field(ValuePath(steps: [])), kind: .real)])
    try await pull(firestore, request([field]))
    #expect(try workspace.texts("SELECT idx || ' ' || x FROM Orders_v") == ["0 0.5", "1 -1.0"])
  }

  @Test
  func `the rows of a changed document are replaced, those of others are not touched`() async throws
  {
    let firestore = MemoryFirestore([
      "Orders/a": Self.order([Self.item("a", 1), Self.item("b", 2)]),
      "Orders/b": Self.order([Self.item("c", 3)]),
    ])
    try await pull(firestore)
    // A mark that only a rewrite would remove.
    try workspace.execute("UPDATE Orders_items SET sku = 'mark' WHERE document_path = 'Orders/b'")
    firestore.put(["Orders/a": Self.order([Self.item("d", 4)])])
    let result = try await pull(firestore)
    #expect(result.pull.counts == RunCounts(fetched: 2, updated: 1, unchanged: 1))
    #expect(try items() == ["Orders/a 0 d 4", "Orders/b 0 mark 3"])
  }

  @Test func `rows go with their document, by a sweep and by hand`() async throws {
    let firestore = MemoryFirestore([
      "Orders/a": Self.order([Self.item("a", 1)]), "Orders/b": Self.order([Self.item("b", 2)]),
      "Orders/c": Self.order([Self.item("c", 3)]),
    ])
    try await pull(firestore)
    firestore.put(["Orders/a": nil])
    guard case .swept(let swept) = try await sweep(firestore, request()) else {
      Issue.record("no sweep")
      return
    }
    #expect(swept.deleted == 1)
    #expect(try items() == ["Orders/b 0 b 2", "Orders/c 0 c 3"])
    try workspace.execute("DELETE FROM Orders WHERE document_id = 'b'")
    #expect(try items() == ["Orders/c 0 c 3"])
  }

  @Test
  func `with keep_deleted a row stays with its time until its document is there again`()
    async throws
  {
    let firestore = MemoryFirestore([
      "Orders/a": Self.order([Self.item("a", 1)]), "Orders/b": Self.order([]),
    ])
    let request = request(keepsDeleted: true)
    try await pull(firestore, request)
    firestore.put(["Orders/a": nil])
    guard case .swept(let swept) = try await sweep(firestore, request) else {
      Issue.record("no sweep")
      return
    }
    #expect(swept.deleted == 1)
    let deleted = "SELECT document_id FROM Orders WHERE deleted_at IS NOT NULL"
    #expect(try workspace.texts(deleted) == ["a"])
    #expect(try items() == ["Orders/a 0 a 1"])
    #expect(try await sweep(firestore, request) == .noDrift)
    firestore.put(["Orders/a": Self.order([Self.item("z", 9)])])
    try await pull(firestore, request)
    #expect(try workspace.texts(deleted).isEmpty)
    #expect(try workspace.texts("SELECT key FROM tombstones").isEmpty)
    #expect(try items() == ["Orders/a 0 z 9"])
    #expect(try await sweep(firestore, request) == .noDrift)
  }

  @Test
  func `a new child table is filled of unchanged documents, one that is left is kept aside`()
    async throws
  {
    let firestore = MemoryFirestore([
      "Orders/a": Self.order([Self.item("a", 1)], scores: ["x": .double(1)])
    ])
    try await pull(firestore, request([]))
    try await pull(firestore)
    #expect(try items() == ["Orders/a 0 a 1"])
    let left = try await pull(firestore, request([Self.exploded[0]]))
    #expect(left.schemaChanges.map(\.keptAs) == ["Orders_scores_removed"])
    #expect(
      try workspace.texts("SELECT key || score FROM v_Orders_scores_removed") == ["x1.0"])
    #expect(try await pull(firestore, request([Self.exploded[0]])).schemaChanges.isEmpty)
    try await pull(firestore)
    #expect(try scores() == ["Orders/a x 1.0"])
    #expect(try await pull(firestore).pull.counts.unchanged == 1)
  }

  @Test func `keep_deleted is added to a table without writing its rows again`() async throws {
    let firestore = MemoryFirestore(["Orders/a": Self.order([])])
    try await pull(firestore)
    let result = try await pull(firestore, request(keepsDeleted: true))
    #expect(result.pull.counts == RunCounts(fetched: 1, unchanged: 1))
    #expect(try workspace.texts("SELECT count(*) FROM Orders WHERE deleted_at IS NULL") == ["1"])
  }

  @Test
  func `a child table never takes a table that exists, and nothing is fetched`() async throws {
    let firestore = MemoryFirestore(["Orders/a": Self.order([])])
    try workspace.execute("CREATE TABLE Orders_items (a TEXT)")
    await expectRefusal(.badData, "The table 'Orders_items' exists, and no sync-collection job") {
      try await pull(firestore)
    }
    #expect(firestore.calls.isEmpty)
    #expect(try workspace.texts("SELECT name FROM sqlite_schema WHERE name = 'Orders'").isEmpty)
  }

  @Test func `the table is filled anew with its child tables after DROP TABLE`() async throws {
    let firestore = MemoryFirestore(["Orders/a": Self.order([Self.item("a", 1)])])
    try await pull(firestore)
    try workspace.execute("DROP TABLE Orders")
    try await pull(firestore)
    #expect(try items() == ["Orders/a 0 a 1"])
  }

  @Test
  func `documents that name an erased person only in a child row are left out`() async throws {
    let firestore = MemoryFirestore([
      "Orders/a": Self.order([Self.item("person-1", 1)]), "Orders/b": Self.order([]),
    ])
    try await pull(firestore)
    try workspace.store.erasing { writer in
      _ = try writer.erasePerson(id: "person-1")
    }
    #expect(try items().isEmpty)
    #expect(try workspace.texts("SELECT document_id FROM Orders") == ["b"])
  }
}

/// Rows and child rows are never torn apart.
extension ChildTableTests {
  private static func documents(seed: UInt64) -> [String: [String: Value]] {
    var random = SeededGenerator(seed: seed)
    return Dictionary(
      uniqueKeysWithValues: (0..<20).map { number in
        let items = (0..<Int.random(in: 0...40, using: &random)).map { index in
          switch Int.random(in: 0...4, using: &random) {
          case 0: Value.null
          case 1: Value.double(.nan)
          case 2: Value.map([:])
          case 3: Value.bytes([0, 255])
          default: item("é\"\(index)", .random(in: .min ... .max, using: &random))
          }
        }
        return ("Orders/o\(number + 100)", order(items, scores: ["k\(number)": .double(0.5)]))
      })
  }

  /// Every element of the documents as the child table should hold it.
  private static func expected(_ documents: [String: [String: Value]]) -> [String] {
    documents.sorted { $0.key < $1.key }.flatMap { path, fields -> [String] in
      guard case .array(let items)? = fields["items"] else { return [] }
      return items.enumerated().map { index, item in
        "\(path) \(index) \(String(decoding: item.json.serialized(), as: UTF8.self))"
      }
    }
  }

  private func wholes(_ target: TemporaryStore) throws -> [String] {
    try target.texts(
      """
      SELECT document_path || ' ' || idx || ' ' || whole FROM Orders_items
      ORDER BY document_path, idx
      """)
  }

  @Test(arguments: 1...8)
  func `whatever the documents hold, the child table holds the same`(seed: UInt64) async throws {
    let documents = Self.documents(seed: seed)
    let firestore = MemoryFirestore(documents)
    try await pull(firestore)
    #expect(try wholes(workspace) == Self.expected(documents))
    let changed = Self.documents(seed: seed + 100)
    firestore.put(changed)
    try await pull(firestore)
    #expect(try wholes(workspace) == Self.expected(changed))
  }

  @Test
  func `a load that dies at any page has whole documents, and the next one the rest`() async throws
  {
    let documents = Self.documents(seed: 7)
    for call in 1...7 {
      let target = try TemporaryStore()
      let firestore = MemoryFirestore(Self.documents(seed: 8))
      if call % 2 == 0 { try await pull(firestore, into: target) }
      firestore.put(documents)
      await #expect(throws: (any Error).self, "call \(call)") {
        try await pull(FaultyPort(firestore, failingCall: call), into: target)
      }
      let torn = try target.texts(
        """
        SELECT o.document_path FROM Orders AS o
        WHERE json_array_length(o.document, '$.fields.items.arrayValue.values') IS NOT
          nullif((SELECT count(*) FROM Orders_items AS i
          WHERE i.document_path = o.document_path), 0)
        """)
      #expect(torn.isEmpty, "call \(call)")
      #expect(
        try target.texts(
          "SELECT idx FROM Orders_items WHERE document_path NOT IN (SELECT document_path FROM Orders)"
        ).isEmpty)
      try await pull(firestore, into: target)
      #expect(try wholes(target) == Self.expected(documents), "call \(call)")
    }
  }
}

/// Collections of documents of a certain shape.
extension ChildTableTests {
  @Test
  func `only messages of chats are copied, by one query of the group, and deletes are found`()
    async throws
  {
    let text: [String: Value] = ["text": .string("x")]
    let firestore = MemoryFirestore([
      "Chats/a/Messages/m1": text, "Chats/b/Messages/m2": text, "Chatr/a/Messages/m3": text,
      "ChatsOld/a/Messages/m4": text, "Chats/a/Threads/t/Messages/m5": text, "Messages/m6": text,
      "Users/u/Chats/c/Messages/m7": text,
    ])
    let parents = try #require(ParentPattern("Chats/*"))
    let root = ResourceName(project: "demo", database: "(default)")
    var request = request([])
    request.tableName = "Messages"
    request.source = CollectionSource(
      collectionId: "Messages", isGroup: true, parents: parents,
      filter: try parents.bounds(in: root))
    request.columns = [
      MappedColumn(name: "chat", source: .document(.parentId(1)), kind: .text)
    ]
    let result = try await pull(firestore, request)
    let paths = "SELECT chat || ' ' || document_path FROM Messages ORDER BY 1"
    #expect(try workspace.texts(paths) == ["a Chats/a/Messages/m1", "b Chats/b/Messages/m2"])
    // Of other parents only the deeper one inside the bounds is billed.
    #expect(result.pull.counts.fetched == 3)
    #expect(result.pull.counts.skipped == [ColumnMapping.otherParent: 1])
    #expect(try await sweep(firestore, request) == .noDrift)
    firestore.put(["Chats/b/Messages/m2": nil])
    guard case .swept(let swept) = try await sweep(firestore, request) else {
      Issue.record("no sweep")
      return
    }
    #expect(swept.deleted == 1)
    #expect(try workspace.texts(paths) == ["a Chats/a/Messages/m1"])
  }
}
