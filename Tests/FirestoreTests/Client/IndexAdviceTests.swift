import Fixtures
import Testing

@testable import Firestore

/// What a client says about a query that lacks its index.
@Suite struct IndexAdviceTests {
  private static let query = StructuredQuery(
    from: [.init(collectionId: "Users")],
    filter: .field(FieldPath(segments: ["city"]), .equal, .string("Lima")),
    orderBy: [.init(field: FieldPath(segments: ["seen"]), direction: .descending)])
  private static let entry =
    #"  indexes: {"collectionGroup":"Users","fields":[{"fieldPath":"city","order":"ASCENDING"},"#
    + #"{"fieldPath":"seen","order":"DESCENDING"}],"queryScope":"COLLECTION"}"#
  private static let link =
    "https://console.firebase.google.com/project/p/firestore/indexes?create=A"

  private func refusal(
    _ answer: ScriptedAnswer, _ ask: (FirestoreClient) async throws -> Void
  ) async throws -> Refusal {
    let stage = try Stage(answer)
    let error = await #expect(throws: FirestoreError.self) { try await ask(stage.client) }
    guard case .refused(let refusal)? = error else { throw WireError("not refused") }
    #expect(stage.server.requests.count == 1)
    return refusal
  }

  @Test(arguments: [
    "The query requires an index. You can create it here: \(link)", "no matching index found.",
  ])
  func `a query, a page and a count name the entry, with a link and without one`(message: String)
    async throws
  {
    let hasLink = message.contains(Self.link)
    let asks: [(FirestoreClient) async throws -> Void] = [
      { _ = try await $0.runQuery(Self.query) }, { _ = try await $0.count(of: Self.query) },
      { client in
        try await client.page(of: Self.query) { _ in throw WireError("not reached") }
      },
    ]
    for ask in asks {
      let refusal = try await refusal(.error(.failedPrecondition, message), ask)
      #expect(refusal.reason == .missingIndex)
      #expect(refusal.missingIndexes == QueryIndex.serving(Self.query))
      let lines = refusal.advice.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(String(lines[1]) == Self.entry)
      #expect(lines[0].contains("firebase deploy --only firestore:indexes"))
      #expect(lines[0].hasPrefix(hasLink ? "Create the index at \(Self.link), or add" : "Add"))
    }
  }

  @Test func `an error inside a stream is as good as one instead of it`() async throws {
    let body =
      #"[{"error":{"code":400,"message":"requires an index","status":"FAILED_PRECONDITION"}}]"#
    let refusal = try await refusal(.json(body)) { _ = try await $0.runQuery(Self.query) }
    #expect(refusal.missingIndexes == QueryIndex.serving(Self.query))
  }

  @Test(arguments: [
    "That index is currently building and cannot be used yet.", "snapshot version is too old",
    "the stored version does not match",
  ])
  func `nothing is lacking while the index is being built, or for any other reason`(message: String)
    async throws
  {
    let refusal = try await refusal(.error(.failedPrecondition, message)) {
      _ = try await $0.runQuery(Self.query)
    }
    #expect(refusal.missingIndexes.isEmpty)
    #expect(!refusal.advice.contains("firestore.indexes.json"))
  }

  @Test func `without a query or a link there is still a sentence`() {
    #expect(
      Refusal.advice(onMissing: [], link: nil)
        == "Create the composite index that the query needs, then run again.")
    #expect(
      Refusal.advice(onMissing: [], link: Self.link)
        == "Create the index at \(Self.link), then run again.")
  }
}
