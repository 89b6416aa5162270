import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import CollectionMapping
@testable import Sync

/// Shapes of documents as servers send them: ours, and Google's emulator where it is installed.
@Suite struct ShapeBackendTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private static func value(depth: Int, _ random: inout SeededGenerator, _ root: String) -> Value {
    switch Int.random(in: 0...(depth > 0 ? 11 : 9), using: &random) {
    case 0: .null
    case 1: .boolean(true)
    case 2: .integer(.random(in: .min ... .max, using: &random))
    case 3: .double([.nan, -0.5, .infinity, 1e300].randomElement(using: &random) ?? 0)
    case 4: .timestamp(Timestamp(microseconds: .random(in: 0...1 << 50, using: &random)))
    case 5: .string(["", "a\"\\é", "👩‍👩‍👧", "\u{1}"].randomElement(using: &random) ?? "")
    case 6: .bytes([0, 255, 16])
    case 7: .reference("\(root)/Users/ü b")
    case 8: .geoPoint(latitude: 0, longitude: -1.5)
    case 9: .map([:])
    case 10:
      .map([
        "sku": value(depth: 0, &random, root), "qty": .integer(7),
        "odd `name`.x": .array([value(depth: 0, &random, root)]),
      ])
    default: .map(["a": value(depth: depth - 1, &random, root)])
    }
  }

  /// Documents with nested maps, arrays of everything, empty arrays, and fields that lack.
  private static func documents(_ seed: UInt64, _ root: String) -> [String: [String: Value]] {
    var random = SeededGenerator(seed: seed)
    return Dictionary(
      uniqueKeysWithValues: (0..<24).map { number in
        var fields: [String: Value] = ["n": .integer(Int64(number))]
        if number % 5 != 0 {
          let count = [0, 1, 3, 40].randomElement(using: &random) ?? 0
          fields["items"] = .array((0..<count).map { _ in value(depth: 2, &random, root) })
        } else if number % 2 == 0 {
          fields["items"] = value(depth: 1, &random, root)
        }
        fields["byKey"] = .map(["é": value(depth: 1, &random, root), "b": .null])
        return ("o\(number + 100)", fields)
      })
  }

  private static let request: CollectionPullRequest = {
    let element = MappedColumn(name: "whole", source: .field(ValuePath(steps: [])), kind: .json)
    return CollectionPullRequest(
      source: CollectionSource(collectionId: "Orders"), tableName: "Orders", columns: [],
      hasDocument: true,
      exploded: [
        ExplodedField(
          tableName: "Orders_items", path: ValuePath(FieldPath(segments: ["items"])),
          columns: [element]),
        ExplodedField(
          tableName: "Orders_byKey", path: ValuePath(FieldPath(segments: ["byKey"])),
          keyColumn: "key", columns: [element]),
      ],
      options: PullOptions(job: "orders", pageSize: 7, now: .morning))
  }()

  @Test(
    arguments: Backend.present,
    [1, 2, 3] as [UInt64])
  func `rows and child rows equal what the server holds`(backend: Backend, seed: UInt64)
    async throws
  {
    try await backend.run("shapes-\(seed)") { client in
      let documents = Self.documents(seed, "\(client.endpoint.root)")
      _ = try await client.commit(
        documents.map { id, fields in
          let name = try client.endpoint.root.appending(path: "Orders/\(id)").description
          return Write(.update(Document(name: name, fields: fields), mask: nil))
        })
      let result = try await CollectionPull(
        port: client, store: workspace.store, documentsPerCommit: 5
      ).run(Self.request)
      #expect(result.pull.counts.inserted == documents.count)
    }
    let stored = try workspace.texts("SELECT document FROM Orders ORDER BY document_path")
      .map { try Document(json: JSON(parsing: Array($0.utf8))) }
    #expect(stored.count == 24)
    for document in stored {
      let elements = try texts("Orders_items", "idx", of: document)
      guard case .array(let items)? = document.fields["items"] else {
        #expect(elements.isEmpty)
        continue
      }
      #expect(elements == items.enumerated().map { "\($0.offset) \(Self.text($0.element))" })
      guard case .map(let entries)? = document.fields["byKey"] else { continue }
      #expect(
        try texts("Orders_byKey", "key", of: document)
          == entries.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.text($0.value))" })
    }
  }

  private func texts(_ table: String, _ key: String, of document: Document) throws -> [String] {
    try workspace.texts(
      """
      SELECT \(key) || ' ' || whole FROM \(table)
      WHERE document_path = 'Orders/\(document.id)' ORDER BY \(key)
      """
    ).map { text in
      let space = text.firstIndex(of: " ") ?? text.startIndex
      let json = try JSON(parsing: Array(text[space...].utf8.dropFirst()))
      return "\(text[..<space]) \(Self.text(try Value(json: json)))"
    }
  }

  private static func text(_ value: Value) -> String {
    String(decoding: value.json.serialized(), as: UTF8.self)
  }

  @Test(arguments: Backend.present)
  func `under finds the collections of its parents only`(backend: Backend) async throws {
    let result = try await backend.run("under") { client in
      let root = client.endpoint.root
      let paths = [
        "Chats/a/Messages/m1", "Chats/b/Messages/m2", "Chatr/a/Messages/m3",
        "ChatsOld/a/Messages/m4", "Chats/a/Threads/t/Messages/m5", "Messages/m6",
      ]
      _ = try await client.commit(
        paths.map { path in
          let name = try root.appending(path: path).description
          return Write(.update(Document(name: name, fields: ["n": .integer(1)]), mask: nil))
        })
      let parents = try #require(ParentPattern("Chats/*"))
      var request = Self.request
      request.tableName = "Messages"
      request.exploded = []
      request.source = CollectionSource(
        collectionId: "Messages", isGroup: true, parents: parents,
        filter: try parents.bounds(in: root))
      request.options.pageSize = 1
      return try await CollectionPull(
        port: client, store: workspace.store, documentsPerCommit: 5
      ).run(request)
    }
    #expect(result.pull.counts.fetched == 3)
    #expect(
      try workspace.texts("SELECT document_path FROM Messages ORDER BY 1")
        == ["Chats/a/Messages/m1", "Chats/b/Messages/m2"])
  }
}
