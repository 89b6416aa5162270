import Firestore
import Fixtures
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Sync

/// Columns whose paths lead nowhere in any document.
@Suite struct AbsentFieldsTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private static let documents: [String: [String: Value]] = [
    "Orders/a": [
      "address": .map(["city": .string("Köln"), "zip": .null]), "tags": .array([.string("x")]),
      "items": .array([.map(["sku": .string("x")])]), "place": .geoPoint(latitude: 1, longitude: 2),
      "none": .array([]),
    ],
    "Orders/b": ["address": .null],
  ]

  private static func column(_ name: String, _ path: String, _ kind: MappedColumn.Kind = .text)
    throws -> MappedColumn
  {
    MappedColumn(name: name, source: .field(try ValuePath(parsing: path)), kind: kind)
  }

  private static func request(
    hasDocument: Bool, limit: Int? = nil, others: [MappedColumn] = []
  ) throws -> CollectionPullRequest {
    CollectionPullRequest(
      source: CollectionSource(collectionId: "Orders"), tableName: "Orders",
      columns: try [
        column("city", "address.city"), column("typo", "address.cty"), column("zip", "address.zip"),
        column("third", "tags[2]"), column("first", "tags[0]"), column("whole", "address", .json),
        column("plain", "adress", .plainJSON),
        MappedColumn(
          name: "lat", source: .field(try ValuePath(parsing: "place")), kind: .real,
          form: .latitude),
      ] + others, hasDocument: hasDocument,
      exploded: [
        ExplodedField(
          tableName: "Orders_items", path: try ValuePath(parsing: "items"),
          columns: [try column("sku", "sku"), try column("sku2", "skuu")]),
        ExplodedField(
          tableName: "Orders_none", path: try ValuePath(parsing: "none"),
          columns: [try column("x", "x")]),
        ExplodedField(
          tableName: "Orders_gone", path: try ValuePath(parsing: "itms"),
          columns: [try column("x", "x")]),
      ],
      options: PullOptions(job: "orders", pageSize: 5, maxDocuments: limit, now: .morning))
  }

  private func pull(
    _ request: CollectionPullRequest, _ documents: [String: [String: Value]] = documents
  ) async throws -> CollectionPullResult {
    try await CollectionPull(
      port: MemoryFirestore(documents), store: workspace.store, documentsPerCommit: 4
    ).run(request)
  }

  @Test(arguments: [true, false])
  func `a path is judged whole, with the whole document and without it`(hasDocument: Bool)
    async throws
  {
    let result = try await pull(Self.request(hasDocument: hasDocument))
    #expect(
      result.absentFields == [
        "typo (address.cty)", "third (tags[2])", "plain (adress)", "Orders_gone (itms)",
        "Orders_items.sku2 (items[].skuu)",
      ])
    #expect(result.isNewAbsence && result.pull.notes.isEmpty)
  }

  @Test
  func `the same absence is news once, another one again, and so is one that comes back`()
    async throws
  {
    let request = try Self.request(hasDocument: true)
    let more = try Self.request(hasDocument: true, others: [Self.column("more", "nowhere.at")])
    var told: [Bool] = []
    for order in [request, request, more, more, request] {
      told.append(try await pull(order).isNewAbsence)
    }
    #expect(told == [true, false, true, false, true])
  }

  @Test func `a sample and an empty collection say nothing of paths`() async throws {
    #expect(try await pull(Self.request(hasDocument: true, limit: 2)).absentFields.isEmpty)
    let none = try await pull(Self.request(hasDocument: true), [:])
    #expect(none.absentFields.isEmpty && !none.isNewAbsence)
  }

  @Test func `a value of another kind on the way is a misfit, not an absence`() async throws {
    let result = try await pull(
      Self.request(hasDocument: true), ["Orders/a": ["address": .string("Köln")]])
    #expect(!result.absentFields.contains { $0.hasPrefix("typo") })
    #expect(result.pull.notes["typo (string where a map was expected)"] == 1)
  }
}
