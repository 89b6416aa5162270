import Fixtures
import Testing

@testable import Firestore

/// Writes whose answer was lost may have been carried out.
@Suite("Retries of writes")
struct WriteRetryTests {
  private static let name = "projects/demo/databases/(default)/documents/C/a"
  private static let set = Write(.update(Document(name: name, fields: [:]), mask: nil))

  private func create(_ stage: Stage) async throws -> Document {
    try await stage.client.createDocument(
      in: stage.root.appending(path: "C"), id: "a", fields: [:])
  }

  @Test("a create is sent again after an unknown outcome, and says so when it then exists")
  func ambiguousCreate() async throws {
    for lost in [
      ScriptedAnswer.error(.unavailable), ScriptedAnswer([.reset]), .response(502, "<html>"),
      .json("{\"name\""),
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

  @Test("a create that exists at once is another's")
  func plainConflict() async throws {
    let stage = try Stage(.error(.alreadyExists))
    let error = await #expect(throws: FirestoreError.self) { try await create(stage) }
    guard case .refused(let refusal)? = error else { throw WireError("not refused") }
    #expect(!refusal.followsUnknownOutcome)
    #expect(error?.leavesOutcomeUnknown == false)
  }

  @Test("a refusal before anything was done leaves nothing unknown")
  func rateBeforeConflict() async throws {
    let stage = try Stage(.error(.aborted), .error(.alreadyExists))
    let error = await #expect(throws: FirestoreError.self) { try await create(stage) }
    guard case .refused(let refusal)? = error else { throw WireError("not refused") }
    #expect(!refusal.followsUnknownOutcome)
  }

  @Test(
    "a commit is sent again after an unknown outcome only if twice is as good as once",
    arguments: [
      ([set], 5), ([Write(.delete(name: name))], 5),
      ([Write(set.operation, precondition: .exists(false))], 5),
      ([Write(set.operation, precondition: .exists(true))], 5),
      ([Write(.delete(name: name), precondition: .exists(true))], 1),
      ([Write(set.operation, precondition: .updateTime(Timestamp(microseconds: 0)))], 1),
      ([set, Write(.delete(name: name), precondition: .exists(true))], 1),
    ] as [([Write], Int)])
  func commits(writes: [Write], count: Int) async throws {
    let stage = try Stage(.error(.unavailable))
    await #expect(throws: FirestoreError.self) { try await stage.client.commit(writes) }
    #expect(stage.server.requests.count == count)
  }

  @Test("a write that was surely not done is always sent again")
  func surelyNotDone() async throws {
    let bound = Write(Self.set.operation, precondition: .updateTime(Timestamp(microseconds: 0)))
    let stage = try Stage(.error(.aborted), .json(#"{"writeResults":[{}]}"#))
    _ = try await stage.client.commit([bound])
    #expect(stage.server.requests.count == 2)
  }
}
