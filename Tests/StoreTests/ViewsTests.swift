import Model
import StoreTesting
import Testing

@testable import Store

/// The views that show times in ISO 8601.
@Suite struct ViewsTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @Test(
    arguments: [
      (0, nil), (1, "1970-01-01T00:00:00.000001Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (-1_000_000, "1969-12-31T23:59:59.000000Z"), (999_999, "1970-01-01T00:00:00.999999Z"),
      (1_769_846_400_123_456, "2026-01-31T08:00:00.123456Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ] as [(Int64, String?)])
  func `a time keeps its microseconds, and 0 is none`(micros: Int64, expected: String?) throws {
    try folder.execute(
      "INSERT INTO OnlineUsers (user_id, update_time) VALUES ('u', \(micros))")
    #expect(
      try folder.texts("SELECT ifnull(update_time_iso, 'none') FROM v_users")
        == [expected ?? "none"])
  }

  @Test func `seconds are times too, and all columns of the table are there`() throws {
    try store.merge([.numbered(1, seen: 1_769_846_400)])
    #expect(
      try folder.texts("SELECT user_last_time_seen_iso FROM v_users") == ["2026-01-31T08:00:00Z"])
    let columns = try folder.texts("SELECT name FROM pragma_table_info('v_users')")
    let base = try folder.texts("SELECT name FROM pragma_table_info('OnlineUsers')")
    #expect(columns.prefix(base.count) == base[...])
    #expect(
      columns.dropFirst(base.count) == [
        "update_time_iso", "synced_at_iso", "user_last_time_seen_iso",
      ])
  }

  @Test func `every view can be read`() throws {
    for view in try folder.texts("SELECT name FROM sqlite_schema WHERE type = 'view'") {
      #expect(try folder.texts("SELECT count(*) FROM \(view)") == ["0"], "\(view)")
    }
  }

  @Test func `a job's table that has a view's name keeps it, and the migration goes on`() throws {
    let file = try StoreFile()
    try ReleasedDatabase.make(
      at: file.path, rows: "CREATE TABLE v_users (a); INSERT INTO v_users VALUES (1);")
    try file.open().close()
    #expect(try SQLiteFile.integers(file.path, "SELECT a FROM v_users") == [1])
  }

  // MARK: - Tables of collections

  private let orders = SyncTable.collection(
    name: "Orders", columns: [.init("placed", .integer), .init("n", .integer)], hasDocument: false)
  private let registration = TableRegistration(
    source: "Orders", columns: ["placed": "placed INTEGER", "n": "n INTEGER"])

  private func make() throws {
    try store.write {
      try $0.createTable(orders)
      try $0.register(orders.name, as: registration)
    }
  }

  private var columns: [String] {
    get throws {
      try folder.texts("SELECT name FROM pragma_table_info('v_Orders')").filter {
        $0.hasSuffix("_iso")
      }
    }
  }

  @Test func `a collection's table has a view, which learns what its fields hold`() throws {
    try make()
    #expect(try columns == ["update_time_iso", "synced_at_iso"])
    try store.write {
      try $0.setKnownFields(["placed": ["timestamp"], "n": ["integer", "timestamp"]], of: orders)
    }
    #expect(try columns == ["placed_iso", "update_time_iso", "synced_at_iso"])
    try folder.execute(
      "INSERT INTO Orders VALUES ('Orders/a', 'a', 1000000, 2000000, 3000000, 4000000)")
    #expect(try folder.texts("SELECT placed_iso FROM v_Orders") == ["1970-01-01T00:00:01.000000Z"])
    try store.write { try $0.setKnownFields(["placed": ["integer", "timestamp"]], of: orders) }
    #expect(try columns == ["update_time_iso", "synced_at_iso"])
  }

  @Test func `a column that a view adds gets a number where the table has one of its name`() throws
  {
    let odd = SyncTable.collection(
      name: "Odd",
      columns: [
        .init("at", .integer), .init("AT_iso", .text), .init("at_iso_2", .text),
        .init("Update_Time_ISO", .text), .init("v", .text), .init("v_VALUE", .text),
      ], hasDocument: false)
    try store.write {
      try $0.createTable(odd)
      let fills = ["at": "at INTEGER", "v": "v JSON"]
      try $0.register("Odd", as: TableRegistration(source: "Odd", columns: fills))
      try $0.setKnownFields(["at": ["timestamp"]], of: odd)
    }
    try folder.execute(
      """
      INSERT INTO Odd VALUES ('Odd/a', 'a', 1000000, 'mine', 'mine', 'mine', '{"integerValue":"7"}',
        'mine', 2000000, 3000000)
      """)
    let names = try folder.texts("SELECT lower(name) FROM pragma_table_info('v_Odd')")
    #expect(Set(names).count == names.count && !names.contains { $0.contains(":") })
    #expect(
      try folder.texts(
        "SELECT at_iso || ' ' || at_iso_3 || ' ' || update_time_iso_2 || ' ' || v_value_2 FROM v_Odd"
      )
        == ["mine 1970-01-01T00:00:01.000000Z 1970-01-01T00:00:02.000000Z 7"])
    let view = try store.read { try $0.describedTables() }.first { $0.name == "v_Odd" }
    let meanings = view?.columns.map { ($0.name, $0.meaning) } ?? []
    let byName = Dictionary(meanings) { first, _ in first }
    #expect(byName["at_iso_3"] == "at in ISO 8601, UTC.")
    #expect(byName["v_value_2"]?.hasPrefix("v without Firestore's type") == true)
  }

  @Test func `single values of JSON are decoded, and others are NULL`() throws {
    let mixed = SyncTable.collection(
      name: "Mixed", columns: [.init("v", .text), .init("w", .text), .init("w_value", .text)],
      hasDocument: false)
    try store.write {
      try $0.createTable(mixed)
      let fills = ["v": "v JSON", "w": "w JSON", "w_value": "w TEXT"]
      try $0.register("Mixed", as: TableRegistration(source: "Mixed", columns: fills))
    }
    let values = [
      #"{"integerValue":"9007199254740993"}"#, #"{"doubleValue":1.5}"#, #"{"stringValue":"x"}"#,
      #"{"booleanValue":true}"#, #"{"nullValue":null}"#, #"{"arrayValue":{"values":[]}}"#, "{",
    ]
    for (index, value) in values.enumerated() {
      try folder.execute(
        "INSERT INTO Mixed VALUES ('Mixed/\(index)', '\(index)', '\(value)', NULL, 'mine', 0, 0)")
    }
    #expect(
      try folder.texts("SELECT ifnull(v_value, 'NULL') FROM v_Mixed ORDER BY document_id") == [
        "9007199254740993", "1.5", "x", "1", "NULL", "NULL", "NULL",
      ])
    #expect(try folder.texts("SELECT DISTINCT w_value FROM v_Mixed") == ["mine"])
  }

  @Test func `a view that does not change is not made again`() throws {
    try make()
    let before = try folder.texts("PRAGMA schema_version")
    try store.write { try $0.refreshView(of: "Orders") }
    #expect(try folder.texts("PRAGMA schema_version") == before)
  }

  @Test func `a new column is seen at once, and one without a time can be dropped`() throws {
    try make()
    try store.write {
      try $0.changeColumns(of: "Orders", ColumnChanges(added: [.init("city", .text)]))
      try $0.register(orders.name, as: registration)
    }
    #expect(try folder.texts("SELECT count(city) FROM v_Orders") == ["0"])
    try folder.execute("ALTER TABLE Orders DROP COLUMN n")
    #expect(try folder.texts("SELECT count(*) FROM v_Orders") == ["0"])
  }

  @Test func `a view of somebody else keeps its name`() throws {
    try folder.execute("CREATE VIEW v_Orders AS SELECT 1 AS mine")
    try make()
    #expect(try folder.texts("SELECT mine FROM v_Orders") == ["1"])
  }

  @Test func `the view of a table that was dropped goes before tables change`() throws {
    try make()
    try folder.execute("DROP TABLE Orders")
    let other = SyncTable.collection(name: "Items", columns: [], hasDocument: true)
    try store.write { try $0.createTable(other) }
    #expect(try folder.texts("SELECT name FROM sqlite_schema WHERE name = 'v_Orders'") == [])
  }

  @Test func `the names of views are reserved`() {
    #expect(SyncTable.isReserved("v_Users"))
    #expect(!SyncTable.isReserved("v_orders"))
  }

  // MARK: - What is described

  @Test func `every table and column of the program has its meaning`() throws {
    let tables = try store.read { try $0.describedTables() }
    #expect(tables.count > 30)
    for table in tables {
      #expect(!table.meaning.isEmpty, "\(table.name)")
      for column in table.columns {
        #expect(!column.meaning.isEmpty, "\(table.name).\(column.name)")
      }
    }
    let names = Set(tables.map(\.name))
    #expect(Set(SchemaNotes.tables.keys).isSubset(of: names))
    for (table, columns) in SchemaNotes.columns {
      let present = tables.first { $0.name == table }?.columns.map(\.name) ?? []
      #expect(Set(columns.keys).isSubset(of: present), "\(table)")
    }
  }

  @Test func `a collection's columns are described by their fields, others' tables not at all`()
    throws
  {
    try make()
    try folder.execute("CREATE TABLE mine (a); CREATE VIEW theirs AS SELECT a FROM mine")
    let tables = try store.read { try $0.describedTables() }
    let described = try #require(tables.first { $0.name == "Orders" })
    #expect(described.meaning == "Documents of Orders, one row each.")
    #expect(described.columns.first { $0.name == "placed" }?.meaning == "The field placed.")
    #expect(described.columns.allSatisfy { !$0.meaning.isEmpty })
    #expect(tables.first { $0.name == "mine" }?.columns.map(\.meaning) == [""])
    #expect(tables.first { $0.name == "ratings" }?.columns.compactMap(\.reference) == ["outbox.id"])
  }

  @Test(arguments: [
    ("total REAL", "The field total."), ("`with space` INTEGER", "The field `with space`."),
    ("`a INTEGER as b` TEXT", "The field `a INTEGER as b`."),
    ("placed TEXT as iso", "The field placed, in ISO 8601, UTC."),
    ("placed INTEGER as seconds", "The field placed, in seconds since 1970."),
    ("address.geo REAL as latitude", "The field address.geo, its latitude."),
    ("who TEXT as path", "The field who, as a path below the database."),
    ("nan JSON", "The field nan, as Firestore's JSON with the type of each value."),
    ("@value PLAIN_JSON", "The element itself, as plain JSON."),
    ("@id TEXT", "Id of the document."),
    ("@createTime INTEGER as micros", "Creation of the document, in microseconds since 1970."),
    ("@parent(1).id TEXT", "Id of the document above."),
    ("@parent(2).path TEXT", "Path below the database of the document above, 2 levels up."),
    ("@deleted", "When the document was found to be gone, in microseconds since 1970."),
  ])
  func `what fills a column is said in words`(mapping: String, words: String) {
    #expect(CollectionNotes.column(filledBy: mapping) == words)
  }

  @Test func `a child table's rows are elements, told apart in words and tied to their parent`()
    throws
  {
    let child = ChildTable(
      name: "Orders_items", position: .init("idx", .integer), columns: [.init("sku", .text)])
    let parent = SyncTable.collection(
      name: "Orders", columns: [.init("nan", .text)], hasDocument: false, children: [child])
    try store.write { writer in
      try writer.createTable(parent)
      try writer.createTable(child)
      try writer.attach(child, to: parent)
      try writer.register(
        child.name,
        as: TableRegistration(
          source: "the elements of items in the collection Orders, below the table Orders",
          columns: ["sku": "sku TEXT"]))
    }
    let tables = try store.read { try $0.describedTables() }
    let described = try #require(tables.first { $0.name == "Orders_items" })
    #expect(described.meaning == "The elements of items in the collection Orders, one row each.")
    #expect(
      described.columns.map(\.meaning) == [
        "Path of the document below the database.", "Position in the array, from 0.",
        "The field sku.",
      ])
    #expect(described.columns.map(\.reference) == ["Orders.document_path", nil, nil])
  }
}
