import Firestore
import HTTP
import Testing

/// What one commit may ask of one document, the same on our server and on Google's emulator.
@Suite struct WriteSequenceBehaviourTests {
  private static let stale = "2020-01-01T00:00:00Z"

  /// A write as a word: `up` or `de` for update or delete, `ve` for verify; then nothing, `X` or
  /// `N` for what must or must not exist, `V` or `W` for the right or a wrong update time.
  private static func write(_ word: String, _ name: String, _ time: String) -> String {
    let condition =
      switch word.dropFirst(2) {
      case "X": #","currentDocument":{"exists":true}"#
      case "N": #","currentDocument":{"exists":false}"#
      case "V": #","currentDocument":{"updateTime":"\#(time)"}"#
      case "W": #","currentDocument":{"updateTime":"\#(stale)"}"#
      default: ""
      }
    switch word.prefix(2) {
    case "up":
      return #"{"update":{"name":"\#(name)","fields":{"n":{"integerValue":"2"}}}\#(condition)}"#
    case "de": return #"{"delete":"\#(name)"\#(condition)}"#
    default: return #"{"verify":"\#(name)"\#(condition)}"#
    }
  }

  /// Writes to one document that is there, and the status of their commit; nil when it goes
  /// through.
  static let sequences: [(String, String?)] = [
    ("up de", nil), ("de up", nil), ("up up", nil), ("de de", nil), ("upX de", nil),
    ("upX deX", nil), ("up upX", nil), ("de upN", nil), ("de deN", nil), ("upX de upN", nil),
    ("up upN", "INVALID_ARGUMENT"), ("up deN", "INVALID_ARGUMENT"),
    ("upX deN", "INVALID_ARGUMENT"), ("upX upN", "INVALID_ARGUMENT"),
    ("upN deN", "INVALID_ARGUMENT"), ("upN upN", "INVALID_ARGUMENT"),
    ("de upX", "INVALID_ARGUMENT"), ("de deX", "INVALID_ARGUMENT"),
    ("deN upX", "INVALID_ARGUMENT"), ("deX up deN", "INVALID_ARGUMENT"),
    ("upV up", nil), ("upV upV", nil), ("upV deV", nil), ("deV deV", nil), ("deV upN", nil),
    ("up upV", "INVALID_ARGUMENT"), ("upX deV", "INVALID_ARGUMENT"),
    ("upV upW", "INVALID_ARGUMENT"), ("deV upV", "INVALID_ARGUMENT"),
    ("deV deW", "INVALID_ARGUMENT"), ("deV upX", "INVALID_ARGUMENT"),
    ("upV deN", "INVALID_ARGUMENT"), ("upW up", "FAILED_PRECONDITION"),
    ("upN up", "ALREADY_EXISTS"), ("upN de", "ALREADY_EXISTS"),
    ("veX up", "INVALID_ARGUMENT"), ("up veX", "INVALID_ARGUMENT"),
    ("veX veX", "INVALID_ARGUMENT"), ("veX de", "INVALID_ARGUMENT"), ("veX", nil),
  ]

  @Test(arguments: Backend.present, sequences)
  func `writes of one commit that contradict each other are an invalid argument`(
    backend: Backend, row: (String, String?)
  ) async throws {
    try await backend.run("sequences") { client in
      let id = row.0.replacing(" ", with: "-")
      _ = try await client.put([client.document("c/\(id)", ["n": .integer(1)])])
      let stored = try Document(json: try await client.send(.get, "/c/\(id)").json)
      let time = try #require(stored.updateTime).rfc3339
      let writes = row.0.split(separator: " ").map {
        Self.write(String($0), stored.name, time)
      }
      let status = try await client.refusal(
        .post, ":commit", #"{"writes":[\#(writes.joined(separator: ","))]}"#)
      #expect(status == row.1)
      guard status != nil else { return }
      let kept = try Document(json: try await client.send(.get, "/c/\(id)").json)
      #expect(kept == stored, "a refused commit changes nothing")
    }
  }

  @Test(arguments: Backend.present, ["upW", "deW", "veW"])
  func `an update time that a missing document should have is a failed precondition`(
    backend: Backend, word: String
  ) async throws {
    try await backend.run("missing") { client in
      let write = Self.write(word, "\(client.root)/c/none", Self.stale)
      let reply = try await client.send(.post, ":commit", #"{"writes":[\#(write)]}"#)
      #expect(reply.status == 400)
      #expect(try reply.errorStatus == "FAILED_PRECONDITION")
      let batch = try await client.send(.post, ":batchWrite", #"{"writes":[\#(write)]}"#)
      #expect(batch.status == 200)
      #expect(try batch.json["status"]?.elements().first?["code"] == .number("9"))
      if backend == .embedded {
        let query = "?currentDocument.updateTime=\(Self.stale)"
        let patch = try await client.refusal(.patch, "/c/none\(query)", "{}")
        #expect(patch == "FAILED_PRECONDITION", "Google's emulator overlooks it here")
      }
      #expect(try await client.send(.get, "/c/none").status == 404)
    }
  }
}
