import Fixtures
import HTTP
import Testing

@testable import Firestore

/// Answers that are cut, twisted or without end: an error each, never a short or wrong result.
@Suite struct BadAnswerTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")])
  private static let name = "projects/demo/databases/(default)/documents/C/D"

  /// A call, and a whole answer that it takes.
  struct Call: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: String
    /// What the call makes of the answer.
    let result: [String]
    let perform: @Sendable (FirestoreClient) async throws -> [String]
  }

  private static let document =
    #"{"name":"\#(name)","fields":{"é":{"stringValue":"🤩\n"},"b":{"mapValue":{"fields":"#
    + #"{"n":{"doubleValue":-1.5e3}}}}},"createTime":"2026-01-31T08:00:00Z","#
    + #""updateTime":"2026-01-31T08:00:00.5Z"}"#

  private static let time = #""readTime":"2026-01-31T08:00:00Z""#

  static let calls: [Call] = [
    Call(
      testDescription: "runQuery", answer: #"[{"document":\#(document),\#(time)},{\#(time)}]"#,
      result: [name]
    ) { try await $0.runQuery(query).documents.map(\.name) },
    Call(
      testDescription: "page", answer: #"[{"document":\#(document),\#(time)},{\#(time)}]"#,
      result: [name]
    ) { try await $0.scannedNames(query) },
    Call(
      testDescription: "count",
      answer: #"[{"result":{"aggregateFields":{"count":{"integerValue":"12"}}},\#(time)}]"#,
      result: ["12"]
    ) { ["\(try await $0.count(of: query))"] },
    Call(testDescription: "get", answer: document, result: ["D"]) {
      let found = try await $0.document(at: "C/D")
      return [found].compactMap { $0?.id }
    },
    Call(
      testDescription: "list", answer: #"{"documents":[\#(document)],"nextPageToken":"t"}"#,
      result: ["D"]
    ) { try await $0.documentIds(in: $0.endpoint.root.appending(path: "C"), count: 1) },
    Call(
      testDescription: "batchGet", answer: #"[{"found":\#(document),\#(time)}]"#, result: ["C/D"]
    ) { try await $0.documents(at: ["C/D"]).map(\.key) },
    Call(
      testDescription: "commit",
      answer: #"{"writeResults":[{"updateTime":"2026-01-31T08:00:00Z"}],"commitTime":null}"#,
      result: ["1"]
    ) {
      let write = Write(.update(Document(name: name, fields: [:]), mask: nil))
      return ["\(try await $0.commit([write]).results.count)"]
    },
    Call(
      testDescription: "batchWrite",
      answer: #"{"writeResults":[{"updateTime":"2026-01-31T08:00:00Z"}],"status":[{}]}"#,
      result: ["1"]
    ) {
      let write = Write(.update(Document(name: name, fields: [:]), mask: nil))
      return ["\(try await $0.batchWrite([write]).count)"]
    },
    Call(testDescription: "createDocument", answer: document, result: ["D"]) {
      let collection = try $0.endpoint.root.appending(path: "C")
      return [try await $0.createDocument(in: collection, id: "D", fields: [:]).id]
    },
    Call(
      testDescription: "partitionQuery",
      answer: #"{"partitions":[{"values":[{"referenceValue":"\#(name)"}],"before":true}]}"#,
      result: [name]
    ) { try await $0.partitionPoints(of: query, count: 3) },
    Call(
      testDescription: "explain",
      answer: #"[{"explainMetrics":{"planSummary":{"indexesUsed":[{"properties":"(a ASC)"}]}}}]"#,
      result: ["(a ASC)"]
    ) { try await $0.explain(query)?.map(\.properties) ?? [] },
  ]

  private static let once = RetryPolicy(attemptLimit: 1, random: { 0.5 })

  /// What comes of the call when the server answers with these bytes.
  private func failure(of call: Call, _ answer: ScriptedAnswer) async throws -> FirestoreError? {
    let stage = try Stage([answer], retry: Self.once)
    return await #expect(throws: FirestoreError.self) { try await call.perform(stage.client) }
  }

  @Test(arguments: calls)
  func `an answer that is cut at any byte is an error`(call: Call) async throws {
    let bytes = Array(call.answer.utf8)
    let answers = (0...bytes.count).map { length in
      ScriptedAnswer.response(
        headers: [("Content-Type", "application/json")], body: Array(bytes[..<length]))
    }
    let stage = try Stage(answers, retry: Self.once)
    for length in 0..<bytes.count {
      let error = await #expect(throws: FirestoreError.self, "cut after \(length) bytes") {
        try await call.perform(stage.client)
      }
      guard case .malformedAnswer? = error else {
        Issue.record("cut after \(length) bytes: \(String(describing: error))")
        continue
      }
    }
    #expect(try await call.perform(stage.client) == call.result)
    #expect(stage.client.traffic.requestCount == bytes.count + 1)
  }

  @Test(arguments: calls)
  func `an answer whose connection ends at any byte is an error`(call: Call) async throws {
    let body = Array(call.answer.utf8)
    let head = ScriptedAnswer.head(200, headers: [("Content-Length", "\(body.count)")])
    for length in stride(from: 0, to: body.count, by: 11) {
      let answer = ScriptedAnswer([.send(head + body[..<length])]).then(.close)
      let error = try await failure(of: call, answer)
      guard case .transport(_, .cutShort)? = error else {
        Issue.record("closed after \(length) bytes: \(String(describing: error))")
        continue
      }
    }
  }

  @Test(arguments: calls)
  func `an answer of another kind is an error`(call: Call) async throws {
    let texts = [
      "", " ", "null", "0", "\"\"", "[]", "[[]]", "[null]", "[0]", "{\"error\":{}}",
      "[{\"error\":{\"status\":\"UNAVAILABLE\"}}]", "<html></html>", call.answer + call.answer,
      call.answer + "x", "\u{FEFF}" + call.answer, ")]}'\n" + call.answer,
      call.answer.replacing("\":", with: "\" "), call.answer.replacing(":", with: ":,"),
      call.answer.replacing("}", with: "]"),
    ]
    for text in texts {
      _ = try await failure(of: call, .json(text))
      _ = try await failure(of: call, .json(text, status: 503))
    }
  }

  @Test(arguments: calls)
  func `a value of another type is an error, or a document all the same`(call: Call) async throws {
    let whole = try JSON(parsing: call.answer.utf8)
    let others = ["null", "true", "-1", "1e999", "99999999999999999999", "\"x\"", "[]", "{}"]
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let other = others[Int.random(in: 0..<others.count, using: &random)]
      let broken = whole.replacingOne(with: try JSON(parsing: other.utf8), using: &random)
      let text = String(decoding: broken.serialized(), as: UTF8.self)
      let stage = try Stage([.json(text)], retry: Self.once)
      do {
        _ = try await call.perform(stage.client)
      } catch is FirestoreError {
        continue
      }
    }
  }

  @Test(arguments: calls.prefix(2), ["[{}]", #"[{"skippedResults":1}]"#, "document"])
  func `an answer that never says when it was read is an error`(call: Call, text: String)
    async throws
  {
    let text = text == "document" ? #"[{"document":\#(Self.document)}]"# : text
    let error = try await failure(of: call, .json(text))
    guard case .malformedAnswer? = error else { throw WireError("taken: \(text)") }
  }

  static let twisted: [(String, String)] = [
    ("bytes that are no UTF-8", "\u{0}"), ("half of a surrogate pair", #"\ud800"#),
    ("the other half", #"\udc00x"#), ("an unknown escape", #"\x41"#), ("a line end", "\n"),
  ]

  @Test(arguments: twisted, ["a", "b"])
  func `a string that is none is an error, wanted or not`(row: (String, String), wanted: String)
    async throws
  {
    let text =
      #"[{"document":{"name":"n","fields":{"a":{"stringValue":"\#(row.1)"}}},\#(Self.time)}]"#
    var bytes = Array(text.utf8)
    for index in bytes.indices where bytes[index] == 0 { bytes[index] = 0xC3 }
    let stage = try Stage([.response(body: bytes)], retry: Self.once)
    let error = await #expect(throws: FirestoreError.self, "\(row.0)") {
      try await stage.client.scannedNames(Self.query, fields: [wanted])
    }
    guard case .malformedAnswer? = error else { throw WireError("\(row.0): not refused") }
    await #expect(throws: FirestoreError.self) { try await stage.client.runQuery(Self.query) }
  }

  @Test(arguments: calls, ["[", "{\"a\":"])
  func `a nesting of 100,000 is an error, not a crash`(call: Call, opening: String) async throws {
    let deep = String(repeating: opening, count: 100_000)
    for text in [deep, "[{\"later\":\(deep)", "[{\"document\":{\"fields\":{\"b\":\(deep)"] {
      let error = try await failure(of: call, .json(text))
      #expect(error?.description.contains("nested too deeply") == true)
    }
  }

  @Test(arguments: [0, 1])
  func `white space without end is an error at 64 MiB, and is asked for once`(index: Int)
    async throws
  {
    let head = Array("HTTP/1.1 200 OK\r\n\r\n[".utf8)
    let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
    let stage = try Stage([ScriptedAnswer([.send(head), .sendForEver(spaces)])])
    let error = await #expect(throws: FirestoreError.self) {
      try await Self.calls[index].perform(stage.client)
    }
    guard case .transport(_, .tooLarge(_, limit: 64 << 20))? = error else {
      throw WireError("not too large: \(String(describing: error))")
    }
    #expect(stage.server.requests.count == 1)
    #expect(error?.description.contains("Ask for less at a time") == true)
  }

  @Test func `millions of tiny values are an error before they fill the memory`() async throws {
    let text = "[{\"later\":[" + String(repeating: "0,", count: 2_100_000) + "0],\(Self.time)}]"
    let stage = try Stage([.json(text)], retry: Self.once)
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    #expect(error?.description.contains("more values than are read") == true)
    #expect(try await stage.client.scannedNames(Self.query).isEmpty)
  }

  static let counts = ["-1", "9007199254740993", "9223372036854775807", "9223372036854775808"]

  @Test(arguments: counts)
  func `a count that no database has is an error, not an overflow`(count: String) async throws {
    let answer = #"[{"result":{"aggregateFields":{"count":{"integerValue":"\#(count)"}}}}]"#
    let stage = try Stage([.json(answer)], retry: Self.once)
    await #expect(throws: FirestoreError.self) { try await stage.client.count(of: Self.query) }
    #expect(stage.client.traffic.billedReadCount == 0)
  }

  @Test(arguments: ["2147483647", "2147483648", "-1"])
  func `skipped results are counted within 32 bits`(count: String) async throws {
    let element = #"{"skippedResults":\#(count)}"#
    let stage = try Stage([.json("[\(element),\(element),{\(Self.time)}]")], retry: Self.once)
    guard count == "2147483647" else {
      await #expect(throws: FirestoreError.self) { try await stage.client.runQuery(Self.query) }
      await #expect(throws: FirestoreError.self) {
        try await stage.client.scannedNames(Self.query)
      }
      return
    }
    #expect(try await stage.client.runQuery(Self.query).skippedCount == 4_294_967_294)
    #expect(try await stage.client.scannedNames(Self.query).isEmpty)
    #expect(stage.client.traffic.billedReadCount == 2 * 4_294_967_294)
  }
}

extension FirestoreClient {
  /// The names of a page's documents, as a pull reads them.
  fileprivate func scannedNames(
    _ query: StructuredQuery, fields: [String] = ["b"]
  ) async throws -> [String] {
    var scanner = DocumentScanner(fields: fields)
    var names: [String] = []
    try await page(of: query) { bytes in
      names.removeAll()
      return try scanner.scan(&bytes) { document, buffer in
        names.append(String(decoding: buffer[document.name], as: UTF8.self))
      }
    }
    return names
  }
}

extension JSON {
  /// Puts `other` in the place of one value somewhere inside.
  fileprivate func replacingOne(with other: JSON, using random: inout SeededGenerator) -> JSON {
    guard Int.random(in: 0..<6, using: &random) > 0 else { return other }
    switch self {
    case .object(var members):
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      guard let key = keys.randomElement(using: &random) else { return other }
      members[key] = members[key]?.replacingOne(with: other, using: &random)
      return .object(members)
    case .array(var elements):
      guard let index = elements.indices.randomElement(using: &random) else { return other }
      elements[index] = elements[index].replacingOne(with: other, using: &random)
      return .array(elements)
    default: return other
    }
  }
}
