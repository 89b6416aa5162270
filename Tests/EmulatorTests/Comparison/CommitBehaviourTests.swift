import Firestore
import HTTP
import Testing

/// What commits do, the same on our server and on Google's emulator.
@Suite struct CommitBehaviourTests {
  private func commit(_ client: RESTClient, _ writes: String) async throws -> RESTClient.Reply {
    try await client.send(
      .post, ":commit",
      #"{"writes":["# + writes.replacing("ROOT", with: client.root) + "]}")
  }

  @Test(arguments: Backend.present)
  func `a commit is all or nothing`(backend: Backend) async throws {
    try await backend.run("atomic") { client in
      let reply = try await commit(
        client,
        #"{"update":{"name":"ROOT/c/a"}},{"update":{"name":"ROOT/c/b"},"currentDocument":{"exists":true}}"#
      )
      #expect(reply.status == 404)
      #expect(try reply.errorStatus == "NOT_FOUND")
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `preconditions are checked against what earlier writes left`(
    backend: Backend
  ) async throws {
    try await backend.run("preconditions") { client in
      let absent = #"{"update":{"name":"ROOT/c/a"},"currentDocument":{"exists":false}}"#
      #expect(try await commit(client, absent).status == 200)
      let conflict = try await commit(client, absent)
      #expect(conflict.status == 409)
      #expect(try conflict.errorStatus == "ALREADY_EXISTS")
      let stale = try await commit(
        client,
        #"{"update":{"name":"ROOT/c/a"},"currentDocument":{"updateTime":"2020-01-01T00:00:00Z"}}"#)
      #expect(stale.status == 400)
      #expect(try stale.errorStatus == "FAILED_PRECONDITION")
      #expect(try await commit(client, #"{"delete":"ROOT/c/a"},"# + absent).status == 200)
    }
  }

  @Test(arguments: Backend.present)
  func `the right update time lets a write through`(backend: Backend) async throws {
    try await backend.run("update-time") { client in
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let stored = try Document(json: try await client.send(.get, "/c/a").json)
      let time = try #require(stored.updateTime).rfc3339
      let reply = try await commit(
        client,
        #"{"delete":"ROOT/c/a","currentDocument":{"updateTime":"\#(time)"}}"#)
      #expect(reply.status == 200)
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `a write that changes nothing keeps the update time`(backend: Backend) async throws {
    try await backend.run("no-op") { client in
      let document = client.document("c/a", ["n": .integer(1)])
      _ = try await client.put([document])
      let first = try Document(json: try await client.send(.get, "/c/a").json)
      _ = try await client.put([document])
      let second = try Document(json: try await client.send(.get, "/c/a").json)
      #expect(second == first)
      _ = try await client.put([client.document("c/a", ["n": .integer(2)])])
      let third = try Document(json: try await client.send(.get, "/c/a").json)
      #expect(third.createTime == first.createTime)
      #expect(try #require(third.updateTime) > (try #require(first.updateTime)))
    }
  }

  @Test(arguments: Backend.present)
  func `transforms run on the server`(backend: Backend) async throws {
    try await backend.run("transforms") { client in
      _ = try await client.put([
        client.document(
          "c/a",
          [
            "n": .integer(5), "top": .integer(.max), "max": .integer(3), "min": .double(3),
            "text": .string("x"), "set": .array([.integer(1)]),
            "less": .array([.integer(1), .integer(2), .integer(1)]),
          ])
      ])
      let reply = try await commit(
        client,
        """
        {"update":{"name":"ROOT/c/a"},"updateMask":{"fieldPaths":[]},"updateTransforms":[
        {"fieldPath":"n","increment":{"integerValue":"-2"}},
        {"fieldPath":"top","increment":{"integerValue":"1"}},
        {"fieldPath":"new","increment":{"doubleValue":1.5}},
        {"fieldPath":"text","increment":{"doubleValue":1.5}},
        {"fieldPath":"max","maximum":{"integerValue":"7"}},
        {"fieldPath":"min","minimum":{"integerValue":"7"}},
        {"fieldPath":"set","appendMissingElements":{"values":[{"integerValue":"1"},{"integerValue":"2"}]}},
        {"fieldPath":"less","removeAllFromArray":{"values":[{"integerValue":"1"}]}},
        {"fieldPath":"m.at","setToServerValue":"REQUEST_TIME"}]}
        """)
      #expect(reply.status == 200)
      var fields = try Document(json: try await client.send(.get, "/c/a").json).fields
      guard case .map(let inner)? = fields.removeValue(forKey: "m"),
        case .timestamp(let time)? = inner["at"]
      else {
        Issue.record("no time: \(reply.text)")
        return
      }
      #expect(inner.count == 1)
      let results = try reply.json["writeResults"]?.elements().first?["transformResults"]?
        .elements().map(Value.init(json:))
      #expect(time.microseconds % 1_000 == 0)
      #expect(
        results == [
          .integer(3), .integer(.max), .double(1.5), .double(1.5), .integer(7), .double(3), .null,
          .null, .timestamp(time),
        ])
      #expect(
        fields == [
          "n": .integer(3), "top": .integer(.max), "new": .double(1.5), "text": .double(1.5),
          "max": .integer(7), "min": .double(3), "set": .array([.integer(1), .integer(2)]),
          "less": .array([.integer(2)]),
        ])
    }
  }

  @Test(arguments: Backend.present)
  func `batchGet says what is there and what is missing`(backend: Backend) async throws {
    try await backend.run("batch-get") { client in
      _ = try await client.put([client.document("c/a", ["x": .integer(1), "y": .integer(2)])])
      let reply = try await client.send(
        .post, ":batchGet",
        #"{"documents":["\#(client.root)/c/a","\#(client.root)/c/b"],"mask":{"fieldPaths":["x"]}}"#)
      let found = try reply.elements.compactMap { try $0["found"].map(Document.init(json:)) }
      #expect(found.map(\.fields) == [["x": .integer(1)]])
      #expect(try reply.elements.compactMap { $0["missing"] } == [.string("\(client.root)/c/b")])
      #expect(try reply.elements.allSatisfy { $0["readTime"] != nil })
    }
  }
}
