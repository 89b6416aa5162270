import Firestore
import JobsTesting
import Model
import Reports
import Sync
import Testing

@testable import CollectionMapping
@testable import Jobs
@testable import Operations
@testable import Workspace

/// The job files that an inspection drafts.
@Suite struct JobDraftTests {
  private static let written = Timestamp(microseconds: 1_769_846_400_000_000)

  private func collection(
    _ id: String, _ documents: [[String: Value]], isGroup: Bool = false, places: Set<String> = [],
    count: Int = 1_234
  ) -> InspectedCollection {
    let tally = SampleTally()
    for (number, fields) in documents.enumerated() {
      tally.add(
        Document(
          name: "projects/p/databases/d/documents/C/\(number)", fields: fields,
          createTime: Self.written, updateTime: Self.written))
    }
    var collection = InspectedCollection(
      source: CollectionSource(collectionId: id, isGroup: isGroup), level: 1)
    collection.places = places
    collection.count = count
    collection.profile = tally.profile
    return collection
  }

  private func draft(_ collection: InspectedCollection) throws -> JobDraft {
    var taken = TakenNames(JobFiles.catalog(of: []))
    return JobDraft(collection, besides: &taken, price: .example, day: "2026-01-31")
  }

  private func options(_ draft: JobDraft) throws -> SyncCollectionOptions {
    let job = try #require(JobDraft.accepted(draft.text, draft.job), "\(draft.text)")
    return try #require(job.definition as? SyncCollectionOptions)
  }

  @Test func `a draft has a column for each field, with the type that takes its values`() {
    let found = collection(
      "Orders",
      [
        [
          "address": .map(["city": .string("x")]), "n": .integer(1), "price": .integer(2),
          "paid": .boolean(true), "raw": .bytes([1]), "who": .reference("x"),
          "at": .timestamp(Timestamp(microseconds: 1)), "mixed": .string("a"), "nothing": .null,
          "odd name": .string("y"), "place": .geoPoint(latitude: 1, longitude: 2),
          "nan": .double(.nan),
        ], ["price": .double(2.5), "mixed": .integer(1), "address": .null],
      ])
    let columns = DraftColumns(found.profile, levels: 1).columns
    #expect(
      columns == [
        "address_city: address.city TEXT", "at: {path: at, type: TEXT, as: iso}",
        "mixed: mixed JSON", "n: n INTEGER", "nan: nan JSON", "nothing: nothing JSON",
        #"odd_name: "`odd name` TEXT""#, "paid: paid INTEGER",
        "place_latitude: {path: place, type: REAL, as: latitude}",
        "place_longitude: {path: place, type: REAL, as: longitude}", "price: price REAL",
        "raw: raw BLOB", "who: {path: who, type: TEXT, as: path}",
      ])
  }

  @Test func `a draft has child tables, ISO times, coordinates and parents`() {
    let found = collection(
      "Messages",
      [
        [
          "items": .array([.map(["sku": .string("x"), "qty": .integer(1), "odd name": .null])]),
          "tags": .array([.string("a")]), "empty": .array([]),
          "deep": .array([.array([])]), "at": .timestamp(Timestamp(microseconds: 1)),
          "place": .geoPoint(latitude: 1, longitude: 2), "who": .reference("x"),
          "scores": .map(
            Dictionary(uniqueKeysWithValues: (0..<201).map { ("u\($0)", .double(1)) })),
        ]
      ], isGroup: true)
    let draft = DraftColumns(found.profile, levels: 2)
    #expect(
      draft.columns == [
        #"parent1_id: "@parent(1).id""#, "at: {path: at, type: TEXT, as: iso}",
        "deep: deep PLAIN_JSON", "empty: empty PLAIN_JSON",
        "place_latitude: {path: place, type: REAL, as: latitude}",
        "place_longitude: {path: place, type: REAL, as: longitude}",
        "who: {path: who, type: TEXT, as: path}",
      ])
    #expect(
      draft.explode == [
        "items: {columns: {qty: qty INTEGER, sku: sku TEXT}}",
        "scores: {keys: key, column: value REAL}", "tags: {column: value TEXT}",
      ])
  }

  /// The field follows the write when it is at most a minute away from it.
  @Test(
    arguments: [
      (100, 100, 100, true), (95, 100, 100, true), (94, 100, 100, false), (0, 100, 100, false),
      (99, 99, 100, false), (19, 20, 20, true), (18, 20, 20, false), (1, 1, 1, true),
      (0, 1, 1, false),
    ])
  func `loads are incremental where 95% of the samples follow the write and none lacks the field`(
    following: Int, having: Int, samples: Int, isIncremental: Bool
  ) throws {
    let minute: Int64 = 60_000_000
    let documents = (0..<samples).map { number -> [String: Value] in
      guard number < having else { return [:] }
      // Exactly a minute before the write, or a microsecond more.
      let distance = number < following ? minute : minute + 1
      return [
        "updatedAt": .timestamp(Timestamp(microseconds: Self.written.microseconds - distance))
      ]
    }
    let draft = try draft(collection("Orders", documents))
    let mirror = try options(draft).mirror
    #expect(mirror.incremental?.field.description == (isIncremental ? "updatedAt" : nil))
    #expect(draft.incremental?.description == (isIncremental ? "updatedAt" : nil))
    #expect(mirror.deletes == (isIncremental ? .drift : .never))
  }

  @Test func `both kinds of loads have their price in the draft, and whole ones their reason`()
    throws
  {
    let moving = Value.timestamp(Self.written)
    let still = Value.timestamp(Timestamp(microseconds: 1))
    let followed = try draft(collection("Orders", [["updatedAt": moving, "createdAt": moving]]))
    #expect(
      followed.text.contains(
        "# A load costs one read for each changed document, and 7 billed reads, about "
          + "$0.000004.\n"))
    #expect(
      followed.text.contains(
        "# The first load, and `run --full`, costs 1,234 billed reads, about $0.000740.\n"))
    let whole = try draft(collection("Orders", [["updatedAt": still, "createdAt": moving]]))
    #expect(whole.incremental == nil)
    #expect(
      whole.text.contains(
        "# Every load reads all documents: 1,234 billed reads, about $0.000740.\n"
          + "# An incremental load would cost one read for each changed document, and 7 billed "
          + "reads, about $0.000004,\n# but it misses changes that do not move its field; "
          + "within a minute of the write: updatedAt in 0 of 1, createdAt in 1 of 1.\n"))
    let none = try draft(collection("Orders", [["n": .integer(1)]]))
    #expect(none.text.contains("# but no field is a timestamp in every sampled document.\n"))
  }

  @Test func `a group is drafted whole unless all its documents were seen at one place`() throws {
    let fields: [[String: Value]] = [["updatedAt": .timestamp(Self.written)]]
    let one: Set<String> = ["Chats/*/Messages"]
    let seen = try draft(
      collection("Messages", fields, isGroup: true, places: one, count: 1))
    #expect(try options(seen).source.isGroup)
    #expect(try options(seen).source.parents == ParentPattern("Chats/*"))
    #expect(seen.text.contains("# Found at Chats/*/Messages."))
    #expect(seen.text.contains("COLLECTION_GROUP"))
    let sampled = try draft(
      collection("Messages", fields, isGroup: true, places: one, count: 2))
    #expect(
      try options(sampled).source == CollectionSource(collectionId: "Messages", isGroup: true))
    #expect(sampled.text.contains("# under: \"Chats/*\"\n"))
    let several = try draft(
      collection(
        "Messages", fields, isGroup: true, places: ["Chats/*/Messages", "Rooms/*/Messages"],
        count: 1))
    #expect(
      try options(several).source == CollectionSource(collectionId: "Messages", isGroup: true))
    #expect(!several.text.contains("under:"))
  }

  /// Names that YAML, variables, SQLite or the terminal would take for something else.
  @Test(
    arguments: [
      "${HOME}", "a: b", "#x", "*a", "&a", "- a", "\"", "\\", "`", "null", "true", "1", "ä",
      "a\u{1B}[2J", "x\u{FEFF}", "line\nbreak", "🎉", "rowid", "document", "synced_at", "%", "'",
      "{}", "[]", "\u{2028}", "\u{85}", "__proto", ".", "a.b", "a b ", " ", "~", "=",
      String(repeating: "long", count: 300),
    ])
  func `odd names are drafted so that the reader gets the very same field`(name: String) throws {
    let id = ResourceName.isValid(id: name) ? name : "C"
    let draft = try draft(collection(id, [[name: .string("x"), "b": .integer(1)]]))
    let options = try options(draft)
    #expect(options.columns.contains { $0.path?.steps == [.field(name)] }, "\(draft.text)")
    #expect(options.source.collectionId == id)
    #expect(Job.isName(draft.job), "\(draft.job)")
  }

  @Test func `fields whose column names meet get numbers`() throws {
    let fields: [String: Value] = ["a_b": .null, "a b": .null, "A_B": .null, "document_id": .null]
    let columns = try options(try draft(collection("C", [fields]))).columns
    #expect(Set(columns.map { $0.name.lowercased() }).count == 4)
    #expect(Set(columns.map(\.path)).count == 4)
  }

  @Test func `keys that differ by capitals alone get numbers, in child tables too`() throws {
    let list = Value.array([.map(["Id": .integer(1), "id": .string("x"), "idx": .null])])
    let found = collection(
      "C",
      [
        [
          "Tags": .array([.string("a")]), "tags": .array([.string("b")]), "tags_2": list,
          "N": .null, "n": .null,
        ]
      ])
    let options = try options(try draft(found))
    #expect(options.columns.map(\.name) == ["N", "n_2"])
    #expect(options.exploded.map(\.tableName) == ["C_Tags", "C_tags_2", "C_tags_2_2"])
    #expect(options.exploded.map(\.path.description) == ["Tags", "tags", "tags_2"])
    #expect(options.exploded[2].columns.map(\.name) == ["Id", "id_2", "field_idx"])
  }

  @Test(arguments: [200, 201, 999])
  func `as many columns are drafted as fit, those of most documents first`(count: Int) throws {
    let fields = Dictionary(
      uniqueKeysWithValues: (0..<count).map { ("k\(1_000 + $0)", Value.null) })
    let often: [String: Value] = ["k1998": .null, "zz": .timestamp(Self.written)]
    let found = collection("C", [fields.filter { $0.key != "k1998" }, often, often])
    let draft = try draft(found)
    let names = try options(draft).columns.map(\.name)
    #expect(names.contains("zz"))
    #expect(names.count == min(found.profile.fields.count, 200))
    #expect(names == names.sorted())
    let left = found.profile.fields.count - names.count
    #expect(draft.leftOutCount == left && draft.columnCount == names.count)
    let head = "# \(NumberWords.counted(left, "field")) did not fit"
    #expect(draft.text.contains(head) == (left > 0), "\(draft.text.suffix(2_000))")
  }

  /// Names as long as Firestore allows: 200 of them are 300 kB.
  @Test(arguments: [400, 1_400])
  func `a draft never passes the size of a file, and has what fits`(length: Int) throws {
    let fields = Dictionary(
      uniqueKeysWithValues: (100..<300).map {
        ("k\($0) " + String(repeating: "x", count: length), Value.null)
      })
    let draft = try draft(collection("C", [fields]))
    #expect(draft.text.utf8.count <= YAMLDocument.maxBytes)
    #expect(draft.text.utf8.count > YAMLDocument.maxBytes * 3 / 4)
    #expect(try options(draft).columns.count == draft.columnCount)
    #expect(draft.columnCount > 0 && draft.columnCount + draft.leftOutCount == 200)
  }

  @Test func `an array whose child table's name would be too long is a column`() throws {
    let name = String(repeating: "n", count: 60)
    let draft = try draft(collection("Orders", [[name: .array([.string("x")]), "b": .null]]))
    let options = try options(draft)
    #expect(options.exploded.isEmpty && options.columns.map(\.name) == ["b", name])
  }

  @Test(arguments: [1, 200, 201])
  func `the whole document is kept, whatever is in columns`(count: Int) throws {
    let fields = Dictionary(
      uniqueKeysWithValues: (0..<count / 3).map {
        ("k\($0)", Value.map(["a": .null, "b": .null, "c": .null]))
      } + (0..<count % 3).map { ("r\($0)", Value.null) })
    let options = try options(try draft(collection("C", [fields, fields])))
    #expect(options.columns.count == min(count, 200))
    #expect(options.hasDocument)
  }

  @Test func `documents without fields keep the whole document`() throws {
    let options = try options(try draft(collection("C", [[:]])))
    #expect(options.columns.isEmpty && options.hasDocument)
  }

  /// Drafts a job for each collection of a workspace with these job files.
  private func drafts(
    _ collections: [InspectedCollection], besides files: [String: String] = [:]
  ) throws -> [(draft: JobDraft, table: String)] {
    let catalog = JobFiles.catalog(
      of: files.map { SourceFile(path: "jobs/\($0.key).yml", text: $0.value) })
    var taken = TakenNames(catalog)
    return try collections.map { collection in
      let draft = JobDraft(collection, besides: &taken, price: .example, day: "2026-01-31")
      return (draft, try options(draft).table)
    }
  }

  @Test func `jobs and tables of one draft have different names, and none of the program's`() throws
  {
    let ids = ["Orders", "orders", "ORDERS", "events", "Ünïcode", "日本", "AppSettings", "a__b"]
    let drafts = try drafts(ids.map { collection($0, [["n": .integer(1)]]) })
    #expect(
      drafts.map(\.draft.job) == [
        "orders", "orders-2", "orders-3", "events", "n-code", "collection", "app-settings", "a-b",
      ])
    #expect(drafts[3].table == "events_documents")
    #expect(Set(drafts.map { $0.table.lowercased() }).count == ids.count)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("sqlite_x", "collection_sqlite_x_documents", "collection_sqlite_x_documents_2"),
      ("SQLITE_", "collection_SQLITE__documents", "collection_SQLITE__documents_2"),
      ("sqlite", "sqlite", "collection_sqlite_2"), ("🎉", "____", "_____2"),
      ("grdb_migrations", "grdb_migrations_documents", "grdb_migrations_documents_2"),
      ("v_users", "v_users_documents", "v_users_documents_2"),
    ])
  func `any name gets a table`(id: String, first: String, second: String) throws {
    let drafts = try drafts([collection(id, []), collection(id, [], isGroup: true)])
    #expect(drafts.map(\.table) == [first, second])
  }

  @Test func `no table has the name of another one's child table or view`() throws {
    let items: [String: Value] = ["items": .array([.map(["sku": .string("x")])])]
    let drafts = try drafts([
      collection("Orders", [items]), collection("Orders_items", [[:]]),
      collection("v_Orders", [[:]]), collection("A_items", [[:]]), collection("A", [items]),
    ])
    #expect(
      drafts.map(\.table) == ["Orders", "Orders_items_2", "v_Orders_2", "A_items", "A_2"])
    let sources = drafts.map { SourceFile(path: $0.draft.path, text: $0.draft.text) }
    #expect(JobFiles.catalog(of: sources).error == nil)
  }

  @Test func `a name that another job has gets a number, and an earlier draft keeps its own`()
    throws
  {
    let files = [
      "events": "kind: maintain\n", "orders": "kind: sync-collection\ncollection: Orders\n",
      "rooms-2": "kind: sync-collection\ncollection: Rooms\n", "broken": "kind: maintain\nx: 1\n",
      "odd": "kind: sync-collection\n",
    ]
    let found = [
      collection("events", [[:]]), collection("Orders", [[:]]),
      collection("Orders", [[:]], isGroup: true), collection("Rooms", [[:]]),
      collection("Broken", [[:]]), collection("Odd", [[:]]),
    ]
    let drafts = try drafts(found, besides: files)
    #expect(
      drafts.map(\.draft.job) == ["events-2", "orders", "orders-2", "rooms-2", "broken-2", "odd"])
    #expect(
      drafts.map(\.draft.takenName) == ["events", nil, "orders", "rooms", "broken", nil])
    #expect(drafts[1].table == "Orders" && drafts[2].table == "Orders_2")
  }

  @Test func `a cancelled task drafts no further file, and what is written stays`() async throws {
    let workspace = try TestWorkspace(jobs: [:])
    let found = ["A", "B", "C"].map { collection($0, [[:]]) }
    let drafting = Task {
      try JobDraft.write(
        found, to: workspace.folder, price: .example, day: "2026-01-31", overwrites: false
      ) { draft, _, _ in
        if draft.job == "b" { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await drafting.value }
    #expect(try workspace.folder.jobs().jobs.map(\.name) == ["a", "b"])
  }
}
