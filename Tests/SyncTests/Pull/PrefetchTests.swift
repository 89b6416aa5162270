import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Synchronization
import Testing

@testable import Sync

/// Pulls that ask for the next page while they read one.
@Suite struct PrefetchTests {
  private static let userCount = 11
  private static let pageSize = 2
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func pull(
    _ port: any FirestorePort, _ request: SyncUsersRequest = .users(pageSize: Self.pageSize),
    reads: ReadBudgetMeter = ReadBudgetMeter()
  ) async throws -> PullResult {
    try await Pull(
      port: port, store: workspace.store, reads: reads, documentsPerCommit: 4
    ).run(request)
  }

  @Test func `every page but the first is prefetched, and only once`() async throws {
    try await withServer { _, client in
      try await client.put(.users(Self.userCount))
      let port = NotingPort(client)
      let reads = ReadBudgetMeter()
      let before = client.traffic.requestCount
      let result = try await pull(port, reads: reads)
      #expect(result.counts == RunCounts(fetched: 11, inserted: 11))
      #expect(try workspace.userIds().count == Self.userCount)
      try #require(port.notes.count == 11)
      for (place, note) in port.notes.enumerated().dropFirst() where place % 2 == 1 {
        #expect(note.isPrefetch && !port.notes[place + 1].isPrefetch)
        #expect(note.query == port.notes[place + 1].query)
        #expect(note.readTime == port.notes[place + 1].readTime && note.readTime != nil)
      }
      #expect(client.traffic.requestCount - before == 6)
      #expect(reads.spent == 11)
    }
  }

  @Test func `where the last page is full, one more is prefetched, and is empty`() async throws {
    try await withServer { _, client in
      try await client.put(.users(4))
      let before = client.traffic.requestCount
      #expect(try await pull(client).counts == RunCounts(fetched: 4, inserted: 4))
      #expect(client.traffic.requestCount - before == 3)
    }
  }

  @Test
  func `nothing is prefetched under a budget, after the last document, nor for partitions`()
    async throws
  {
    try await withServer { _, client in
      try await client.put(.users(Self.userCount))
      let limited = NotingPort(client)
      _ = try await pull(limited, reads: ReadBudgetMeter(100))
      #expect(limited.prefetchCount == 0)
      let few = NotingPort(client)
      _ = try await pull(few, .users(pageSize: 2, maxDocuments: 1))
      #expect(few.prefetchCount == 0)
      var partitioned = SyncUsersRequest.users(pageSize: 2)
      partitioned.isWhole = true
      partitioned.options.partitions = 3
      let cut = NotingPort(client)
      _ = try await pull(cut, partitioned)
      #expect(cut.notes.count > 1 && cut.prefetchCount == 0)
    }
  }

  @Test
  func `a pull that fails at any page, the next prefetched, ends, run again, where any does`()
    async throws
  {
    try await withServer(attempts: 1) { _, client in
      try await client.put(.users(Self.userCount))
      let undisturbed = try TemporaryStore()
      _ = try await Pull(port: client, store: undisturbed.store).run(.users())
      for step in 1...6 {
        let workspace = try TemporaryStore()
        let port = NotingPort(client, failingPage: step)
        await #expect(throws: FirestoreError.self) {
          _ = try await Pull(port: port, store: workspace.store, documentsPerCommit: 4)
            .run(.users(pageSize: Self.pageSize))
        }
        #expect(try workspace.users().count == (step - 1) * Self.pageSize)
        #expect(client.dropPrefetched() == 0, "the prefetched page was dropped with the pull")
        _ = try await Pull(port: client, store: workspace.store, documentsPerCommit: 4)
          .run(.users(pageSize: Self.pageSize))
        #expect(try workspace.users() == undisturbed.users())
      }
    }
  }

  @Test
  func `an end that names another document than the page ends with is not followed`() async throws {
    try await withServer { _, client in
      try await client.put(.users(Self.userCount))
      let port = NotingPort(client, misleads: true)
      let reads = ReadBudgetMeter()
      let result = try await pull(port, reads: reads)
      #expect(result.counts == RunCounts(fetched: 11, inserted: 11))
      #expect(try workspace.userIds() == (1...11).map { "user-\($0)" }.sorted())
      // The wrong one, sent once, counts with all the reads that its page may have cost.
      #expect(reads.spent == 11 + Self.pageSize)
    }
  }
}

/// Another port, noting which pages are prefetched and asked for.
private final class NotingPort: FirestorePort {
  struct Note: Sendable {
    var query: StructuredQuery
    var readTime: Timestamp?
    var isPrefetch: Bool
  }

  private let port: FirestoreClient
  /// Counts from 1; the answer is broken at its beginning, and its end is whole.
  private let failingPage: Int?
  /// Whether another page is prefetched than the one wanted.
  private let misleads: Bool
  private let state = Mutex<[Note]>([])

  init(_ port: FirestoreClient, failingPage: Int? = nil, misleads: Bool = false) {
    self.port = port
    self.failingPage = failingPage
    self.misleads = misleads
  }

  var notes: [Note] { state.withLock(\.self) }

  /// How many pages were prefetched.
  var prefetchCount: Int { notes.count(where: \.isPrefetch) }

  func prefetch(of query: StructuredQuery, under parent: String?, readTime: Timestamp?) -> Int {
    state.withLock { $0.append(Note(query: query, readTime: readTime, isPrefetch: true)) }
    var query = query
    if misleads { query.startAt = nil }
    return port.prefetch(of: query, under: parent, readTime: readTime)
  }

  func dropPrefetched() -> Int { port.dropPrefetched() }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    let number = state.withLock { state in
      state.append(Note(query: query, readTime: readTime, isPrefetch: false))
      return state.count { !$0.isPrefetch }
    }
    try await port.page(of: query, under: parent, readTime: readTime) { bytes in
      if number == failingPage { bytes[0] = UInt8(ascii: " ") }
      return try scan(&bytes)
    }
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int { try await port.count(of: query, under: parent, readTime: readTime) }

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

  func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] { try await port.create(documents) }
}
