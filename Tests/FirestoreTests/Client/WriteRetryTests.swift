import Fixtures
import Testing

@testable import Firestore

/// Writes whose answer was lost may have been carried out.
@Suite("Retries of writes")
struct WriteRetryTests {
  private static let name = "projects/demo/databases/(default)/documents/C/a"
  private static let set = Write(.update(Document(name: name, fields: [:]), mask: nil))

  private static let bound = Write(
    set.operation, precondition: .updateTime(Timestamp(microseconds: 0)))

  private func create(_ stage: Stage) async throws -> Document {
    try await stage.client.createDocument(
      in: stage.root.appending(path: "C"), id: "a", fields: [:])
  }

  @Test
  func `a create is sent again after an unknown outcome, and says so when it then exists`()
    async throws
  {
    for lost in [
      ScriptedAnswer.error(.unavailable), ScriptedAnswer([.reset]), .response(502, "<html>"),
    ] {
      let stage = try Stage([lost, .error(.alreadyExists)])
      let error = await #expect(throws: FirestoreError.self) { try await create(stage) }
      guard case .refused(let refusal)? = error else { throw WireError("not refused") }
      #expect(refusal.reason == .alreadyExists)
      #expect(refusal.followsUnknownOutcome)
      #expect(error?.leavesOutcomeUnknown == true)
      #expect(stage.server.requests.count == 2)
    }
  }

  @Test(arguments: [
    "{}", #"{"status":"ok"}"#, #"{"name""#, "", "[]", "null", #"{"name":"\#(name)"}"#,
    #"{"name":"\#(name)","createTime":"2026-01-01T00:00:00Z"}"#,
    #"{"name":"\#(name)","updateTime":"2026-01-01T00:00:00Z"}"#,
    #"{"name":"\#(name)b","createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00Z"}"#,
    #"{"createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00Z"}"#,
  ])
  func `a success that does not name the document and its times is asked for once`(body: String)
    async throws
  {
    let stage = try Stage(.json(body))
    let error = await #expect(throws: FirestoreError.self) { try await create(stage) }
    guard case .malformedAnswer(_, 200, _)? = error else { throw WireError("taken for a proof") }
    #expect(error?.leavesOutcomeUnknown == true)
    #expect(stage.server.requests.count == 1)
    let commit = try Stage(.json(#"{"writeResults":[{}],"commitTime":"2026-01-01T00:00:00Z"}"#))
    await #expect(throws: FirestoreError.self) { try await commit.client.commit([Self.set]) }
    #expect(commit.server.requests.count == 1)
  }

  @Test func `a create that exists at once is another's`() async throws {
    let stage = try Stage(.error(.alreadyExists))
    let error = await #expect(throws: FirestoreError.self) { try await create(stage) }
    guard case .refused(let refusal)? = error else { throw WireError("not refused") }
    #expect(!refusal.followsUnknownOutcome)
    #expect(error?.leavesOutcomeUnknown == false)
  }

  @Test func `a refusal before anything was done leaves nothing unknown`() async throws {
    let stage = try Stage(.error(.aborted), .error(.alreadyExists))
    let error = await #expect(throws: FirestoreError.self) { try await create(stage) }
    guard case .refused(let refusal)? = error else { throw WireError("not refused") }
    #expect(!refusal.followsUnknownOutcome)
  }

  @Test(
    arguments: [
      ([set], 5), ([Write(.delete(name: name))], 5),
      ([Write(set.operation, precondition: .exists(false))], 5),
      ([Write(set.operation, precondition: .exists(true))], 5),
      ([Write(.delete(name: name), precondition: .exists(true))], 1),
      ([bound], 1),
      ([set, Write(.delete(name: name), precondition: .exists(true))], 1),
    ] as [([Write], Int)])
  func `a commit is sent again after an unknown outcome only if twice is as good as once`(
    writes: [Write], count: Int
  ) async throws {
    let stage = try Stage(.error(.unavailable))
    await #expect(throws: FirestoreError.self) { try await stage.client.commit(writes) }
    #expect(stage.server.requests.count == count)
    guard Set(writes.map(\.name)).count == writes.count else { return }
    let batch = try Stage(.error(.unavailable))
    let error = await #expect(throws: FirestoreError.self) {
      try await batch.client.batchWrite(writes)
    }
    #expect(batch.server.requests.count == count)
    #expect(error?.leavesOutcomeUnknown == true)
  }

  /// How often a create, a commit and a batch are sent, by what is answered for the whole.
  @Test(arguments: [
    (RPCStatus.unavailable, 5), (.deadlineExceeded, 5), (.aborted, 5), (.internal, 2),
    (.unknown, 2), (.resourceExhausted, 3), (.unauthenticated, 2), (.notFound, 1),
    (.permissionDenied, 1), (.invalidArgument, 1), (.failedPrecondition, 1), (.alreadyExists, 1),
    (.outOfRange, 1), (.unimplemented, 1), (.cancelled, 1), (.dataLoss, 1),
  ])
  func `a write is sent as often as its status allows`(status: RPCStatus, count: Int) async throws {
    let sends: [(FirestoreClient) async throws -> Void] = [
      { _ = try await $0.commit([Self.set]) }, { _ = try await $0.batchWrite([Self.set]) },
      { client in
        let place = try client.endpoint.root.appending(path: "C")
        _ = try await client.createDocument(in: place, id: "a", fields: [:])
      },
    ]
    for send in sends {
      let stage = try Stage(.error(status))
      let error = await #expect(throws: FirestoreError.self) { try await send(stage.client) }
      #expect(error?.status == status)
      #expect(stage.server.requests.count == count)
    }
  }

  /// Of a write that must not be done twice: only what was surely not done is sent again.
  @Test(arguments: [
    (RPCStatus.aborted, 5), (.resourceExhausted, 3), (.unauthenticated, 2), (.unavailable, 1),
    (.deadlineExceeded, 1), (.internal, 1), (.unknown, 1),
  ])
  func `a write that is no good twice is sent again only after a clear no`(
    status: RPCStatus, count: Int
  ) async throws {
    let stage = try Stage(.error(status))
    await #expect(throws: FirestoreError.self) {
      try await stage.client.batchWrite([Self.bound])
    }
    #expect(stage.server.requests.count == count)
  }

  @Test func `a write that was surely not done is always sent again`() async throws {
    let stage = try Stage(
      .error(.aborted), .json(#"{"writeResults":[{"updateTime":"2026-01-01T00:00:00Z"}]}"#))
    _ = try await stage.client.commit([Self.bound])
    #expect(stage.server.requests.count == 2)
  }
}
