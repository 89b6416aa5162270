import Fixtures
import Testing

@testable import Firestore

@Suite("Where to cut a query into partitions")
struct PartitionPointsTests {
  private static let root = "projects/demo/databases/(default)/documents"
  private static let query = StructuredQuery(
    from: [.init(collectionId: "C", allDescendants: true)],
    orderBy: [.init(field: .documentName)])

  private static func page(_ ids: [String], token: String? = nil) -> ScriptedAnswer {
    let cuts = ids.map { #"{"values":[{"referenceValue":"\#(root)/C/\#($0)"}],"before":true}"# }
    let next = token.map { #","nextPageToken":"\#($0)""# } ?? ""
    return .json(#"{"partitions":[\#(cuts.joined(separator: ","))]\#(next)}"#)
  }

  private func points(_ answers: ScriptedAnswer...) async throws -> [String] {
    let stage = try Stage(answers)
    return try await stage.client.partitionPoints(of: Self.query, count: 3)
      .map { String($0.dropFirst(Self.root.count + 3)) }
  }

  @Test func `the request names the query and the number of cuts`() async throws {
    let stage = try Stage(Self.page([]))
    _ = try await stage.client.partitionPoints(of: Self.query, count: 3)
    let request = try #require(stage.server.requests.first)
    #expect(
      request.target.hasPrefix(
        "/v1/projects/demo/databases/(default)/documents:partitionQuery"))
    let body = try JSON(parsing: Array(request.body))
    #expect(
      body
        == .object([
          "structuredQuery": Self.query.json, "partitionCount": .string("3"),
        ]))
    #expect(stage.client.traffic.billedReadCount == 0)
  }

  @Test func `the cuts of all pages come in the order of names, each once`() async throws {
    #expect(
      try await points(Self.page(["m", "__id7__"], token: "t"), Self.page(["d", "m", "Z"]))
        == ["__id7__", "Z", "d", "m"])
  }

  @Test func `nothing to cut is no error`() async throws {
    #expect(try await points(.json("{}")) == [])
    #expect(try await points(Self.page([], token: "")) == [])
  }

  @Test func `the next page is asked for by its token, all else the same`() async throws {
    let stage = try Stage(Self.page(["a"], token: "t"), Self.page(["b"]))
    _ = try await stage.client.partitionPoints(of: Self.query, count: 3)
    let bodies = try stage.server.requests.map { try JSON(parsing: Array($0.body)).members() }
    #expect(bodies.map { $0["pageToken"] } == [nil, .string("t")])
    #expect(bodies.map { $0["partitionCount"] } == [.string("3"), .string("3")])
  }

  @Test(arguments: [["t", "t"], ["t", "u", "t"], ["t0", "t1", "t2", "t1"]])
  func `a page token that comes again ends the list, after as many requests`(tokens: [String])
    async throws
  {
    let stage = try Stage((0..<9).map { Self.page([], token: tokens[$0 % tokens.count]) })
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.partitionPoints(of: Self.query, count: 3)
    }
    #expect(error?.description.contains("the server repeats a page token") == true)
    #expect(stage.server.requests.count == tokens.count)
  }

  @Test(arguments: [
    #"{"partitions":[{"values":[]}]}"#, #"{"partitions":[{"values":[{"stringValue":"x"}]}]}"#,
    #"{"partitions":[{}]}"#, #"{"partitions":{}}"#, "[]",
  ])
  func `a cut that is no single name is an answer of somebody else`(answer: String) async throws {
    let stage = try Stage(
      [.json(answer)], retry: RetryPolicy(attemptLimit: 1, random: { 0.5 }))
    await #expect(throws: FirestoreError.self) {
      try await stage.client.partitionPoints(of: Self.query, count: 3)
    }
  }

  @Test func `a server that cannot cut has no cuts, in whatever words it says so`() async throws {
    for answer in [ScriptedAnswer.error(.unimplemented), .response(501, "Not Implemented")] {
      let stage = try Stage([answer])
      #expect(try await stage.client.partitionPoints(of: Self.query, count: 3).isEmpty)
      #expect(stage.server.requests.count == 1)
    }
  }
}
