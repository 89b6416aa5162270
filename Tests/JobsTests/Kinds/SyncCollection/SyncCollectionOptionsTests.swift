import Firestore
import JobsTesting
import Model
import Sync
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Workspace

/// The keys of the kind `sync-collection`; see `docs/jobs/sync-collection.md`.
struct SyncCollectionOptionsTests {
  private func options(_ text: String) throws -> SyncCollectionOptions {
    let source = SourceFile(path: "jobs/orders.yml", text: "kind: sync-collection\n\(text)\n")
    guard let options = try JobFiles.jobs(in: [source]).first?.definition as? SyncCollectionOptions
    else {
      throw ConfigurationError([])
    }
    return options
  }

  /// What is said about the text's lines, without the file.
  private func problems(_ text: String) -> [String] {
    do {
      _ = try options(text)
      return []
    } catch let error as ConfigurationError {
      return error.problems.map { "\($0.keyPath): \($0.message)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `a collection alone is copied whole, as documents, by name`() throws {
    let options = try options("collection: Orders")
    #expect(
      options
        == SyncCollectionOptions(
          source: CollectionSource(collectionId: "Orders"), table: "Orders"))
    #expect(options.hasDocument)
    #expect(options.maxDocuments == nil)
    #expect(options.pageSize == 500)
  }

  @Test func `with columns the whole document is kept only when asked for`() throws {
    let columns = "collection: Orders\ncolumns: {a: b TEXT}"
    #expect(try !options(columns).hasDocument)
    #expect(try options(columns + "\ndocument: true").hasDocument)
    #expect(try !options("collection: Orders\ndocument: false").hasDocument)
  }

  @Test func `columns come in both forms, in the order of the file`() throws {
    let options = try options(
      """
      collection: Orders
      columns:
        total: total REAL
        city: address.city TEXT
        odd: "`a b`.c   INTEGER"
        items: {path: items, type: JSON}
        raw: {type: BLOB}
      """)
    #expect(
      options.columns == [
        MappedColumn(name: "total", path: FieldPath(segments: ["total"]), kind: .real),
        MappedColumn(name: "city", path: FieldPath(segments: ["address", "city"]), kind: .text),
        MappedColumn(name: "odd", path: FieldPath(segments: ["a b", "c"]), kind: .integer),
        MappedColumn(name: "items", path: FieldPath(segments: ["items"]), kind: .json),
        MappedColumn(name: "raw", path: FieldPath(segments: ["raw"]), kind: .blob),
      ])
  }

  @Test(arguments: [
    ("Orders", "Orders"), ("my-orders", "my_orders"), ("2026", "_2026"), ("ü", "__"),
  ])
  func `the table is called as the collection, with _ for what a name cannot have`(
    id: String, table: String
  ) throws {
    #expect(try options("collection: '\(id)'").table == table)
    #expect(try options("collection_group: '\(id)'").table == table)
  }

  @Test func `a path names the collection of one document`() throws {
    let source = try options("collection: Shops/berlin/Orders").source
    #expect(source == CollectionSource(collectionId: "Orders", parent: "Shops/berlin"))
    #expect(try options("collection: Shops/berlin/Orders").table == "Orders")
  }

  @Test func `documents above a collection may have numeric ids, collections may not`() throws {
    let source = try options("collection: Shops/__id7__/Orders").source
    #expect(source == CollectionSource(collectionId: "Orders", parent: "Shops/__id7__"))
    let deep = "A/__id-9223372036854775808__/B/__id0__"
    #expect(try options("collection: \(deep)/C").source.parent == deep)
    let group = try options("collection: Orders\nunder: Shops/__id7__/Rooms/*").source
    #expect(group.parent == "Shops/__id7__")
    for path in ["__id7__", "Shops/x/__id7__", "Shops/__id__/Orders", "Shops/__ix7__/Orders"] {
      #expect(problems("collection: \(path)").count == 1, "\(path)")
    }
    #expect(problems("collection: Orders\nunder: __id7__/*").count == 1)
    for path in ["__id7__/a", "Shops/__x__"] {
      let filter = "{field: a, op: '==', value: {reference: \(path)}}"
      #expect(problems("collection: Orders\nwhere: [\(filter)]").count == 1, "\(path)")
    }
  }

  @Test(
    arguments: [
      ("==", "paid", .field(path, .equal, .string("paid"))),
      ("!=", "3", .field(path, .notEqual, .integer(3))),
      ("<", "1.5", .field(path, .lessThan, .double(1.5))),
      ("<=", "-1", .field(path, .lessThanOrEqual, .integer(-1))),
      (">", "true", .field(path, .greaterThan, .boolean(true))),
      (
        ">=", "{timestamp: '2026-01-31T08:00:00Z'}",
        .field(
          path, .greaterThanOrEqual, .timestamp(Timestamp(microseconds: 1_769_846_400_000_000)))
      ),
      ("in", "[a, 1]", .field(path, .in, .array([.string("a"), .integer(1)]))),
      ("not-in", "['x']", .field(path, .notIn, .array([.string("x")]))),
      ("array-contains", "'3'", .field(path, .arrayContains, .string("3"))),
      ("array-contains-any", "[false]", .field(path, .arrayContainsAny, .array([.boolean(false)]))),
      ("==", "null", .unary(path, .isNull)), ("!=", "null", .unary(path, .isNotNull)),
      ("==", "{reference: Shops/__id7__}", .field(path, .equal, .reference("Shops/__id7__"))),
      ("==", "{reference: Users/u1}", .field(path, .equal, .reference("Users/u1"))),
    ] as [(String, String, StructuredQuery.Filter)])
  func `an operator and its value become a filter`(
    op: String, value: String, filter: StructuredQuery.Filter
  ) throws {
    let options = try options(
      "collection: Orders\nwhere: [{field: a.b, op: '\(op)', value: \(value)}]")
    #expect(options.source.filter == filter)
  }

  @Test(arguments: ["<", "<=", ">", ">="])
  func `null has no order`(op: String) throws {
    #expect(
      problems("collection: Orders\nwhere: [{field: a, op: '\(op)', value: null}]") == [
        "where[0].value: null and NaN are compared by == and != only, not by \(op)"
      ])
  }

  private static let path = FieldPath(segments: ["a", "b"])

  @Test(
    arguments: [
      ("is-null", .isNull), ("is-not-null", .isNotNull), ("is-nan", .isNaN),
      ("is-not-nan", .isNotNaN),
    ] as [(String, StructuredQuery.UnaryOperator)])
  func `some operators take no value`(op: String, test: StructuredQuery.UnaryOperator) throws {
    let entry = "collection: Orders\nwhere: [{field: a.b, op: \(op)"
    #expect(try options(entry + "}]").source.filter == .unary(Self.path, test))
    #expect(
      problems(entry + ", value: 1}]") == ["where[0].value: '\(op)' takes no value; remove it"])
  }

  @Test func `several filters all have to hold, and references get the database's name`() throws {
    let root = ResourceName(project: "p", database: "(default)")
    let options = try options(
      """
      collection: Orders
      where:
        - {field: by, op: in, value: [{reference: Users/u1}]}
        - {field: open, op: "==", value: true}
      """)
    let name = "projects/p/databases/(default)/documents/Users/u1"
    #expect(
      try options.source(in: root).filter
        == .composite(
          .and,
          [
            .field(FieldPath(segments: ["by"]), .in, .array([.reference(name)])),
            .field(FieldPath(segments: ["open"]), .equal, .boolean(true)),
          ]))
  }

  @Test(
    arguments: [
      ("order_by: total", "total", .ascending), ("order_by: total desc", "total", .descending),
      ("order_by: total asc", "total", .ascending),
      ("where: [{field: total, op: '>', value: 1}]", "total", .ascending),
      ("where: [{field: total, op: '>', value: 1}]\norder_by: total desc", "total", .descending),
    ] as [(String, String, StructuredQuery.Direction)])
  func `pages are ordered by the key, or by the field that is compared by order`(
    text: String, field: String, direction: StructuredQuery.Direction
  ) throws {
    let order = try options("collection: Orders\n\(text)").source.order
    #expect(order == .init(field: FieldPath(segments: [field]), direction: direction))
  }

  @Test(arguments: [
    "order_by: __name__", "where: [{field: total, op: '==', value: 1}]",
    "where: [{field: __name__, op: '>', value: {reference: Orders/a}}]",
  ])
  func `otherwise pages are ordered by name`(text: String) throws {
    #expect(try options("collection: Orders\n\(text)").source.order == nil)
  }

  static let mistakes: [(String, String)] = [
    (
      "description: x",
      "collection: is missing; name a collection, or a group under "
        + "'collection_group'"
    ),
    (
      "collection: A\ncollection_group: B",
      "collection_group: keep one of 'collection' and 'collection_group'"
    ),
    (
      "collection: A/b",
      "collection: must be a collection id, or a path such as "
        + "Shops/berlin/Orders, not the text 'A/b'"
    ),
    (
      "collection_group: A/b/C",
      "collection_group: must be a collection id without '/', not the "
        + "text 'A/b/C'"
    ),
    (
      "collection: events",
      "table: is missing; 'events' is one of Firetally's own tables, so name "
        + "another one"
    ),
    (
      "collection: A\ntable: OnlineUSERS",
      "table: 'OnlineUSERS' is one of Firetally's own tables; choose another name"
    ),
    (
      "collection: A\ntable: sqlite_x",
      "table: 'sqlite_x' is one of Firetally's own tables; choose another name"
    ),
    (
      "collection: A\ntable: 'x\"; DROP TABLE y; --'",
      "table: must be letters, digits and _, not a digit first, at most 64 of them, not the text "
        + "'x\"; DROP TABLE y; --'"
    ),
    (
      "collection: A\ncolumns: {document: a TEXT}",
      "columns.document: every table has a column of that name; choose another one"
    ),
    (
      "collection: A\ncolumns: {ROWID: a TEXT}",
      "columns.ROWID: every table has a column of that name; choose another one"
    ),
    (
      "collection: A\ncolumns: {a b: a TEXT}",
      "columns.a b: a column's name must be letters, digits and _, not a digit first, at most 64 "
        + "of them"
    ),
    (
      "collection: A\ncolumns: {a: a TEXT, A: b TEXT}",
      "columns.A: is declared twice; SQLite does not tell capitals apart"
    ),
    (
      "collection: A\ncolumns: {a: a VARCHAR}",
      "columns.a: must be a field and a type such as 'address.city TEXT'; types are TEXT, INTEGER, "
        + "REAL, BLOB, JSON, PLAIN_JSON, not the text 'a VARCHAR'"
    ),
    (
      "collection: A\ncolumns: {a: {path: a}}",
      "columns.a.type: is missing; one of TEXT, INTEGER, REAL, BLOB, JSON"
    ),
    (
      "collection: A\ncolumns: {a: a-b TEXT}",
      "columns.a: `a-b` is not a field path; names other than letters, digits and _ need "
        + "back-ticks"
    ),
    (
      "collection: A\ncolumns: {a: __name__ TEXT}",
      "columns.a: the name is in the columns document_path and document_id of every table"
    ),
    (
      "collection: A\nwhere: [{field: a, op: '='}]",
      "where[0].op: must be one of ==, !=, <, <=, >, >=, in, not-in, array-contains, "
        + "array-contains-any, is-null, is-not-null, is-nan, is-not-nan, not '='."
    ),
    ("collection: A\nwhere: [{op: '=='}]", "where[0].field: is missing; name the field to compare"),
    (
      "collection: A\nwhere: [{field: a, op: '=='}]",
      "where[0].value: is missing; what the field is compared with"
    ),
    (
      "collection: A\nwhere: [{field: a, op: '>', value: 1}, {field: b, op: '!=', value: 1}]",
      "where: compares several fields by order (a, b); pages can follow only one"
    ),
    (
      "collection: A\nwhere: [{field: a, op: '>', value: 1}]\norder_by: b",
      "order_by: Firestore orders first by the field of an inequality, here a"
    ),
    (
      "collection: A\ndeletes: drift\norder_by: a",
      "order_by: leaves out documents without the field, so it cannot go with 'incremental'"
    ),
    (
      "collection: A\npartitions: 2\nmax_documents: 5",
      "partitions: needs 'max_documents: all'"
    ),
    (
      "collection: A\nincremental: {field: t}\nwhere: [{field: a, op: '>', value: 1}]",
      "where: compares a by order, and incremental loads follow t; pages can follow only one"
    ),
    (
      "collection: A\norder_by: a b c",
      "order_by: must be a field, with 'desc' after it for the "
        + "highest first, not the text 'a b c'"
    ),
  ]

  @Test(arguments: mistakes.indices)
  func `a mistake is named with its key`(index: Int) {
    let (text, message) = Self.mistakes[index]
    let found = problems(text)
    #expect(found.count == 1 && found.first?.hasPrefix(message) == true, "\(found)")
  }

  @Test func `the keys of whole copies are those of users`() throws {
    let keys = "incremental: {field: t, overlap: 1m}\ndeletes: sweep\nmax_delete: 3\npartitions: 4"
    #expect(
      try options("collection: A\n\(keys)").mirror
        == MirrorOptions(
          incremental: .init(field: FieldPath(segments: ["t"]), overlap: .seconds(60)),
          deletes: .sweep, maxDelete: .rows(3), partitions: 4))
    let since = "where: [{field: t, op: '>', value: {timestamp: '2026-01-31T08:00:00Z'}}]"
    #expect(try options("collection: A\nincremental: {field: t}\n\(since)").source.order != nil)
    #expect(try options("collection: A\nmax_delete: 3\norder_by: t").mirror.deletes == .never)
  }

  @Test func `two jobs cannot fill one table`() {
    let text = "kind: sync-collection\ncollection: Orders\n"
    let sources = ["a", "b"].map { SourceFile(path: "jobs/\($0).yml", text: text) }
    let error = #expect(throws: ConfigurationError.self) { try JobFiles.jobs(in: sources) }
    #expect(error?.problems.map(\.file) == ["jobs/b.yml"])
    #expect(
      error?.problems.first?.message
        == "jobs/a.yml fills the table 'Orders' already; name another one under 'table'")
  }
}
