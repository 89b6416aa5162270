import Emulator
import Fixtures
import Firestore
import Model
import SyncTesting
import Testing

@testable import Sync

/// The units of a plan are those that the server counts for the load; see `docs/editions.md#plan`.
@Suite struct RandomLoadsTests {
  @Test func `the plan of a random load is what the server bills for it`() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let server = try await EmulatorServer.start(edition: .enterprise)
    for round in 0..<200 {
      let client = FirestoreClient.speaking(to: server.address, project: "p\(round)")
      client.learn(.enterprise)
      let count = Int.random(in: 0...CollectionSample.size, using: &random)
      var documents: [String: [String: Value]] = [:]
      for number in 0..<count {
        let text = String(repeating: "x", count: .random(in: 0...9_000, using: &random))
        documents["C/\(1_000 + number)"] = ["n": .integer(Int64(number)), "t": .string(text)]
      }
      if count > 0 { try await client.put(documents) }
      let field: FieldPath? = Bool.random(using: &random) ? FieldPath(segments: ["n"]) : nil
      let planned = PlannedQuery(
        query: StructuredQuery(
          from: [.init(collectionId: "C")],
          orderBy: [field.map { .init(field: $0) }, .init(field: .documentName)]
            .compactMap(\.self)), pageSize: .random(in: 1...120, using: &random),
        maxDocuments: Bool.random(using: &random) ? .random(in: 1...120, using: &random) : nil)
      let quote = try await client.quote(planned)
      let before = server.documents.billedReadCount
      let another = FirestoreClient.speaking(to: server.address, project: "p\(round)")
      another.learn(.enterprise)
      let read = try await load(planned, by: another)
      let billed = server.documents.billedReadCount - before
      #expect(quote.documents == read, "seed \(seed), round \(round)")
      #expect(quote.billedReads == billed, "seed \(seed), round \(round): \(planned)")
    }
    try await server.stop()
  }

  /// Reads all pages; returns the number of documents.
  private func load(_ planned: PlannedQuery, by client: FirestoreClient) async throws -> Int {
    var paged = PagedQuery(
      query: planned.query, pageSize: planned.pageSize, maxDocuments: planned.maxDocuments,
      cursor: PullCursor())
    let field = planned.query.orderField
    while let page = paged.next {
      let result = try await client.runQuery(page.query, readTime: page.readTime)
      let last = result.documents.last.map { document in
        (value: field.flatMap { document[$0] }, name: document.name)
      }
      try paged.received(
        PageSummary(
          documentCount: result.documents.count, last: last, readTime: result.readTime))
    }
    return paged.cursor.documentCount
  }
}
