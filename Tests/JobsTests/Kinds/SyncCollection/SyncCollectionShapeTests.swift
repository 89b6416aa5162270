import Firestore
import JobsTesting
import Model
import Sync
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Workspace

/// The keys that shape tables: paths, forms, child tables and parents.
struct SyncCollectionShapeTests {
  private func options(_ text: String) throws -> SyncCollectionOptions {
    let source = SourceFile(path: "jobs/orders.yml", text: "kind: sync-collection\n\(text)\n")
    guard let options = try JobFiles.jobs(in: [source]).first?.definition as? SyncCollectionOptions
    else { throw ConfigurationError([]) }
    return options
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try options(text)
      return []
    } catch let error as ConfigurationError {
      return error.problems.map { "\($0.line) \($0.keyPath): \($0.message)" }
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `columns take elements, forms and parts of the document`() throws {
    let options = try options(
      """
      collection: Shops/berlin/Orders
      columns:
        tag: "tags[0] TEXT"
        sku: {path: "lines[0].sku", type: TEXT}
        placed: {path: placed, type: INTEGER, as: seconds}
        id: "@id"
        shop: {path: "@parent(1).id"}
        made: "@createTime TEXT"
        changed: {path: "@updateTime", type: INTEGER, as: seconds}
        meta: {type: PLAIN_JSON}
      """)
    func field(_ path: String) throws -> MappedColumn.Source {
      .field(try ValuePath(parsing: path))
    }
    #expect(
      try options.columns == [
        MappedColumn(name: "tag", source: field("tags[0]"), kind: .text),
        MappedColumn(name: "sku", source: field("lines[0].sku"), kind: .text),
        MappedColumn(name: "placed", source: field("placed"), kind: .integer, form: .seconds),
        MappedColumn(name: "id", source: .document(.id), kind: .text),
        MappedColumn(name: "shop", source: .document(.parentId(1)), kind: .text),
        MappedColumn(name: "made", source: .document(.createTime), kind: .text),
        MappedColumn(
          name: "changed", source: .document(.updateTime), kind: .integer, form: .seconds),
        MappedColumn(name: "meta", source: field("meta"), kind: .plainJSON),
      ])
  }

  @Test func `explode makes a child table of an array or a map`() throws {
    let options = try options(
      """
      collection: Orders
      explode:
        items: {columns: {sku: sku TEXT}}
        tags: {column: tag TEXT}
        scores: {keys: name, column: score REAL, path: a.scores, table: Scores}
      """)
    #expect(!options.hasDocument)
    #expect(options.exploded.map(\.tableName) == ["Orders_items", "Orders_tags", "Scores"])
    #expect(options.exploded.map(\.path.description) == ["items", "tags", "a.scores"])
    #expect(options.exploded.map(\.keyColumn) == [nil, nil, "name"])
    #expect(
      options.exploded[1].columns == [
        MappedColumn(name: "tag", source: .field(ValuePath(steps: [])), kind: .text)
      ])
  }

  @Test func `under asks the group, between the names of the parents' collection`() throws {
    let options = try options("collection: Messages\nunder: Chats/*")
    #expect(options.table == "Messages")
    #expect(options.source.isGroup && options.source.parents == ParentPattern("Chats/*"))
    #expect(options.source.filter == ParentPattern("Chats/*")?.bounds)
    #expect(options.source.description == "the collection Chats/*/Messages")
    let incremental = "collection: M\nunder: Users/u/Chats/*\nincremental: {field: changed}"
    #expect(try self.options(incremental).source.filter == nil)
    #expect(try self.options(incremental).source.parent == "Users/u")
  }

  @Test(arguments: [
    (
      "columns: {a: \"tags[x] TEXT\"}",
      "3 columns.a: `tags[x]` has an index that is not like `tags[0]`, counted from 0"
    ),
    (
      "columns: {a: \" TEXT\"}",
      "3 columns.a: `` is not a field path; names other than letters, digits and _ need back-ticks"
    ),
    (
      "columns: {a: b TEXT, A: c TEXT}",
      "3 columns.A: is declared twice; SQLite does not tell capitals apart"
    ),
    (
      "columns: {a: \"@name\"}",
      "3 columns.a: '@name' is unknown; there are @id, @path, @createTime, @updateTime, and with a "
        + "number from 1 to 99 @parent(1).id and @parent(1).path"
    ),
    (
      "columns: {a: \"@parent(1).id\"}",
      "3 columns.a: '@parent(1).id' is deeper than the collection: its documents have 0 parents"
    ),
    (
      "columns: {a: {path: b, type: TEXT, as: seconds}}",
      "3 columns.a.as: 'seconds' needs type INTEGER, not TEXT"
    ),
    ("columns: {a: \"@id INTEGER\"}", "3 columns.a: '@id' needs type TEXT"),
    (
      "columns: {a: {path: b}}",
      "3 columns.a.type: is missing; one of TEXT, INTEGER, REAL, BLOB, JSON, PLAIN_JSON"
    ),
    (
      "explode: {items: {columns: {a: a TEXT}, explode: {b: {column: c TEXT}}}}",
      "3 explode.items.explode: cannot be used inside 'explode'; take an array inside an element as "
        + "a PLAIN_JSON column"
    ),
    (
      "explode: {items: {columns: {a: a TEXT}, table: orders}}",
      "3 explode.items: the table 'orders' is for the documents themselves; name another one under "
        + "'table'"
    ),
    (
      "explode: {a: {column: x TEXT, table: T}, b: {column: x TEXT, table: t}}",
      "3 explode.b: the table 't' is for 'a'; name another one under 'table'"
    ),
    (
      "explode: {a: {column: x TEXT, table: events}}",
      "3 explode.a.table: 'events' is one of Firetally's own tables; choose another name"
    ),
    (
      "explode: {a: {}}",
      "3 explode.a.columns: is missing; name what is kept of each element, as in "
        + "'columns: {sku: sku TEXT}'"
    ),
    (
      "explode: {a: {columns: {idx: b TEXT}}}",
      "3 explode.a.columns.idx: every table has a column of that name; choose another one"
    ),
    (
      "explode: {a: {columns: {p: \"@path\"}}}",
      "3 explode.a.columns.p: '@path' names the document; a child table takes only '@value', the "
        + "element itself, and document_path leads to the rest"
    ),
    (
      "keep_deleted: true",
      "3 keep_deleted: needs 'deletes: drift' or 'deletes: sweep' to find such rows"
    ),
    (
      "under: Chats",
      "3 under: must be a path of documents with at least one * for any id, such as Chats/*, not "
        + "the text 'Chats'"
    ),
  ])
  func `bad input is one sentence with its line and key`(text: String, problem: String) {
    #expect(problems("collection: Orders\n\(text)") == [problem])
  }

  @Test func `a column deleted_at is free unless deleted rows are kept`() throws {
    let columns = "collection: Orders\ncolumns: {deleted_at: gone INTEGER}"
    #expect(try options(columns).columns.count == 1)
    #expect(
      problems(columns + "\ndeletes: drift\nkeep_deleted: true") == [
        "3 columns.deleted_at: every table has a column of that name; choose another one"
      ])
  }

  @Test func `a child table is no other job's table`() throws {
    let files = [
      SourceFile(
        path: "jobs/a.yml",
        text: "kind: sync-collection\ncollection: A\nexplode: {b: {column: c TEXT}}\n"),
      SourceFile(path: "jobs/b.yml", text: "kind: sync-collection\ncollection: A_b\n"),
    ]
    let error = #expect(throws: ConfigurationError.self) { try JobFiles.jobs(in: files) }
    #expect(
      error?.problems.map(\.message) == [
        "jobs/a.yml fills the table 'A_b' already; name another one under 'table'"
      ])
  }
}
