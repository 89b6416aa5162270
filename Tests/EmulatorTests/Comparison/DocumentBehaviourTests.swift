import Firestore
import HTTP
import Testing

/// What single documents do, the same on our server and on Google's emulator.
@Suite struct DocumentBehaviourTests {
  @Test(arguments: Backend.present)
  func `a document that was never written is not found`(backend: Backend) async throws {
    try await backend.run("never-written") { client in
      let reply = try await client.send(.get, "/c/x")
      #expect(reply.status == 404)
      #expect(try reply.errorStatus == "NOT_FOUND")
      #expect(try reply.json["error"]?["code"] == .number("404"))
    }
  }

  @Test(arguments: Backend.present)
  func `what is created can be read, and not created again`(backend: Backend) async throws {
    try await backend.run("create-twice") { client in
      let body = #"{"fields":{"a":{"integerValue":"1"}}}"#
      let created = try await client.send(.post, "/c?documentId=x", body)
      #expect(created.status == 200)
      let read = try await client.send(.get, "/c/x")
      #expect(try read.json == created.json)
      #expect(try Document(json: read.json).fields == ["a": .integer(1)])
      let again = try await client.send(.post, "/c?documentId=x", body)
      #expect(again.status == 409)
      #expect(try again.errorStatus == "ALREADY_EXISTS")
    }
  }

  @Test(arguments: Backend.present)
  func `an id is made up of 20 letters and digits`(backend: Backend) async throws {
    try await backend.run("made-up-id") { client in
      let reply = try await client.send(.post, "/c", "{}")
      let id = try Document(json: reply.json).id
      #expect(id.count == 20)
      #expect(id.utf8.allSatisfy { $0 < 128 } && id.allSatisfy { $0.isLetter || $0.isNumber })
    }
  }

  /// An id, and how it is written into a URL.
  static let oddIds = [
    ("with space", "with%20space"), ("100%", "100%25"), ("a?b", "a%3Fb"), ("a#b", "a%23b"),
    ("a+b", "a+b"), ("a+c", "a%2Bc"), ("😀", "%F0%9F%98%80"), ("a:b", "a%3Ab"),
    ("(default)", "%28default%29"), ("a&b=c", "a&b=c"), ("ü", "%C3%BC"),
  ]

  @Test(arguments: Backend.present)
  func `ids may hold any character but a slash`(backend: Backend) async throws {
    try await backend.run("odd-ids") { client in
      let documents = Self.oddIds.map { client.document("c/\($0.0)", ["id": .string($0.0)]) }
      #expect(try await client.put(documents).status == 200)
      for (id, encoded) in Self.oddIds {
        let reply = try await client.send(.get, "/c/\(encoded)")
        #expect(reply.status == 200, "\(id)")
        #expect(try Document(json: reply.json).fields == ["id": .string(id)])
      }
    }
  }

  @Test(arguments: Backend.present)
  func `a patch replaces all, or what its mask names`(backend: Backend) async throws {
    try await backend.run("patch") { client in
      _ = try await client.put([
        client.document(
          "c/x", ["a": .integer(1), "m": .map(["k": .integer(1), "l": .integer(2)])])
      ])
      let body = #"{"fields":{"m":{"mapValue":{"fields":{"k":{"integerValue":"7"}}}}}}"#
      let masked = try await client.send(
        .patch, "/c/x?updateMask.fieldPaths=m.k&updateMask.fieldPaths=a", body)
      #expect(
        try Document(json: masked.json).fields
          == ["m": .map(["k": .integer(7), "l": .integer(2)])])
      let whole = try await client.send(.patch, "/c/x", body)
      #expect(try Document(json: whole.json).fields == ["m": .map(["k": .integer(7)])])
      let guarded = try await client.send(.patch, "/c/new?currentDocument.exists=true", body)
      #expect(guarded.status == 404)
      #expect(
        try await client.send(.patch, "/c/new?currentDocument.exists=false", body).status == 200)
      #expect(
        try await client.send(.patch, "/c/new?currentDocument.exists=false", body).status == 409)
    }
  }

  @Test(arguments: Backend.present)
  func `a deleted document is gone, and deleting it again is no error`(
    backend: Backend
  ) async throws {
    try await backend.run("delete") { client in
      _ = try await client.put([client.document("c/x", [:])])
      #expect(try await client.send(.delete, "/c/x").status == 200)
      #expect(try await client.send(.get, "/c/x").status == 404)
      #expect(try await client.send(.delete, "/c/x").status == 200)
      #expect(try await client.send(.delete, "/c/x?currentDocument.exists=true").status == 404)
    }
  }

  static let malformed = [
    #"{"fields":"#, #"{"fields":{"a":{"fooValue":1}}}"#, #"{"fields":{"a":1}}"#,
    #"{"fields":{"a":{"arrayValue":{"values":[{"arrayValue":{}}]}}}}"#,
    #"{"fields":{"a":{"integerValue":"1.5"}}}"#, #"{"unknown":{}}"#,
  ]

  @Test(arguments: Backend.present, malformed)
  func `a body that is no document is an invalid argument`(
    backend: Backend, body: String
  ) async throws {
    try await backend.run("malformed") { client in
      let reply = try await client.send(.post, "/c", body)
      #expect(reply.status == 400)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  @Test(arguments: Backend.present)
  func `wiping a database leaves nothing`(backend: Backend) async throws {
    try await backend.run("wipe") { client in
      _ = try await client.put([client.document("c/x", [:]), client.document("c/x/d/y", [:])])
      let path = "/emulator/v1/projects/\(client.project)/databases/(default)/documents"
      #expect(try await client.sendAbsolute(.delete, path).status == 200)
      #expect(try await client.send(.get, "/c/x").status == 404)
      #expect(try await client.send(.get, "/c/x/d/y").status == 404)
    }
  }

  @Test(arguments: Backend.present, ["/v1/foo", "/v2/x", "/v1/projects/p/databases"])
  func `an unknown route is not found`(backend: Backend, path: String) async throws {
    try await backend.run("unknown-route") { client in
      let reply = try await client.sendAbsolute(.get, path)
      #expect(reply.status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `an unknown verb is not found`(backend: Backend) async throws {
    try await backend.run("unknown-verb") { client in
      let reply = try await client.send(.post, ":explode", "{}")
      #expect(reply.status == 404)
    }
  }
}
