import Firestore
import Model
import Sync
import Testing

@testable import Jobs

/// The job files that an inspection drafts.
@Suite struct JobDraftTests {
  private func collection(
    _ id: String, _ documents: [[String: Value]], isGroup: Bool = false, places: Set<String> = []
  ) -> InspectedCollection {
    let tally = SampleTally()
    for (number, fields) in documents.enumerated() {
      tally.add(Document(name: "projects/p/databases/d/documents/C/\(number)", fields: fields))
    }
    var collection = InspectedCollection(
      source: CollectionSource(collectionId: id, isGroup: isGroup), level: 1)
    collection.places = places
    collection.count = 1_234
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

  @Test func `the plain draft has a column for each field, with the type that takes its values`()
    throws
  {
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
    let columns = DraftColumns(found.profile, levels: 1, grammar: .plain).columns
    #expect(
      columns == [
        "address_city: address.city TEXT", "at: at INTEGER", "mixed: mixed JSON", "n: n INTEGER",
        "nan: nan JSON", "nothing: nothing JSON", #"odd_name: "`odd name` TEXT""#,
        "paid: paid INTEGER", "place: place JSON", "price: price REAL", "raw: raw BLOB",
        "who: who TEXT",
      ])
  }

  @Test func `the full draft has child tables, ISO times, coordinates and parents`() {
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
    let draft = DraftColumns(found.profile, levels: 2, grammar: .full)
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

  @Test func `a field that changes with every change makes loads incremental`() throws {
    let time = Value.timestamp(Timestamp(microseconds: 1))
    let draft = try draft(collection("Orders", [["updatedAt": time, "createdAt": time]]))
    let options = try options(draft)
    #expect(options.mirror.incremental?.field.description == "updatedAt")
    #expect(options.mirror.deletes == .drift)
    #expect(draft.incremental?.description == "updatedAt")
    let without = try self.draft(collection("Orders", [["createdAt": time]]))
    #expect(try self.options(without).mirror.incremental == nil)
    #expect(without.text.contains("loads can be incremental: createdAt"))
  }

  @Test func `a group's draft names the index that an incremental load needs`() throws {
    let time = Value.timestamp(Timestamp(microseconds: 1))
    let draft = try draft(
      collection("Messages", [["updatedAt": time]], isGroup: true, places: ["Chats/*/Messages"]))
    #expect(try options(draft).source.isGroup)
    #expect(try options(draft).source.parents == ParentPattern("Chats/*"))
    #expect(draft.text.contains("# Found at Chats/*/Messages."))
    let several = try self.draft(
      collection(
        "Messages", [["a": time]], isGroup: true, places: ["Chats/*/Messages", "Rooms/*/Messages"]))
    #expect(try options(several).source.parents == nil)
    #expect(draft.text.contains("COLLECTION_GROUP"))
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

  @Test(arguments: [(200, false), (201, true)])
  func `what is in no column keeps the whole document`(count: Int, isWhole: Bool) throws {
    let fields = Dictionary(
      uniqueKeysWithValues: (0..<count / 3).map {
        ("k\($0)", Value.map(["a": .null, "b": .null, "c": .null]))
      } + (0..<count % 3).map { ("r\($0)", Value.null) })
    let options = try options(try draft(collection("C", [fields, fields])))
    #expect(options.columns.count == min(count, 200))
    #expect(options.hasDocument == isWhole)
  }

  @Test func `documents without fields keep the whole document`() throws {
    let options = try options(try draft(collection("C", [[:]])))
    #expect(options.columns.isEmpty && options.hasDocument)
  }

  @Test func `jobs and tables of one draft have different names, and none of the program's`() throws
  {
    var taken = TakenNames(JobFiles.catalog(of: []))
    let ids = ["Orders", "orders", "ORDERS", "events", "Ünïcode", "日本", "AppSettings", "a__b"]
    let names = ids.map { (taken.job(for: $0), taken.table(for: $0)) }
    #expect(
      names.map(\.0) == [
        "orders", "orders-2", "orders-3", "events", "n-code", "collection", "app-settings", "a-b",
      ])
    #expect(names[3].1 == "events_documents")
    #expect(Set(names.map { $0.1.lowercased() }).count == ids.count)
  }
}
