import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Firestore
@testable import Sync

@Suite struct PlannedQueryTests {
  /// Page size, documents that may be read, documents that there are, and what is billed.
  static let rows: [(Int, Int?, Int, Int)] = [
    (10, nil, 0, 1), (10, nil, 1, 1), (10, nil, 9, 9), (10, nil, 10, 11), (10, nil, 11, 11),
    (10, nil, 20, 21), (10, 20, 19, 19), (10, 20, 20, 20), (10, 21, 20, 21), (10, 5, 5, 5),
    (10, 5, 0, 1), (1, nil, 3, 4),
  ]

  @Test(arguments: rows)
  func `a full last page is followed by an empty one, which is billed as well`(
    pageSize: Int, maxDocuments: Int?, documents: Int, reads: Int
  ) {
    let planned = PlannedQuery(
      query: StructuredQuery(from: [.init(collectionId: "C")]), pageSize: pageSize,
      maxDocuments: maxDocuments)
    #expect(planned.billedReads(documents: documents) == reads)
  }

  @Test(arguments: [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (2_000, 2)])
  func `a count bills a read for each thousand, and at least one`(documents: Int, reads: Int) {
    let planned = PlannedQuery(
      .count, query: StructuredQuery(from: [.init(collectionId: "C")]), pageSize: 10)
    #expect(planned.billedReads(documents: documents) == reads)
  }

  private func request(pageSize: Int = 10, maxDocuments: Int?) -> SyncUsersRequest {
    var request = SyncUsersRequest.users(pageSize: pageSize, maxDocuments: maxDocuments)
    request.options.job = "users"
    return request
  }

  /// Users that there are, page size, documents that a load may read.
  static let loads: [(Int, Int, Int?)] = [
    (0, 5, nil), (1, 5, nil), (5, 5, nil), (6, 5, nil), (10, 5, 10), (10, 5, 9), (12, 5, 10),
    (12, 50, 250), (10, 5, nil), (3, 1, 2),
  ]

  @Test(arguments: loads)
  func `the price of a load is what it is billed then`(
    users: Int, pageSize: Int, maxDocuments: Int?
  ) async throws {
    let workspace = try TemporaryStore()
    try await withServer { _, client in
      if users > 0 { try await client.put(.users(users)) }
      let request = request(pageSize: pageSize, maxDocuments: maxDocuments)
      let quote = try await client.quote(PlannedQuery(request.pull, from: nil))
      #expect(quote.documents == min(users, maxDocuments ?? .max))
      #expect(
        quote.index
          == .present([
            UsedIndex(
              scope: "Collection", properties: "(last_time_seen DESC, __name__ DESC)")
          ]))
      let before = client.traffic
      #expect(before.billedReadCount == 2)
      _ = try await Pull(port: client, store: workspace.store).run(request)
      #expect((client.traffic - before).billedReadCount == quote.billedReads)
    }
  }

  @Test func `what an unfinished load has read is not priced again`() async throws {
    let workspace = try TemporaryStore()
    try await withServer { _, client in
      try await client.put(.users(12))
      let request = request(maxDocuments: 11)
      _ = try await Pull(port: client, store: workspace.store, reads: ReadBudgetMeter(7))
        .run(request)
      let planned = try workspace.store.read { try PlannedQuery(request.pull, $0) }
      // Of the 7 reads 6 were documents, and one found that no other type has any.
      #expect(planned.maxDocuments == 5)
      #expect(planned.query.limit == nil)
      let quote = try await client.quote(planned)
      #expect(quote.documents == 5)
      #expect(quote.billedReads == 6)
    }
  }
}
