import Emulator
import Firestore
import SyncTesting
import Testing

@testable import Sync

@Suite struct QueryQuoteTests {
  private static let planned = PlannedQuery(
    query: StructuredQuery(
      from: [.init(collectionId: "C")],
      filter: .field(FieldPath(segments: ["a"]), .equal, .integer(1)),
      orderBy: [.init(field: FieldPath(segments: ["b"]), direction: .descending)]),
    pageSize: 10)
  private static let link = "https://console.firebase.google.com/project/demo/indexes?create=x"

  private func quote(_ fault: Fault, times: Int = 1) async throws -> QueryQuote {
    try await withServer(attempts: 1) { server, client in
      server.inject(fault, times: times)
      return try await client.quote(Self.planned)
    }
  }

  @Test
  func `a missing index is told with its link and entry, and nothing is counted`() async throws {
    let message = "The query requires an index. You can create it here: \(Self.link)"
    let quote = try await quote(.status(.failedPrecondition, message: message))
    #expect(quote.documents == nil)
    #expect(quote.billedReads == nil)
    guard case .missing(let refusal) = quote.index else {
      Issue.record("the index is \(quote.index)")
      return
    }
    #expect(refusal.link == Self.link)
    #expect(refusal.missingIndexes.map(\.collectionId) == ["C"])
  }

  @Test func `an index that is being built is no index yet`() async throws {
    let message = "The query requires an index. That index is currently building: \(Self.link)"
    let quote = try await quote(.status(.failedPrecondition, message: message))
    #expect(quote.documents == nil)
    guard case .building = quote.index else {
      Issue.record("the index is \(quote.index)")
      return
    }
  }

  @Test(arguments: [
    Fault.status(.permissionDenied), .status(.unavailable), .drop,
    .status(.failedPrecondition, message: "The requested snapshot version is too old."),
  ])
  func `every other failure is one`(fault: Fault) async throws {
    await #expect(throws: FirestoreError.self) { try await quote(fault) }
  }

  @Test(.enabled(if: Backend.present.count > 1))
  func `a server that explains nothing still counts`() async throws {
    try await Backend.google.run("quote-test") { client in
      try await client.put(["C/a": ["a": .integer(1), "b": .integer(2)]])
      let quote = try await client.quote(Self.planned)
      #expect(quote.documents == 1)
      #expect(quote.index == .unknown)
    }
  }
}
