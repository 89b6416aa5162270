import Firestore
import Fixtures
import Model
import Store
import Synchronization
import Testing

@testable import Sync

/// Pulls that send for a page before the one before it is read.
@Suite struct PullAheadTests {
  private static let userCount = 11
  private static let pageSize = 2
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func pull(
    _ port: any FirestorePort, _ order: UserPull.Order = .users(pageSize: Self.pageSize),
    reads: ReadAllowance = ReadAllowance()
  ) async throws -> UserPull.Result {
    try await UserPull(
      port: port, store: workspace.store, reads: reads, documentsPerCommit: 4
    ).run(order) { _ in }
  }

  @Test("every page but the first is sent for before it is asked for, and only once")
  func order() async throws {
    try await withServer { _, client in
      try await client.put(.users(Self.userCount))
      let port = NotingPort(client)
      let reads = ReadAllowance()
      let before = client.traffic.requestCount
      let result = try await pull(port, reads: reads)
      #expect(result.counts == RunCounts(fetched: 11, inserted: 11))
      #expect(try workspace.userIds().count == Self.userCount)
      try #require(port.notes.count == 11)
      for (place, note) in port.notes.enumerated().dropFirst() where place % 2 == 1 {
        // The next page is sent for while the page before it is read, so before it is asked for.
        #expect(note.isAhead && !port.notes[place + 1].isAhead)
        #expect(note.query == port.notes[place + 1].query)
        #expect(note.readTime == port.notes[place + 1].readTime && note.readTime != nil)
      }
      #expect(client.traffic.requestCount - before == 6)
      #expect(reads.spent == 11)
    }
  }

  @Test("where the last page is full, one more is sent for, and is empty")
  func fullLastPage() async throws {
    try await withServer { _, client in
      try await client.put(.users(4))
      let before = client.traffic.requestCount
      #expect(try await pull(client).counts == RunCounts(fetched: 4, inserted: 4))
      #expect(client.traffic.requestCount - before == 3)
    }
  }

  @Test("nothing is sent ahead of a budget, of the last document wanted, nor of parts")
  func notAhead() async throws {
    try await withServer { _, client in
      try await client.put(.users(Self.userCount))
      let limited = NotingPort(client)
      _ = try await pull(limited, reads: ReadAllowance(100))
      #expect(limited.aheadCount == 0)
      let few = NotingPort(client)
      _ = try await pull(few, .users(pageSize: 2, maxDocuments: 2))
      #expect(few.aheadCount == 0)
      var parts = UserPull.Order.users(pageSize: 2)
      parts.isWhole = true
      parts.partitions = 3
      let cut = NotingPort(client)
      _ = try await pull(cut, parts)
      #expect(cut.notes.count > 1 && cut.aheadCount == 0)
    }
  }

  @Test("a pull that fails at any page, with the next sent for, ends, run again, where any ends")
  func faults() async throws {
    try await withServer(attempts: 1) { _, client in
      try await client.put(.users(Self.userCount))
      let undisturbed = try TemporaryStore()
      _ = try await UserPull(port: client, store: undisturbed.store).run(.users()) { _ in }
      for step in 1...6 {
        let workspace = try TemporaryStore()
        let port = NotingPort(client, failingPage: step)
        await #expect(throws: FirestoreError.self) {
          _ = try await UserPull(port: port, store: workspace.store, documentsPerCommit: 4)
            .run(.users(pageSize: Self.pageSize)) { _ in }
        }
        #expect(try workspace.users().count == (step - 1) * Self.pageSize)
        #expect(client.dropAhead() == 0, "what was sent ahead was given up with the pull")
        _ = try await UserPull(port: client, store: workspace.store, documentsPerCommit: 4)
          .run(.users(pageSize: Self.pageSize)) { _ in }
        #expect(try workspace.users() == undisturbed.users())
      }
    }
  }

  @Test("an end that names another document than the page ends with is not followed")
  func wrongGuess() async throws {
    try await withServer { _, client in
      try await client.put(.users(Self.userCount))
      let port = NotingPort(client, misleads: true)
      let reads = ReadAllowance()
      let result = try await pull(port, reads: reads)
      #expect(result.counts == RunCounts(fetched: 11, inserted: 11))
      #expect(try workspace.userIds() == (1...11).map { "user-\($0)" }.sorted())
      // The wrong one, sent once, counts with all that its page may have cost.
      #expect(reads.spent == 11 + Self.pageSize)
    }
  }
}

/// Another port, noting which pages are sent for and asked for.
private final class NotingPort: FirestorePort {
  struct Note: Sendable {
    var query: StructuredQuery
    var readTime: Timestamp?
    var isAhead: Bool
  }

  private let port: FirestoreClient
  /// Counts from 1; its answer is broken in the middle, and its end is whole.
  private let failingPage: Int?
  /// Whether what is sent ahead is another page than the one wanted.
  private let misleads: Bool
  private let state = Mutex<[Note]>([])

  init(_ port: FirestoreClient, failingPage: Int? = nil, misleads: Bool = false) {
    self.port = port
    self.failingPage = failingPage
    self.misleads = misleads
  }

  var notes: [Note] { state.withLock(\.self) }

  /// How many pages were sent for before they were asked for.
  var aheadCount: Int { notes.count(where: \.isAhead) }

  func sendAhead(of query: StructuredQuery, under parent: String?, readTime: Timestamp?) -> Int {
    state.withLock { $0.append(Note(query: query, readTime: readTime, isAhead: true)) }
    var query = query
    if misleads { query.startAt = nil }
    return port.sendAhead(of: query, under: parent, readTime: readTime)
  }

  func dropAhead() -> Int { port.dropAhead() }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    let number = state.withLock { state in
      state.append(Note(query: query, readTime: readTime, isAhead: false))
      return state.count { !$0.isAhead }
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
