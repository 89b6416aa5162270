import Jobs
import Sync
import SyncTesting
import Synchronization

@testable import Firestore

/// A Firestore whose counts can be held until eight of them are under way, once, or which refuses
/// to count documents of all collections together.
final class ProbedDatabase: FirestorePort {
  private struct State {
    var present = 0
    var most = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var pages = 0
  }

  private static let party = 8
  private let client: FirestoreClient
  private let holdsCounts: Bool
  private let countsAll: Bool
  /// Whether it finds nothing below documents whose ids hold colons, as Google's emulator.
  private let losesColons: Bool
  /// Documents that counts of all collections together have, and no list.
  private let invisible: Int
  /// What pages of collection ids end with, in a circle; empty for the server's own pages.
  private let tokens: [String]
  private let state = Mutex(State())

  init(
    _ client: FirestoreClient, holdsCounts: Bool = false, countsAll: Bool = true,
    losesColons: Bool = false, invisible: Int = 0, tokens: [String] = []
  ) {
    self.losesColons = losesColons
    self.invisible = invisible
    self.tokens = tokens
    self.client = client
    self.holdsCounts = holdsCounts
    self.countsAll = countsAll
  }

  /// Pages of collection ids that were asked for.
  var pageCount: Int { state.withLock(\.pages) }

  /// The most counts that were under way at once.
  var most: Int { state.withLock(\.most) }

  var root: ResourceName { client.root }

  private func meet() async {
    await withCheckedContinuation { continuation in
      let released = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        state.present += 1
        let hasMet = state.most >= Self.party
        state.most = max(state.most, state.present)
        guard !hasMet else { return [continuation] }
        state.waiting.append(continuation)
        guard state.most >= Self.party else { return [] }
        defer { state.waiting = [] }
        return state.waiting
      }
      for one in released { one.resume() }
    }
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    guard countsAll || query.from.first?.collectionId != nil else {
      throw FirestoreError.refusal(.invalidArgument, "test")
    }
    if holdsCounts { await meet() }
    defer { state.withLock { $0.present -= 1 } }
    let isOfAll = query.from.first?.collectionId == nil
    return try await client.count(of: query, under: parent, readTime: readTime)
      + (isOfAll ? invisible : 0)
  }

  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    try await client.page(of: query, under: parent, readTime: readTime, scan: scan)
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await client.document(at: path, readTime: readTime)
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    try await client.documents(at: paths)
  }

  func create(
    documentId: String, in collection: String, fields: [String: Value]
  ) async throws {
    try await client.create(documentId: documentId, in: collection, fields: fields)
  }

  func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    try await client.create(documents)
  }

  func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    if losesColons, parent?.id?.contains(":") == true {
      let error = FirestoreError.refusal(.invalidArgument, "Payload isn't valid for request.")
      guard case .refused(let refusal) = error else { throw error }
      throw FirestoreError.refused(
        Refusal(refusal.envelope, httpStatus: 400, request: "list", parent: parent))
    }
    var page = try await client.collectionPage(under: parent, after: tokens.isEmpty ? token : nil)
    let number = state.withLock { state in
      state.pages += 1
      return state.pages
    }
    if !tokens.isEmpty { page.nextPageToken = number > 50 ? nil : tokens[number % tokens.count] }
    return page
  }

  func documentIds(in collection: ResourceName, count: Int) async throws -> [String] {
    try await client.documentIds(in: collection, count: count)
  }

  func documents(of query: StructuredQuery, under parent: ResourceName?) async throws -> [Document]
  {
    try await client.documents(of: query, under: parent)
  }
}
