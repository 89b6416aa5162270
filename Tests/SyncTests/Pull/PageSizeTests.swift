import Firestore
import HTTP
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import Sync

/// Pages whose answers are too large; docs/loads.md#page-size.
@Suite struct PageSizeTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func pull(
    _ port: any FirestorePort, _ request: SyncUsersRequest,
    reads: ReadBudgetMeter = ReadBudgetMeter()
  ) async throws -> PullResult {
    try await Pull(
      port: port, store: workspace.store, reads: reads, documentsPerCommit: 4
    ).run(request)
  }

  @Test func `a page that is too large is halved until it fits, once a run`() async throws {
    let port = LimitedPort(MemoryFirestore(.users(40)), most: 3)
    let reads = ReadBudgetMeter()
    let result = try await pull(port, .users(pageSize: 25), reads: reads)
    #expect(result.counts == RunCounts(fetched: 40, inserted: 40))
    #expect(port.refused == [25, 12, 6])
    #expect(result.reducedPageSize == 3)
    #expect(
      result.remarks(orderedBy: nil) == [
        "Documents are too large for the page size: pages of 3 were read instead. "
          + "Set page_size to 3 to save the requests that were too large."
      ])
    // What was thrown away may have been billed.
    #expect(reads.spent == 40 + 25 + 12 + 6)
  }

  @Test(arguments: [(24, [25]), (25, []), (12, [25]), (11, [25, 12])] as [(Int, [Int])])
  func `a page of exactly the most documents fits`(most: Int, refused: [Int]) async throws {
    let port = LimitedPort(MemoryFirestore(.users(30)), most: most)
    let result = try await pull(port, .users(pageSize: 25))
    #expect(result.counts.inserted == 30)
    #expect(port.refused == refused)
    #expect(result.reducedPageSize == (refused.last.map { $0 / 2 }))
    #expect(result.remarks(orderedBy: nil).isEmpty == refused.isEmpty)
  }

  @Test func `partitions share the size that fits`() async throws {
    let port = LimitedPort(MemoryFirestore(.users(200)), most: 5)
    var request = SyncUsersRequest.users(pageSize: 100)
    request.isWhole = true
    request.options.partitions = 4
    #expect(try await pull(port, request).counts.inserted == 200)
    // The first page of a pull in partitions is small; no stream finds the size anew.
    #expect(port.refused == [25, 12, 6])
  }

  @Test func `a single document that is too large fails, as it must`() async throws {
    let port = LimitedPort(MemoryFirestore(.users(4)), most: 0)
    let error = await #expect(throws: FirestoreError.self) {
      try await pull(port, .users(pageSize: 4))
    }
    #expect(error?.isTooLarge == true)
    #expect(port.refused == [4, 2, 1])
  }

  @Test(arguments: [(nil, 8 + 4), (141, 2 * 141)] as [(Int?, Int)])
  func `an answer that was thrown away costs a scan, or its documents`(
    lost: Int?, spent: Int
  ) async throws {
    let reads = ReadBudgetMeter()
    let fitted = try await PageSizer().fitting(8, billing: reads, lost: lost) { limit in
      guard limit <= 2 else {
        throw FirestoreError.transport(request: "test", .tooLarge(host: "localhost", limit: 1))
      }
      return limit
    }
    #expect(fitted == 2 && reads.spent == spent)
  }

  @Test func `a budget bears what was thrown away, and the load still moves on`() async throws {
    let port = LimitedPort(MemoryFirestore(.users(12)), most: 2)
    let reads = ReadBudgetMeter(8)
    let first = try await pull(port, .users(pageSize: 8), reads: reads)
    #expect(!first.isComplete && first.counts.inserted == 2)
    #expect(reads.spent == 8 + 4 + 2)
  }
}

/// A port that has no answer for more than so many documents: it would be too large.
private final class LimitedPort: FirestorePort {
  private let port: any FirestorePort
  private let most: Int
  private let limits = Mutex<[Int]>([])

  init(_ port: any FirestorePort, most: Int) {
    self.port = port
    self.most = most
  }

  /// The limits of the queries that were refused.
  var refused: [Int] { limits.withLock(\.self) }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    if let limit = query.limit, limit > most {
      limits.withLock { $0.append(limit) }
      throw FirestoreError.transport(
        request: "test", .tooLarge(host: "localhost", limit: 64 << 20))
    }
    try await port.page(of: query, under: parent, readTime: readTime, scan: scan)
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await port.count(of: query, under: parent, readTime: readTime)
  }

  func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    try await port.partitionPoints(of: query, count: count)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await port.document(at: path, readTime: readTime)
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    try await port.documents(at: paths)
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {
    try await port.create(documentId: documentId, in: collection, fields: fields)
  }

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    try await port.create(documents)
  }
}
