import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Sync
@testable import Workspace

/// What a changed declaration does to tables that are there, over a Firestore in memory.
@Suite struct TableMigrationTests {
  private let workspace: TemporaryStore
  private let firestore = MemoryFirestore(
    Dictionary(uniqueKeysWithValues: (1...9).map { ("Orders/o\($0)", order($0)) }))

  init() throws {
    workspace = try TemporaryStore()
  }

  private static func order(_ number: Int) -> [String: Value] {
    [
      "n": .integer(Int64(number)), "city": .string("City \(number)"),
      "items": .array([.map(["sku": .string("a\(number)")]), .map(["sku": .string("b")])]),
      "changed": .timestamp(
        Timestamp(microseconds: Instant.morning.microseconds - Int64(100 - number) * 1_000_000)),
    ]
  }

  private static func column(
    _ name: String, _ field: String, _ kind: MappedColumn.Kind
  ) -> MappedColumn {
    MappedColumn(name: name, path: FieldPath(segments: [field]), kind: kind)
  }

  private static let n = column("n", "n", .integer)
  private static let city = column("city", "city", .text)
  private static let items = ExplodedField(
    tableName: "Orders_items", path: ValuePath(FieldPath(segments: ["items"])),
    columns: [column("sku", "sku", .text)])

  private func request(
    _ columns: [MappedColumn], _ exploded: [ExplodedField] = [], hasDocument: Bool = true,
    keepsDeleted: Bool = false, isIncremental: Bool = true
  ) -> CollectionPullRequest {
    var request = CollectionPullRequest(
      source: CollectionSource(collectionId: "Orders"), tableName: "Orders", columns: columns,
      hasDocument: hasDocument, exploded: exploded, keepsDeleted: keepsDeleted,
      options: PullOptions(job: "orders", pageSize: 3, now: .morning))
    if isIncremental {
      request.options.watermark = Watermark(
        field: FieldPath(segments: ["changed"]), overlap: .seconds(1))
    }
    return request
  }

  /// Pulls, after it has made sure that the plan says beforehand what the run does.
  @discardableResult
  private func pull(
    _ request: CollectionPullRequest, into target: TemporaryStore? = nil,
    isForeseen: Bool = true
  ) async throws -> CollectionPullResult {
    let store = (target ?? workspace).store
    let (planned, query) = try store.read {
      (try request.migration(in: $0).changes, try request.planned(in: $0))
    }
    firestore.forgetCalls()
    let result = try await CollectionPull(
      port: firestore, store: store, documentsPerCommit: 4, bytesPerRewrite: 700
    ).run(request)
    #expect(result.schemaChanges == planned)
    if isForeseen, case .page(let first, _)? = firestore.calls.first {
      #expect(first.filter == query.query.filter && first.startAt == query.query.startAt)
    }
    return result
  }

  private func texts(_ sql: String, in target: TemporaryStore? = nil) throws -> [String] {
    try (target ?? workspace).texts(sql)
  }

  private func changes(_ result: CollectionPullResult) -> [String] {
    result.schemaChanges.map(\.description)
  }

  private static let all = (1...9).map { "\($0)" }

  // MARK: - What fills a column

  @Test
  func `where documents are kept, a new column is filled from them, and loads stay incremental`()
    async throws
  {
    try await pull(request([Self.city]))
    let result = try await pull(request([Self.city, Self.n], [Self.items]))
    #expect(
      changes(result) == [
        "Orders.n: added, n INTEGER; filled from the stored documents, without a read",
        "Orders_items: added, the elements of items in the collection Orders, below the table "
          + "Orders; filled from the stored documents, without a read",
      ])
    #expect(result.refilled == 9)
    #expect(result.pull.isIncremental && result.pull.counts.fetched == 2)
    #expect(try texts("SELECT n FROM Orders ORDER BY n") == Self.all)
    #expect(
      try texts("SELECT sku FROM Orders_items WHERE idx = 0 ORDER BY 1")
        == Self.all.map { "a\($0)" })
    let again = try await pull(request([Self.city, Self.n], [Self.items]))
    #expect(again.schemaChanges.isEmpty && again.refilled == 0 && again.pull.isIncremental)
  }

  @Test
  func `without documents a full read fills it, and later loads are incremental again`()
    async throws
  {
    try await pull(request([Self.city], hasDocument: false))
    let result = try await pull(request([Self.city, Self.n], hasDocument: false))
    #expect(changes(result) == ["Orders.n: added, n INTEGER; filled by reading all documents"])
    #expect(result.pull.counts.updated == 9 && !result.pull.isIncremental)
    #expect(try texts("SELECT n FROM Orders ORDER BY n") == Self.all)
    let again = try await pull(request([Self.city, Self.n], hasDocument: false))
    #expect(again.pull.isIncremental)
  }

  @Test(arguments: [true, false])
  func `a column less costs no read, and its values stay`(hasDocument: Bool) async throws {
    try await pull(request([Self.city, Self.n], hasDocument: hasDocument))
    try workspace.execute(
      """
      CREATE INDEX by_city ON Orders(city);
      CREATE VIEW mine AS SELECT city AS place FROM Orders;
      CREATE VIEW broken AS SELECT 1 FROM nowhere
      """)
    let result = try await pull(request([Self.n], hasDocument: hasDocument))
    #expect(
      changes(result) == [
        "Orders.city: removed, was city TEXT; present values kept as city_removed"
      ])
    #expect(result.pull.isIncremental)
    #expect(try texts("SELECT count(DISTINCT place) FROM mine") == ["9"])
    #expect(try texts("SELECT count(city_removed) FROM v_Orders") == ["9"])
    #expect(try texts("SELECT name FROM pragma_index_info('by_city')") == ["city_removed"])
    try workspace.execute("DROP VIEW mine; DROP VIEW broken")
    let removal = try #require(result.schemaChanges.first?.removal)
    #expect(removal.hasPrefix(#"DROP INDEX "by_city"; "#))
    try workspace.execute(removal)
    #expect(try texts("SELECT count(*) FROM v_Orders") == ["9"])
  }

  @Test
  func `a column that comes back is filled anew, and what was kept stays beside it`() async throws {
    for columns in [[Self.city], [Self.n], [Self.city], [Self.n]] {
      try await pull(request(columns))
    }
    #expect(
      try texts("SELECT name FROM pragma_table_info('Orders') WHERE name LIKE '%removed%'") == [
        "city_removed", "n_removed", "city_removed_2",
      ])
    #expect(try texts("SELECT count(DISTINCT city_removed_2) FROM Orders") == ["9"])
  }

  @Test(arguments: [true, false])
  func `a type is changed with indexes and views on it, and old values stay`(hasDocument: Bool)
    async throws
  {
    try await pull(request([Self.n], hasDocument: hasDocument))
    try workspace.execute(
      """
      CREATE UNIQUE INDEX by_n ON Orders(n) WHERE n IS NOT NULL;
      CREATE VIEW mine AS SELECT n FROM Orders;
      CREATE VIEW his AS SELECT n FROM mine
      """)
    let real = Self.column("n", "n", .real)
    let result = try await pull(request([real], hasDocument: hasDocument))
    #expect(result.schemaChanges.map(\.filling) == [hasDocument ? .documents : .fullRead])
    #expect(try texts("SELECT n FROM his ORDER BY n") == (1...9).map { "\($0).0" })
    #expect(try texts("SELECT n_removed FROM Orders ORDER BY 1") == Self.all)
    #expect(try texts("SELECT name FROM pragma_index_info('by_n')") == ["n"])
    #expect(
      try texts(#"SELECT "unique" FROM pragma_index_list('Orders') WHERE name = 'by_n'"#) == ["1"])
    try workspace.execute(try #require(result.schemaChanges.first?.removal))
  }

  @Test(arguments: [true, false])
  func `another field fills a column anew in its place`(hasDocument: Bool) async throws {
    try await pull(request([Self.city], hasDocument: hasDocument))
    let plain = MappedColumn(
      name: "city", path: FieldPath(segments: ["items"]), kind: .plainJSON)
    try await pull(request([plain], hasDocument: hasDocument))
    #expect(
      try texts("SELECT city FROM Orders WHERE document_id = 'o1'") == [
        #"[{"sku":"a1"},{"sku":"b"}]"#
      ])
  }

  @Test
  func `documents that are kept from now on are read once, and kept ones need not be`() async throws
  {
    try await pull(request([Self.city], hasDocument: false))
    let begun = try await pull(request([Self.city]))
    #expect(begun.schemaChanges.map(\.filling) == [.fullRead])
    let ended = try await pull(request([Self.city], hasDocument: false))
    #expect(ended.schemaChanges.map(\.keptAs) == ["document_removed"])
    #expect(ended.pull.isIncremental)
  }

  @Test
  func `a document that somebody changed by hand is fetched anew, with all others`() async throws {
    try await pull(request([Self.city]))
    try workspace.execute("UPDATE Orders SET document = '{' WHERE document_id = 'o5'")
    let result = try await pull(request([Self.city, Self.n]), isForeseen: false)
    #expect(result.refilled == 8)
    #expect(result.pull.counts.updated == 1 && result.pull.counts.fetched == 9)
    #expect(try texts("SELECT n FROM Orders ORDER BY n") == Self.all)
  }

  @Test func `rows of documents that are gone are filled, too, and stay marked`() async throws {
    try await pull(request([Self.city], keepsDeleted: true))
    try workspace.execute("UPDATE Orders SET deleted_at = 7 WHERE document_id = 'o1'")
    firestore.put(["Orders/o1": nil])
    try await pull(request([Self.city, Self.n], keepsDeleted: true))
    #expect(try texts("SELECT n || ' ' || deleted_at FROM Orders WHERE n = 1") == ["1 7"])
  }

  // MARK: - Child tables

  @Test func `a child table's columns and path change, it goes, and it comes back`() async throws {
    try await pull(request([], [Self.items]))
    var other = Self.items
    other.columns.append(
      MappedColumn(name: "whole", source: .field(ValuePath(steps: [])), kind: .plainJSON))
    let column = try await pull(request([], [other]))
    #expect(column.schemaChanges.map(\.table) == ["Orders_items"])
    #expect(
      try texts("SELECT whole FROM Orders_items ORDER BY document_path, idx").first
        == #"{"sku":"a1"}"#)
    other.keyColumn = "key"
    let keyed = try await pull(request([], [other]))
    #expect(keyed.schemaChanges.map(\.keptAs) == ["Orders_items_removed"])
    #expect(try texts("SELECT count(*) FROM Orders_items_removed") == ["18"])
    #expect(try texts("SELECT count(key) FROM Orders_items") == ["0"])
    try await pull(request([], []))
    let back = try await pull(request([], [Self.items]))
    #expect(back.schemaChanges.map(\.action) == [.added])
    #expect(
      try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Orders%'")
        .sorted() == ["Orders", "Orders_items", "Orders_items_removed", "Orders_items_removed_2"])
    try workspace.execute("DELETE FROM Orders WHERE document_id = 'o1'")
    #expect(
      try texts(
        """
        SELECT count(*) FROM Orders_items UNION ALL SELECT count(*) FROM Orders_items_removed
        """) == ["16", "16"])
  }

  @Test
  func `kept tables can be dropped as told, and one dropped otherwise keeps no row from going`()
    async throws
  {
    try await pull(request([], [Self.items]))
    let result = try await pull(request([]))
    try workspace.execute(try #require(result.schemaChanges.first?.removal))
    try await pull(request([], [Self.items]))
    try workspace.execute("DROP TABLE Orders_items")
    try await pull(request([]))
    try workspace.execute("DELETE FROM Orders WHERE document_id = 'o1'")
    #expect(try texts("SELECT count(*) FROM v_Orders") == ["8"])
  }

  @Test func `the child table of another job is not taken`() async throws {
    try await pull(request([], [Self.items]))
    var taking = request([], [Self.items])
    taking.tableName = "Others"
    taking.options.job = "others"
    await expectRefusal(
      .badData,
      "The table 'Orders_items' holds the elements of items in the collection Orders, below the "
        + "table Orders, for another job; nothing was fetched. Name another one under 'table', or "
        + "start over with DROP TABLE \"Orders_items\"."
    ) { try await pull(taking) }
    #expect(try texts("SELECT count(*) FROM Orders_items") == ["18"])
    #expect(try texts("SELECT name FROM sqlite_schema WHERE name = 'Others'").isEmpty)
  }

  // MARK: - Readers and kills

  @Test func `a reader keeps what it sees, and sees the change afterwards`() async throws {
    try await pull(request([Self.city]))
    let reader = try workspace.open(.readOnly)
    let request = request([Self.column("city", "city", .json)])
    try reader.read { snapshot in
      #expect(
        try snapshot.storedTable(named: "Orders")?.registration?.columns["city"] == "city TEXT")
      try workspace.store.write { _ = try request.migrate(in: $0) }
      #expect(
        try snapshot.storedTable(named: "Orders")?.registration?.columns["city"] == "city TEXT")
    }
    #expect(
      try reader.read { try $0.storedTable(named: "Orders")?.registration?.columns["city"] }
        == "city JSON")
  }

  /// Everything but the time of writing.
  private func contents(_ target: TemporaryStore) throws -> [String] {
    try texts(
      """
      SELECT json_array(document_path, n, city, n_removed, update_time) FROM Orders
      UNION ALL SELECT json_array(document_path, idx, sku, whole) FROM Orders_items ORDER BY 1
      """, in: target)
  }

  @Test(arguments: [true, false])
  func `killed at any statement, the next run ends as if nothing had happened, no row torn`(
    hasDocument: Bool
  ) async throws {
    try await pull(request([Self.n, Self.city], [Self.items], hasDocument: hasDocument))
    var items = Self.items
    items.columns.append(
      MappedColumn(name: "whole", source: .field(ValuePath(steps: [])), kind: .plainJSON))
    let changed = request(
      [Self.column("n", "n", .text), Self.column("city", "changed", .text)], [items],
      hasDocument: hasDocument)
    let kills = KillCopies(of: workspace)
    try await pull(changed)
    kills.end(of: workspace)
    let expected = try contents(workspace)
    #expect(expected.count == 27)
    let copies = try kills.databases()
    #expect(copies.count >= 4)
    for copy in copies {
      let isChanged = try !texts(
        "SELECT 1 FROM pragma_table_info('Orders') WHERE name = 'n_removed'", in: copy
      ).isEmpty
      if isChanged {
        // The whole of a row and its child rows is old, or the whole is new.
        let torn = try texts(
          """
          SELECT document_path FROM Orders AS o WHERE (city LIKE 'City%') <> EXISTS (
            SELECT 1 FROM Orders_items AS i
            WHERE i.document_path = o.document_path AND whole IS NULL)
          """, in: copy)
        #expect(torn.isEmpty)
      }
      try await pull(changed, into: copy)
      #expect(try contents(copy) == expected)
    }
  }

  @Test func `a change while another one is under way ends with both`() async throws {
    try await pull(request([Self.city]))
    let kills = KillCopies(of: workspace)
    try await pull(request([Self.city, Self.n]))
    kills.end(of: workspace)
    let last = request([Self.city, Self.n, Self.column("again", "n", .text)], hasDocument: false)
    for copy in try kills.databases() {
      try await pull(last, into: copy)
      #expect(try texts("SELECT n FROM Orders ORDER BY n", in: copy) == Self.all)
      #expect(try texts("SELECT again FROM Orders WHERE again IS NOT NULL", in: copy).isEmpty)
    }
  }
}
