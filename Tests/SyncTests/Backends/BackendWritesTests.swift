import Firestore
import Fixtures
import SyncTesting
import Testing

/// Our client's writes, against our server and Google's emulator; see `docs/firestore.md#writes`.
@Suite struct BackendWritesTests {
  private static func path(_ text: String) -> FieldPath { FieldPath(segments: [text]) }

  private func update(
    _ path: String, _ fields: [String: Value], mask: [FieldPath]? = nil,
    _ transforms: [FieldTransform] = [], precondition: Write.Precondition? = nil,
    of client: FirestoreClient
  ) throws -> Write {
    let name = try client.endpoint.root.appending(path: path).description
    return Write(
      .update(Document(name: name, fields: fields), mask: mask), transforms: transforms,
      precondition: precondition)
  }

  private func delete(
    _ path: String, precondition: Write.Precondition? = nil, of client: FirestoreClient
  ) throws -> Write {
    let name = try client.endpoint.root.appending(path: path).description
    return Write(.delete(name: name), precondition: precondition)
  }

  /// An old value, what is done to it, the new one, and what the result says.
  private static let transforms: [(Value, FieldTransform.Operation, Value, Value)] = [
    (.integer(5), .increment(.integer(-7)), .integer(-2), .integer(-2)),
    (.integer(.max), .increment(.integer(1)), .integer(.max), .integer(.max)),
    (.string("x"), .increment(.double(1.5)), .double(1.5), .double(1.5)),
    (.integer(5), .maximum(.integer(6)), .integer(6), .integer(6)),
    (.integer(5), .minimum(.double(5.5)), .integer(5), .integer(5)),
    (
      .array([.integer(1)]), .appendMissing([.integer(1), .string("a")]),
      .array([.integer(1), .string("a")]), .null
    ),
    (.array([.integer(1), .integer(2)]), .removeAll([.integer(1)]), .array([.integer(2)]), .null),
  ]

  @Test(arguments: Backend.present)
  func `transforms do what they say, and tell what became of numbers`(backend: Backend) async throws
  {
    try await backend.run("client-transforms") { client in
      let old = Dictionary(
        uniqueKeysWithValues: Self.transforms.enumerated().map { ("f\($0.offset)", $0.element.0) })
      _ = try await client.commit([try update("c/a", old, of: client)])
      let all = Self.transforms.enumerated().map {
        FieldTransform(Self.path("f\($0.offset)"), $0.element.1)
      }
      let done = try await client.commit([
        try update("c/a", ["kept": .boolean(true)], mask: [Self.path("kept")], all, of: client)
      ])
      #expect(done.results.map(\.transformed) == [Self.transforms.map(\.3)])
      let stored = try await client.contents(of: "c")["a"]
      for (index, row) in Self.transforms.enumerated() {
        #expect(stored?["f\(index)"] == row.2, "\(row.1)")
      }
      #expect(stored?["kept"] == .boolean(true))
    }
  }

  @Test(arguments: Backend.present)
  func `a server's time is that of the commit, to the millisecond`(backend: Backend) async throws {
    try await backend.run("client-time") { client in
      let write = try update(
        "c/a", [:], [FieldTransform(Self.path("t"), .requestTime)], of: client)
      let result = try #require(try await client.batchWrite([write]).first).get()
      guard case .timestamp(let time)? = result.transformed.first else {
        Issue.record("no time came")
        return
      }
      #expect(time.microseconds % 1_000 == 0)
      #expect(try await client.contents(of: "c")["a"] == ["t": .timestamp(time)])
    }
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
