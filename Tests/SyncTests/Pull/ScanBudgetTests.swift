import Emulator
import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Sync

/// Loads of an Enterprise database whose queries have no index; see `docs/editions.md#scans`.
@Suite struct ScanBudgetTests {
  /// Documents of 960 bytes.
  private static let count = 600
  /// Units of a scan of them all.
  private static let scan = 141
  /// Units of the first ten documents, the count, and the others of the sample.
  private static let sample = 3 + 5 + 22

  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  /// Runs `body` on such a collection of users, every tenth of whom is `rare`.
  private func withUsers<T>(
    _ body: (EmulatorServer, FirestoreClient) async throws -> T
  ) async throws -> T {
    let server = try await EmulatorServer.start(edition: .enterprise)
    let client = FirestoreClient.speaking(to: server.address)
    client.learn(.enterprise)
    let text = Value.string(String(repeating: "x", count: 750))
    for start in stride(from: 0, to: Self.count, by: 300) {
      var documents: [String: [String: Value]] = [:]
      for number in start..<start + 300 {
        let id = "user-\(1_000 + number)"
        let others: [String: Value] = ["text": text, "rare": .boolean(number % 10 == 9)]
        documents["Users/\(id)"] = .user(id, seenAgo: Int64(number) * 60, others)
      }
      try await client.put(documents)
    }
    let result = try await body(server, client)
    try await server.stop()
    return result
  }

  /// By the field that users are ordered by: each page scans.
  private func byField(pageSize: Int = 500) -> PullRequest { .users(pageSize: pageSize) }

  /// By name, with a filter: all pages together scan once.
  private func byName(pageSize: Int = 20, partitions: Int = 1) -> PullRequest {
    var request = SyncUsersRequest.users(pageSize: pageSize)
    request.isWhole = true
    request.options.partitions = partitions
    var pull = request.pull
    pull.query.filter = .field(FieldPath(segments: ["rare"]), .equal, .boolean(true))
    return pull
  }

  private func pull(
    _ client: FirestoreClient, _ request: PullRequest, _ reads: ReadBudgetMeter
  ) async throws -> PullResult {
    try await Pull(port: client, store: workspace.store, reads: reads, sleep: { _ in })
      .run(request)
  }

  @Test func `a collection is as large as the tests say`() async throws {
    try await withUsers { server, client in
      let access = try await client.access(of: byField().query, under: nil, upTo: nil)
      #expect(access?.scannedUnits == Self.scan)
      #expect(server.documents.billedReadCount == Self.sample)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 8, 20, 29, 30, 100, 140, 170])
  func `a scan that does not fit into the budget is not begun`(budget: Int) async throws {
    try await withUsers { server, _ in
      for request in [byField(), byName()] {
        let client = FirestoreClient.speaking(to: server.address)
        client.learn(.enterprise)
        let before = server.documents.billedReadCount
        let reads = ReadBudgetMeter(budget)
        let result = try await pull(client, request, reads)
        let billed = server.documents.billedReadCount - before
        #expect(!result.isComplete && result.counts.fetched == 0)
        #expect(billed <= budget, "\(billed) of \(budget)")
        #expect(reads.spent == billed)
        #expect(reads.refusedScan == (budget > 0))
      }
    }
  }

  /// A budget, and what a load by a field spends to find out that its scan does not fit.
  @Test(arguments: [(0, 0), (1, 1), (2, 2), (170, sample)])
  func `what it costs to find out that a scan does not fit is counted`(
    budget: Int, spent: Int
  ) async throws {
    try await withUsers { server, client in
      let reads = ReadBudgetMeter(budget)
      _ = try await pull(client, byField(), reads)
      #expect(reads.spent == spent, "\(server.documents.billedReadCount)")
    }
  }

  @Test(arguments: [(99, false), (100, false), (101, true)])
  func `a plan by name counts nothing that its sample has`(most: Int, counts: Bool) async throws {
    try await withUsers { server, client in
      var request = byAll()
      request.options.maxDocuments = most
      let planned = try workspace.store.read { try PlannedQuery(request, $0) }
      let quote = try await client.quote(planned)
      #expect(quote.documents == most && !quote.isEstimated)
      let counted = server.requests.contains { $0.path.hasSuffix(":runAggregationQuery") }
      #expect(counted == counts)
    }
  }

  @Test func `a budget of one scan and its sample loads a page, and no second one`() async throws {
    try await withUsers { server, client in
      let reads = ReadBudgetMeter(2 * Self.scan)
      let result = try await pull(client, byField(), reads)
      #expect(result.counts.fetched == 500 && !result.isComplete)
      let billed = server.documents.billedReadCount
      #expect(billed == Self.sample + Self.scan && reads.spent == billed)
    }
  }

  @Test(arguments: [nil, 1_000])
  func `each page by a field counts a scan, and what told that`(budget: Int?) async throws {
    try await withUsers { server, client in
      let reads = ReadBudgetMeter(budget)
      let result = try await pull(client, byField(pageSize: 250), reads)
      #expect(result.counts.fetched == Self.count && result.isComplete)
      let billed = server.documents.billedReadCount
      #expect(billed == Self.sample + 3 * Self.scan)
      #expect(reads.spent == billed && client.traffic.billedReadCount == billed)
    }
  }

  @Test(arguments: [(20, 1), (1, 1), (7, 1), (60, 1), (100, 1), (20, 4)])
  func `the pages of a filter by name count what they pass over`(
    pageSize: Int, partitions: Int
  ) async throws {
    try await withUsers { server, client in
      let reads = ReadBudgetMeter()
      let result = try await pull(
        client, byName(pageSize: pageSize, partitions: partitions), reads)
      #expect(result.counts.fetched == 60 && result.isComplete)
      let billed = server.documents.billedReadCount
      #expect(client.traffic.billedReadCount == reads.spent)
      // A page more or less where the answers do not tell it.
      #expect(abs(reads.spent - billed) <= billed / 20, "\(reads.spent) of \(billed)")
    }
  }

  @Test func `a count that scans is not begun when it does not fit`() async throws {
    try await withUsers { server, client in
      let query = byName().query
      for (budget, expected) in [(170, nil), (171, 60)] as [(Int, Int?)] {
        let fresh = FirestoreClient.speaking(to: server.address)
        fresh.learn(.enterprise)
        let before = server.documents.billedReadCount
        let reads = ReadBudgetMeter(budget)
        let count = try await fresh.count(of: query, under: nil, readTime: nil, within: reads)
        #expect(count == expected)
        #expect(server.documents.billedReadCount - before == reads.spent)
        #expect(reads.spent <= budget)
      }
    }
  }

  @Test(arguments: [1, 10, 100, 250, nil])
  func `a plan costs no more than the load, which it prices`(most: Int?) async throws {
    try await withUsers { server, _ in
      for var request in [byField(pageSize: 250), byField(pageSize: 1_000), byName(), byAll()] {
        request.options.maxDocuments = most
        let client = FirestoreClient.speaking(to: server.address)
        client.learn(.enterprise)
        let planned = try workspace.store.read { try PlannedQuery(request, $0) }
        let before = server.documents.billedReadCount
        let quote = try await client.quote(planned)
        let own = server.documents.billedReadCount - before
        #expect(client.traffic.billedReadCount == own)
        let load = try #require(quote.billedReads)
        // By name it reads ten documents and then the others, where the load has one page.
        #expect(own <= load + 2, "\(own) of \(load)")
        let (billed, fetched) = try await runLoad(request, from: server)
        if most == nil { #expect(abs(billed - load) <= 1 + load / 20, "\(billed) of \(load)") }
        if !quote.isEstimated { #expect(quote.documents == fetched) }
      }
    }
  }

  /// What a run of its own is billed, and the documents that it fetches.
  private func runLoad(
    _ request: PullRequest, from server: EmulatorServer
  ) async throws -> (billed: Int, fetched: Int) {
    let client = FirestoreClient.speaking(to: server.address)
    client.learn(.enterprise)
    let start = server.documents.billedReadCount
    let result = try await Pull(port: client, store: try TemporaryStore().store).run(request)
    return (server.documents.billedReadCount - start, result.counts.fetched)
  }

  /// All users, by name.
  private func byAll() -> PullRequest {
    var request = SyncUsersRequest.users(pageSize: 250)
    request.isWhole = true
    return request.pull
  }
}

extension PullRequest {
  fileprivate static func users(pageSize: Int) -> PullRequest {
    SyncUsersRequest.users(pageSize: pageSize).pull
  }
}
