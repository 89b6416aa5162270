import Firestore
import Testing

@testable import Emulator

/// The pace of a stream, which `--documents-per-second` sets.
@Suite struct PaceTests {
  private static let root = "projects/p/databases/(default)/documents"

  private func router(documentsPerSecond: Int?) throws -> RequestRouter {
    let endpoints = Endpoints(clock: { Timestamp(microseconds: 1_000_000) })
    try endpoints.documents.seed(
      (0..<10).map { Document(name: "\(Self.root)/c/\($0)", fields: [:]) })
    return RequestRouter(
      endpoints, keepsRequests: false, documentsPerSecond: documentsPerSecond)
  }

  private func delay(_ router: RequestRouter, _ verb: String, limit: Int) -> Duration {
    let query =
      #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":\#(limit)}}"#
    return router.respond(
      to: RequestRecord(
        method: "POST", target: "/v1/\(Self.root):\(verb)", headers: [:], body: Array(query.utf8))
    ).delay
  }

  @Test func `an answer takes as long as its documents, those that were found`() throws {
    let router = try router(documentsPerSecond: 4)
    #expect(delay(router, "runQuery", limit: 1) == .milliseconds(250))
    #expect(delay(router, "runQuery", limit: 8) == .seconds(2))
    #expect(delay(router, "runQuery", limit: 100) == .milliseconds(2_500))
    #expect(delay(router, "commit", limit: 1) == .zero)
  }

  @Test func `without a pace nothing waits`() throws {
    #expect(delay(try router(documentsPerSecond: nil), "runQuery", limit: 10) == .zero)
  }
}
