import Firestore
import Fixtures
import SyncTesting
import Testing

/// Our client's writes, against our server and Google's emulator; see `docs/firestore.md#writes`.
@Suite struct BackendWritesTests {
  private static func path(_ text: String) -> FieldPath { FieldPath(segments: [text]) }

  private func update(
    _ path: String, _ fields: [String: Value], mask: [FieldPath]? = nil,
    precondition: Write.Precondition? = nil, of client: FirestoreClient
  ) throws -> Write {
    let name = try client.endpoint.root.appending(path: path).description
    return Write(
      .update(Document(name: name, fields: fields), mask: mask), precondition: precondition)
  }

  private func delete(
    _ path: String, precondition: Write.Precondition? = nil, of client: FirestoreClient
  ) throws -> Write {
    let name = try client.endpoint.root.appending(path: path).description
    return Write(.delete(name: name), precondition: precondition)
  }

  @Test(arguments: Backend.present)
  func `a commit is all or nothing`(backend: Backend) async throws {
    try await backend.run("client-atomic") { client in
      let writes = [
        try update("c/a", [:], of: client),
        try update("c/b", [:], precondition: .exists(true), of: client),
      ]
      let error = await #expect(throws: FirestoreError.self) { try await client.commit(writes) }
      #expect(error?.reason == .notFound)
      #expect(try await client.contents(of: "c").isEmpty)
    }
  }

  @Test(arguments: Backend.present)
  func `a batch does what it can, and says of each write what became of it`(backend: Backend)
    async throws
  {
    try await backend.run("client-batch") { client in
      try await client.put(["c/taken": ["n": .integer(1)], "c/old": [:]])
      let outcomes = try await client.batchWrite([
        try update("c/taken", [:], precondition: .exists(false), of: client),
        try update("c/new", ["n": .integer(2)], precondition: .exists(false), of: client),
        try delete("c/old", precondition: .exists(true), of: client),
        try delete("c/none", precondition: .exists(true), of: client),
        try delete("c/nobody", of: client),
      ])
      let reasons = outcomes.map { outcome -> Refusal.Reason? in
        guard case .failure(let error) = outcome else { return nil }
        return error.reason
      }
      #expect(reasons == [.alreadyExists, nil, nil, .notFound, nil])
      #expect(try outcomes[1].get().updateTime != nil)
      #expect(try outcomes[2].get().updateTime == nil)
      #expect(
        try await client.contents(of: "c")
          == ["taken": ["n": .integer(1)], "new": ["n": .integer(2)]])
    }
  }

  @Test(arguments: Backend.present)
  func `a write bound to a time holds as long as nobody else has written`(backend: Backend)
    async throws
  {
    try await backend.run("client-bound") { client in
      let first = try await client.commit([try update("c/a", ["n": .integer(1)], of: client)])
      let time = try #require(first.results.first?.updateTime)
      func bound(_ number: Int64) throws -> Write {
        try update("c/a", ["n": .integer(number)], precondition: .updateTime(time), of: client)
      }
      let same = try await client.commit([try bound(1)])
      #expect(same.results.first?.updateTime == time, "nothing changed, so the time stays")
      _ = try await client.commit([try bound(2)])
      let outcome = try #require(try await client.batchWrite([try bound(3)]).first)
      guard case .failure(let error) = outcome else {
        Issue.record("the third write went through")
        return
      }
      #expect(error.reason == .preconditionFailed)
      #expect(try await client.contents(of: "c")["a"] == ["n": .integer(2)])
    }
  }

  @Test(arguments: Backend.present)
  func `a mask leaves what it does not name, and removes what it names alone`(backend: Backend)
    async throws
  {
    try await backend.run("client-mask") { client in
      try await client.put(["c/a": ["a": .integer(1), "b": .integer(1), "c": .integer(1)]])
      _ = try await client.commit([
        try update("c/a", ["a": .integer(2)], mask: [Self.path("a"), Self.path("b")], of: client)
      ])
      #expect(try await client.contents(of: "c")["a"] == ["a": .integer(2), "c": .integer(1)])
    }
  }
}
