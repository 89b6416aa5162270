import Emulator
import Firestore
import Foundation
import HTTP
import Model
import Testing

/// What Google's own suites expect of both editions, as `Python/editions.json` lists it;
/// `docs/editions.md#what-differs`.
@Suite struct EditionTableTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Python/editions.json")

  private struct Table {
    let documents: [String: JSON]
    let rows: [JSON]

    init() throws {
      let json = try JSON(parsing: Array(try Data(contentsOf: path)))
      documents = try (json["documents"] ?? .null).members()
      rows = try (json["rows"] ?? .null).elements()
    }
  }

  private static func text(_ json: JSON?) throws -> String { try json?.text() ?? "" }

  /// Serves the table's documents, all below one document, as Google's clients want it.
  private static func withServer(
    _ edition: FirestoreEdition,
    _ body: (EmulatorServer, RESTClient, Table) async throws -> Void
  ) async throws {
    let server = try await EmulatorServer.start(edition: edition)
    let client = RESTClient(address: server.address)
    let table = try Table()
    for (collection, documents) in table.documents {
      let made = try documents.members().map { id, fields in
        client.document("editions/table/\(collection)/\(id)", try Value.fields(json: fields))
      }
      #expect(try await client.put(made).status == 200)
    }
    try await body(server, client, table)
    try await server.stop()
  }

  private static func reply(to row: JSON, _ client: RESTClient) async throws -> RESTClient.Reply {
    let call = try text(row["call"])
    let collection = try text(row["collection"])
    let parent = "editions/table"
    let body = String(decoding: (row["body"] ?? .null).serialized(), as: UTF8.self)
      .replacing("PARENT", with: "\(client.root)/\(parent)")
      .replacing("COLLECTION", with: collection)
    switch call {
    case "database": return try await client.sendAbsolute(.get, "/v1/\(client.database)")
    case "list":
      let parameters = try (row["parameters"] ?? .null).members().map { name, value in
        "\(name)=\(String(decoding: value.serialized(), as: UTF8.self))"
      }
      return try await client.send(
        .get, "/\(parent)/\(collection)?\(parameters.joined(separator: "&"))")
    case "commit": return try await client.send(.post, ":commit", body)
    default:
      return try await client.send(
        .post, row["atRoot"] == .boolean(true) ? ":\(call)" : "/\(parent):\(call)", body)
    }
  }

  /// Holds an answer to what the row expects of the edition.
  private static func check(_ reply: RESTClient.Reply, _ expected: JSON, _ name: Comment) throws {
    guard expected["error"] == nil else {
      #expect(try Int64(reply.status) == expected["error"]?.integer(), name)
      let sentence = try text(expected["says"])
      #expect(sentence.isEmpty || reply.text.contains(sentence), "\(name): \(reply.text)")
      return
    }
    #expect(reply.status == 200, "\(name): \(reply.text)")
    if let ids = try expected["ids"]?.elements().map({ try $0.text() }) {
      let found =
        try reply.json["documents"].map { documents in
          try documents.elements().map { try Document(json: $0).id }
        } ?? reply.elements.compactMap { try $0["document"].map { try Document(json: $0).id } }
      if expected["ordered"] == .boolean(true) {
        #expect(found == ids, name)
      } else {
        #expect(found.sorted() == ids.sorted(), name)
      }
      if expected["not_in_order"] == .boolean(true) { #expect(found != ids, name) }
    } else if let values = expected["values"] {
      #expect(try reply.elements.first?["result"]?["aggregateFields"] == values, name)
    } else if let count = try expected["partitions"]?.integer() {
      #expect(try Int64(reply.json["partitions"]?.elements().count ?? 0) == count, name)
    } else if let edition = expected["edition"] {
      #expect(try reply.json["databaseEdition"] == edition, name)
    }
  }

  @Test(arguments: FirestoreEdition.allCases)
  func `each row of the table holds, with and without tags`(edition: FirestoreEdition) async throws
  {
    try await Self.withServer(edition) { _, client, table in
      #expect(table.rows.count == 54)
      for row in table.rows {
        let name = Comment(rawValue: "\(edition): \(try Self.text(row["name"]))")
        let expected = try #require(row[edition.rawValue], name)
        try Self.check(try await Self.reply(to: row, client), expected, name)
      }
    }
  }

  @Test func `every request without an order has another one on Enterprise`() async throws {
    try await Self.withServer(.enterprise) { _, client, _ in
      let query = StructuredQuery(from: [.init(collectionId: "sorts")])
      var orders: Set<[String]> = []
      for _ in 0..<5 {
        orders.insert(try await client.query(query, below: "/editions/table").ids)
      }
      #expect(orders.count == 5 && Set(orders.map { $0.sorted() }).count == 1)
    }
  }
}
