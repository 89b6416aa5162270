import Fixtures
import Testing

@testable import Firestore

@Suite struct ExplainTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")], limit: 50)

  private static func answer(_ indexes: String) -> ScriptedAnswer {
    .json(#"[{"explainMetrics":{"planSummary":{"indexesUsed":[\#(indexes)]}}}]"#)
  }

  @Test
  func `explaining asks for the plan alone, of one document, and is billed one read`() async throws
  {
    let stage = try Stage(
      Self.answer(#"{"query_scope":"Collection","properties":"(a ASC, __name__ ASC)"}"#))
    let indexes = try await stage.client.explain(Self.query)
    #expect(indexes == [UsedIndex(scope: "Collection", properties: "(a ASC, __name__ ASC)")])
    #expect(stage.client.traffic.billedReadCount == 1)
    let request = try #require(stage.server.requests.first)
    #expect(request.target.contains("/documents:runQuery?"))
    #expect(
      request.text == #"{"explainOptions":{"analyze":false},"#
        + #""structuredQuery":{"from":[{"collectionId":"C"}],"limit":1}}"#)
  }

  @Test(arguments: [
    (#"{"queryScope":"Collection group","properties":"p"}"#, "Collection group"),
    (#"{"properties":"p"}"#, ""), (#"{"query_scope":null,"properties":"p","more":1}"#, ""),
  ])
  func `both spellings of the scope are read, and none at all`(index: String, scope: String)
    async throws
  {
    let stage = try Stage(Self.answer(index))
    #expect(
      try await stage.client.explain(Self.query) == [UsedIndex(scope: scope, properties: "p")])
  }

  @Test(arguments: [
    #"[{"document":{"name":"n"},"readTime":"2026-01-31T08:00:00Z"}]"#,
    #"[{"explainMetrics":{}}]"#,
  ])
  func `a server that ran the query instead has explained nothing`(answer: String) async throws {
    let stage = try Stage(.json(answer))
    #expect(try await stage.client.explain(Self.query) == nil)
  }

  @Test(arguments: [
    #"{"properties":1}"#, "{}", "1", #"{"query_scope":1,"properties":"p"}"#,
  ])
  func `an explanation that cannot be read is no explanation of Firestore's`(index: String)
    async throws
  {
    let answers = (1...5).map { _ in Self.answer(index) }
    let stage = try Stage(answers)
    await #expect(throws: FirestoreError.self) { try await stage.client.explain(Self.query) }
  }

  @Test func `a missing index is told with its link`() async throws {
    let stage = try Stage(
      .error(
        .failedPrecondition,
        "The query requires an index. You can create it here: https://console.firebase.google.com/x"
      ))
    do {
      _ = try await stage.client.explain(Self.query)
      Issue.record("a missing index was no error")
    } catch FirestoreError.refused(let refusal) {
      #expect(refusal.reason == .missingIndex)
      #expect(refusal.link == "https://console.firebase.google.com/x")
      #expect(refusal.request.hasPrefix("explain the query C under "))
    }
  }
}
