import Fixtures
import Testing

@testable import Firestore

/// Batches, whose writes have a status each.
@Suite struct BatchWriteTests {
  private static let root = "projects/demo/databases/(default)/documents"

  private static func create(_ id: String) -> Write {
    Write(
      .update(Document(name: "\(root)/C/\(id)", fields: [:]), mask: nil),
      precondition: .exists(false))
  }

  @Test func `each write has its own outcome, by the number of its status`() async throws {
    let stage = try Stage(
      .json(
        """
        {"writeResults":[{"updateTime":"2026-01-01T00:00:00Z"},
        {},{},{},{"updateTime":"2026-01-01T00:00:00Z"}],"status":[{},{"code":6,"message":"there"},
        {"code":14},{"code":99},{"code":0}]}
        """))
    let outcomes = try await stage.client.batchWrite(["a", "b", "c", "d", "e"].map(Self.create))
    let time = Timestamp(rfc3339: "2026-01-01T00:00:00Z")
    #expect(try outcomes[0].get() == WriteResult(updateTime: time))
    #expect(try outcomes[4].get() == WriteResult(updateTime: time))
    let errors = outcomes[1...3].map { outcome -> FirestoreError? in
      guard case .failure(let error) = outcome else { return nil }
      return error
    }
    #expect(errors.map { $0?.status } == [.alreadyExists, .unavailable, .unknown])
    #expect(errors[0]?.description.contains("\(Self.root)/C/b: there (ALREADY_EXISTS") == true)
    #expect(stage.server.requests.count == 1)
    let request = try #require(stage.server.requests.first)
    #expect(request.target.contains("/documents:batchWrite?"))
    #expect(try JSON(parsing: request.body)["writes"]?.elements().count == 5)
  }

  @Test func `a document is written once, and names that compose a letter otherwise are two`()
    async throws
  {
    let stage = try Stage(
      .json(
        """
        {"writeResults":[{"updateTime":"2026-01-01T00:00:00Z"},
        {"updateTime":"2026-01-01T00:00:00Z"}],"status":[{},{}]}
        """))
    let names = ["\u{e9}", "e\u{301}"]
    #expect(try await stage.client.batchWrite(names.map(Self.create)).count == 2)
    await #expect(throws: FirestoreError.self) {
      _ = try await stage.client.batchWrite(["a", "a"].map(Self.create))
    }
    #expect(stage.server.requests.count == 1)
  }

  /// Every code, as what it means for the write alone.
  @Test(
    arguments: [
      (1, Refusal.Reason.other), (2, .transient), (3, .invalid), (4, .transient), (5, .notFound),
      (6, .alreadyExists), (7, .permissionDenied), (8, .rate), (9, .preconditionFailed),
      (10, .transient), (11, .invalid), (12, .invalid), (13, .transient), (14, .transient),
      (15, .other), (16, .unauthenticated), (17, .transient), (-1, .transient),
      (9_223_372_036_854_775_807, .transient),
    ] as [(Int64, Refusal.Reason)])
  func `a status by number means what it means by name`(code: Int64, reason: Refusal.Reason)
    async throws
  {
    let stage = try Stage(.json(#"{"writeResults":[{}],"status":[{"code":\#(code)}]}"#))
    let outcome = try #require(try await stage.client.batchWrite([Self.create("a")]).first)
    guard case .failure(let error) = outcome else { throw WireError("not refused") }
    #expect(error.reason == reason)
  }

  @Test func `a write's details are read as those of any error`() async throws {
    let stage = try Stage(
      .json(
        """
        {"writeResults":[{}],"status":[{"code":8,"message":"Quota exceeded.","details":[
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}]}
        """))
    let outcome = try #require(try await stage.client.batchWrite([Self.create("a")]).first)
    guard case .failure(.refused(let refusal)) = outcome else { throw WireError("not refused") }
    #expect(refusal.reason == .dailyQuota)
    #expect(refusal.retryAfter == .seconds(7))
  }

  @Test(arguments: [
    "{}", #"{"writeResults":[{},{}]}"#, #"{"writeResults":[{}],"status":[{},{}]}"#,
    #"{"writeResults":[{},{}],"status":[{}]}"#, #"{"writeResults":[{},{}],"status":[{},1]}"#,
    #"{"writeResults":[{},{}],"status":[{},{"code":"x"}]}"#, "[]", "",
    #"{"writeResults":[{},{}],"status":[{},{}]"#,
    #"{"writeResults":[{},{}],"status":[{},{}]}"#,
    #"{"writeResults":[{"updateTime":"2026-01-01T00:00:00Z"},{}],"status":[{},{}]}"#,
    #"{"status":"ok"}"#,
  ])
  func `an answer that does not speak of every write says nothing of any`(body: String) async throws
  {
    let stage = try Stage(.json(body))
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.batchWrite([Self.create("a"), Self.create("b")])
    }
    #expect(error?.leavesOutcomeUnknown == true)
    #expect(stage.server.requests.count == 1, "writing again would prove nothing either")
  }

  @Test(arguments: [
    ("{}", 0), (#"{"writeResults":[{},{}]}"#, 0), (#"{"writeResults":[{}],"status":[{},{}]}"#, 1),
  ])
  func `how many writes the server confirmed is told`(body: String, count: Int) async throws {
    let stage = try Stage(.json(body))
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.batchWrite([Self.create("a"), Self.create("b")])
    }
    let words = ": the server confirmed \(count) of 2 writes (HTTP 200). "
    #expect(error?.description.contains(words) == true)
  }

  @Test func `nothing to write asks nothing; a document twice is not sent`() async throws {
    let stage = try Stage(.error(.internal))
    #expect(try await stage.client.batchWrite([]).isEmpty)
    await #expect(throws: FirestoreError.self) {
      try await stage.client.batchWrite([Self.create("a"), Self.create("a")])
    }
    #expect(stage.server.requests.isEmpty)
  }
}
