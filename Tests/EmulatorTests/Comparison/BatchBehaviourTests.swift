import Firestore
import HTTP
import Testing

/// What batches of writes and lists do, the same on our server and on Google's emulator.
@Suite struct BatchBehaviourTests {
  private func send(
    _ verb: String, _ writes: String, _ client: RESTClient
  ) async throws -> RESTClient.Reply {
    let body = #"{"writes":["# + writes.replacing("ROOT", with: client.root) + "]}"
    return try await client.send(.post, verb, body)
  }

  @Test(arguments: Backend.present)
  func `each write of a batch has a status of its own`(backend: Backend) async throws {
    try await backend.run("batch-write") { client in
      _ = try await client.put([client.document("c/taken", ["n": .integer(1)])])
      let reply = try await send(
        ":batchWrite",
        """
        {"update":{"name":"ROOT/c/taken"},"currentDocument":{"exists":false}},
        {"update":{"name":"ROOT/c/new","fields":{"n":{"integerValue":"2"}}}},
        {"delete":"ROOT/c/none"},{"delete":"ROOT/c/none2","currentDocument":{"exists":true}},
        {"update":{"name":"ROOT/c/sum"},"updateTransforms":[
        {"fieldPath":"n","increment":{"integerValue":"3"}}]}
        """, client)
      #expect(reply.status == 200)
      let statuses = try reply.json["status"]?.elements().map { try $0["code"]?.integer() ?? 0 }
      #expect(statuses == [6, 0, 0, 5, 0])
      let results = try #require(try reply.json["writeResults"]?.elements())
      #expect(results.map { $0["updateTime"] != nil } == [false, true, false, false, true])
      #expect(results[4]["transformResults"] == .array([Value.integer(3).json]))
      let kept = try await client.send(.get, "/c/taken")
      #expect(try Document(json: kept.json).fields == ["n": .integer(1)])
      #expect(try await client.send(.get, "/c/new").status == 200)
    }
  }

  static let refused = [
    #"{"update":{"name":"ROOT/c/a"}},{"update":{"name":"ROOT/c/a"}}"#,
    #"{"update":{"name":"ROOT/c/a"}},{"delete":"ROOT/c/a"}"#,
    #"{"update":{"name":"ROOT/c/a"}},{"update":{"name":"ROOT/c/b/d"}}"#, "{}",
    #"{"update":{"name":"ROOT/c/a"}},{"update":{"name":"ROOT/c/b"},"delete":"ROOT/c/b"}"#,
  ]

  @Test(arguments: Backend.present, refused)
  func `a batch that makes no sense writes nothing`(
    backend: Backend, writes: String
  ) async throws {
    try await backend.run("batch-refused") { client in
      let reply = try await send(":batchWrite", writes, client)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `collections of a document are listed page by page`(backend: Backend) async throws {
    try await backend.run("collection-ids") { client in
      _ = try await client.put(
        ["p/x/b/1", "p/x/a/1", "p/x/é/1", "p/x/a/1/deep/1", "p/y/z/1"].map {
          client.document($0, [:])
        })
      var ids: [String] = []
      var token = ""
      repeat {
        let page = try await client.send(
          .post, "/p/x:listCollectionIds", #"{"pageSize":2,"pageToken":"\#(token)"}"#
        ).json
        ids += try page["collectionIds"]?.elements().map { try $0.text() } ?? []
        token = try page["nextPageToken"]?.text() ?? ""
      } while !token.isEmpty
      #expect(ids == ["a", "b", "é"])
      let root = try await client.send(.post, ":listCollectionIds", "{}").json
      #expect(try root["collectionIds"]?.elements() == [.string("p")])
      let none = try await client.send(.post, "/p/none:listCollectionIds", "{}").json
      #expect(none["collectionIds"] == nil)
      #expect(try await client.send(.post, "/p:listCollectionIds", "{}").status == 400)
      let negative = try await client.send(.post, ":listCollectionIds", #"{"pageSize":-1}"#)
      #expect(negative.status == 400)
    }
  }

  @Test(arguments: Backend.present)
  func `missing documents are listed when asked for, with nothing but a name`(
    backend: Backend
  ) async throws {
    try await backend.run("show-missing") { client in
      _ = try await client.put(
        ["c/a", "c/gone/d/x", "c/gone2/d/x/e/y", "c/z"].map { client.document($0, [:]) })
      func list(_ parameters: String) async throws -> [Document] {
        let reply = try await client.send(.get, "/c?\(parameters)")
        return try reply.json["documents"]?.elements().map(Document.init(json:)) ?? []
      }
      #expect(try await list("pageSize=9").map(\.id) == ["a", "z"])
      let all = try await list("pageSize=9&showMissing=true")
      #expect(all.map(\.id) == ["a", "gone", "gone2", "z"])
      #expect(all.map { $0.createTime == nil } == [false, true, true, false])
      let first = try await client.send(.get, "/c?pageSize=2&showMissing=true").json
      let token = try #require(first["nextPageToken"]).text()
        .replacing("+", with: "%2B").replacing("=", with: "%3D")
      let rest = try await list("pageSize=2&showMissing=true&pageToken=\(token)")
      #expect(rest.map(\.id) == ["gone2", "z"])
      #expect(try await client.send(.get, "/c?showMissing=true&orderBy=a").status == 400)
    }
  }

  @Test(arguments: Backend.present)
  func `without a collection the documents of all are listed`(backend: Backend) async throws {
    try await backend.run("list-all") { client in
      _ = try await client.put(
        ["b/1", "a/2", "a/2/c/3"].map { client.document($0, [:]) })
      let reply = try await client.send(.get, "/")
      let documents = try reply.json["documents"]?.elements().map(Document.init(json:))
      #expect(documents?.map(\.id) == ["2", "1"])
      #expect(try await client.send(.get, "/?showMissing=true").status == 400)
      #expect(try await client.send(.get, "/a/").status == 400)
      #expect(try await client.send(.get, "").status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `older and rarer kinds of writes are understood`(backend: Backend) async throws {
    try await backend.run("write-kinds") { client in
      let transform = try await send(
        ":commit",
        """
        {"transform":{"document":"ROOT/c/a","fieldTransforms":[
        {"fieldPath":"n","increment":{"integerValue":"2"}},
        {"fieldPath":"l","appendMissingElements":{"values":[{"integerValue":"1"}]}}]}}
        """, client)
      let results = try transform.json["writeResults"]?.elements()[0]["transformResults"]
      #expect(results == .array([Value.integer(2).json, Value.null.json]))
      let verified = #"{"verify":"ROOT/c/a","currentDocument":{"exists":true}}"#
      #expect(try await send(":commit", verified, client).status == 200)
      let failed = #"{"verify":"ROOT/c/b","currentDocument":{"exists":true}}"#
      #expect(try await send(":commit", failed, client).status == 404)
      let stored = try await client.send(.get, "/c/a")
      #expect(
        try Document(json: stored.json).fields == ["n": .integer(2), "l": .array([.integer(1)])])
    }
  }

  static let badWrites = [
    "{}", #"{"transform":{"document":"ROOT/c/a","fieldTransforms":[]}}"#,
    #"{"verify":"ROOT/c/a"}"#, #"{"delete":"ROOT/c/a","updateMask":{"fieldPaths":["a"]}}"#,
    #"{"update":{"name":"ROOT/c/a"},"updateTransforms":[{"fieldPath":"n","increment":{"stringValue":"1"}}]}"#,
    #"{"update":{"name":"ROOT/c/a"},"updateTransforms":[{"fieldPath":"n","setToServerValue":0}]}"#,
    #"{"update":{"name":"ROOT/c/a"},"updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}},{"fieldPath":"n.x","increment":{"integerValue":"1"}}]}"#,
    #"{"update":{"name":"ROOT/c/a"},"updateTransforms":[{"fieldPath":"n..x","increment":{"integerValue":"1"}}]}"#,
    #"{"delete":"ROOT/c/a","updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}}]}"#,
  ]

  @Test(arguments: Backend.present, badWrites)
  func `writes that make no sense are invalid arguments`(
    backend: Backend, write: String
  ) async throws {
    try await backend.run("bad-writes") { client in
      let reply = try await send(":commit", write, client)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT", "\(reply.text)")
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }
}
