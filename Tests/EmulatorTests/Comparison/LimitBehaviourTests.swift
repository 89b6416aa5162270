import Firestore
import HTTP
import Testing

/// How much a document holds, the same on our server and on Google's emulator.
@Suite struct LimitBehaviourTests {
  private func nested(_ depth: Int, arrays: Bool = false) -> Value {
    (0..<depth).reduce(.null) { inner, level in
      arrays && level % 2 == 1 ? .array([inner]) : .map(["a": inner])
    }
  }

  /// What is stored as the field `a`, and whether Firestore takes it.
  private func rows(_ root: String) -> [(String, Value, Bool)] {
    let long = String(repeating: "x", count: 1_048_487)
    return [
      ("19 levels", nested(19), true), ("20 levels", nested(20), true),
      ("21 levels", nested(21), false), ("20 levels with arrays", nested(20, arrays: true), true),
      ("21 levels with arrays", nested(21, arrays: true), false),
      ("the longest string", .string(long), true), ("a longer string", .string(long + "x"), false),
      ("the most bytes", .bytes(Array(long.utf8)), true),
      ("more bytes", .bytes(Array(long.utf8) + [0]), false),
      (
        "two halves", .array(Array(repeating: .string(String(long.dropLast(500_000))), count: 2)),
        false
      ),
      ("the north pole", .geoPoint(latitude: 90, longitude: -180), true),
      ("beyond it", .geoPoint(latitude: 90.001, longitude: 0), false),
      ("beyond the date line", .geoPoint(latitude: 0, longitude: 180.001), false),
      ("no place", .geoPoint(latitude: .nan, longitude: 0), false),
      ("a reference elsewhere", .reference("projects/q/databases/d/documents/c/d"), true),
      ("a collection", .reference("\(root)/c"), false), ("a word", .reference("word"), false),
      ("a reserved name", .map(["__a__": .null]), false), ("no name", .map(["": .null]), false),
      ("nearly reserved", .map(["__a": .null, "___": .null]), true),
      (
        "a vector", .map(["__type__": .string("__vector__"), "value": .array([.double(1)])]), true
      ),
      (
        "a vector of words",
        .map(["__type__": .string("__vector__"), "value": .array([.string("x")])]), false
      ),
    ]
  }

  @Test(arguments: Backend.present)
  func `what is too much, too deep or no value is refused`(backend: Backend) async throws {
    try await backend.run("limits") { client in
      for (number, (name, value, isTaken)) in rows(client.root).enumerated() {
        let reply = try await client.put([client.document("c/\(number)", ["a": value])])
        #expect(reply.status == (isTaken ? 200 : 400), "\(name): \(reply.text.prefix(200))")
        #expect(try reply.errorStatus == (isTaken ? nil : "INVALID_ARGUMENT"), "\(name)")
      }
    }
  }

  @Test(arguments: Backend.present, [(1500, 200), (1501, 400)])
  func `a field's name has at most 1500 bytes`(
    backend: Backend, row: (Int, Int)
  ) async throws {
    try await backend.run("field-names") { client in
      let name = String(repeating: "n", count: row.0)
      let reply = try await client.put([client.document("c/x", [name: .null])])
      #expect(reply.status == row.1)
    }
  }

  /// An id as a URL has it, and the status of writing to it.
  static let ids: [(String, Int)] = [
    (String(repeating: "x", count: 1500), 200), (String(repeating: "x", count: 1501), 400),
    ("__x__", 400), ("__id7__", 200), ("__x", 200), ("%2E", 400), ("%2E%2E", 400), ("...", 200),
  ]

  @Test(arguments: Backend.present)
  func `ids have their limits, too`(backend: Backend) async throws {
    try await backend.run("id-limits") { client in
      for (id, status) in Self.ids {
        let reply = try await client.send(.patch, "/c/\(id)", "{}")
        #expect(reply.status == status, "\(id)")
      }
      #expect(try await client.send(.patch, "/__id7__/x", "{}").status == 400)
      #expect(try await client.send(.post, "/c?documentId=a%2Fb", "{}").status == 400)
      let named = #"{"name":"\#(client.root)/c/x"}"#
      #expect(try await client.send(.post, "/c", named).status == 400)
    }
  }

  @Test(arguments: Backend.present)
  func `a document may not grow too large bit by bit`(backend: Backend) async throws {
    try await backend.run("grow") { client in
      let half = String(repeating: "x", count: 600_000)
      func patch(_ field: String) async throws -> Int {
        try await client.send(
          .patch, "/c/x?updateMask.fieldPaths=\(field)",
          #"{"fields":{"\#(field)":{"stringValue":"\#(half)"}}}"#
        ).status
      }
      #expect(try await patch("a") == 200)
      #expect(try await patch("b") == 400)
      let stored = try await client.send(.get, "/c/x")
      #expect(try Document(json: stored.json).fields.keys.sorted() == ["a"])
    }
  }
}
