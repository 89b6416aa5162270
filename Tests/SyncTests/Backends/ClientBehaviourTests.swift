import Emulator
import Firestore
import SyncTesting
import Testing

/// Every call of the client, against our server and Google's emulator.
@Suite struct ClientBehaviourTests {
  private static let oddIds = ["with space", "100%", "a?b", "a#b", "a+b", "😀", "a:b", "(x)", "ü"]

  @Test(arguments: Backend.present)
  func `documents of any id and any kind of value come back as they went`(backend: Backend)
    async throws
  {
    try await backend.run("client-values") { client in
      let root = client.endpoint.root
      let fields: [String: Value] = [
        "null": .null, "flag": .boolean(true), "least": .integer(.min), "most": .integer(.max),
        "nan": .double(.nan), "infinite": .double(-.infinity), "fraction": .double(0.1),
        "time": .timestamp(Timestamp(microseconds: -1)), "text": .string("é\u{0}\"\\😀\n"),
        "bytes": .bytes([0, 0xFB, 0xFF]), "place": .geoPoint(latitude: 0, longitude: -179.5),
        "reference": .reference("\(root)/c/other"), "none": .array([]), "empty": .map([:]),
        "list": .array([.integer(1), .null, .map(["a.b": .map(["c`d": .integer(1)])])]),
      ]
      let collection = try root.appending(path: "odd")
      for id in Self.oddIds {
        let made = try await client.createDocument(in: collection, id: id, fields: fields)
        let found = try #require(try await client.document(at: "odd/\(id)"))
        #expect(found.fields == fields, "\(id)")
        #expect(found.updateTime == made.updateTime)
      }
      let ids = try await client.documentIds(in: collection, count: 300)
      #expect(Set(ids) == Set(Self.oddIds))
      #expect(try await client.document(at: "odd/none") == nil)
    }
  }

  @Test(arguments: Backend.present)
  func `documents of one request are those that are there`(backend: Backend) async throws {
    try await backend.run("client-lists") { client in
      try await client.put(["c/1": ["m": .null], "c/2": ["n": .integer(1)]])
      let found = try await client.documents(at: ["c/1", "c/none", "c/2"])
      #expect(found.mapValues(\.fields) == ["c/1": ["m": .null], "c/2": ["n": .integer(1)]])
    }
  }

  @Test(arguments: Backend.present)
  func `pages by keyset at one read time visit each document once`(backend: Backend) async throws {
    try await backend.run("client-pages") { client in
      let seen = FieldPath(segments: ["seen"])
      try await client.put(
        Dictionary(
          uniqueKeysWithValues: (0..<23).map { ("c/d\($0)", ["seen": .integer(Int64($0 / 5))]) }))
      var query = StructuredQuery(
        from: [.init(collectionId: "c")],
        orderBy: [.init(field: seen, direction: .descending), .init(field: .documentName)], limit: 4
      )
      var (ids, readTime): ([String], Timestamp?) = ([], nil)
      repeat {
        let page = try await client.runQuery(query, readTime: readTime)
        readTime = readTime ?? page.readTime
        ids += page.documents.map(\.id)
        query.startAt = page.documents.last.map {
          .init(values: [$0.fields["seen"] ?? .null, .reference($0.name)], before: false)
        }
        if page.documents.count < 4 { break }
        try await client.put(["c/later\(ids.count)": ["seen": .integer(0)]])
      } while true
      #expect(ids.count == 23)
      #expect(Set(ids).count == 23)
      #expect(ids.first == "d20")
    }
  }

  @Test(arguments: Backend.present)
  func `counts are of all, or of so many at most`(backend: Backend) async throws {
    try await backend.run("client-counts") { client in
      try await client.put([
        "c/1": ["a": .integer(1)], "c/2": ["a": .null], "c/3": [:], "p/x/c/4": [:],
      ])
      let query = StructuredQuery(from: [.init(collectionId: "c")])
      #expect(try await client.count(of: query) == 3)
      var few = query
      few.limit = 2
      #expect(try await client.count(of: few) == 2)
      var group = query
      group.from = [.init(collectionId: "c", allDescendants: true)]
      #expect(try await client.count(of: group) == 4)
      #expect(try await client.count(of: query, under: "p/x") == 1)
      var ordered = query
      ordered.orderBy = [.init(field: FieldPath(segments: ["a"]))]
      #expect(try await client.count(of: ordered) == 2, "an order leaves out who lacks its field")
      #expect(try await client.count(of: StructuredQuery(from: [.init(collectionId: "none")])) == 0)
      #expect(client.traffic.billedReadCount == 6)
    }
  }

  @Test(arguments: Backend.present)
  func `what a server refuses has the same reason on both`(backend: Backend) async throws {
    try await backend.run("client-refusals") { client in
      let collection = try client.endpoint.root.appending(path: "c")
      let made = try await client.createDocument(in: collection, id: "a", fields: [:])
      func reason(_ body: () async throws -> Void) async -> Refusal.Reason? {
        await #expect(throws: FirestoreError.self) { try await body() }?.reason
      }
      #expect(
        await reason { _ = try await client.createDocument(in: collection, id: "a", fields: [:]) }
          == .alreadyExists)
      func commit(_ operation: Write.Operation, _ precondition: Write.Precondition) async throws {
        _ = try await client.commit([Write(operation, precondition: precondition)])
      }
      let absent = Document(name: "\(collection)/none", fields: [:])
      #expect(
        await reason { try await commit(.update(absent, mask: nil), .exists(true)) } == .notFound)
      let stale = Timestamp(microseconds: 1_577_836_800_000_000)
      #expect(
        await reason { try await commit(.delete(name: made.name), .updateTime(stale)) }
          == .preconditionFailed)
      let both = StructuredQuery(from: [.init(collectionId: "c"), .init(collectionId: "d")])
      #expect(await reason { _ = try await client.runQuery(both) } == .invalid)
      #expect(try await client.document(at: "c/a")?.updateTime == made.updateTime)
    }
  }
}
