import Firestore
import Fixtures
import HTTP
import Testing

/// Requests that are broken, and a server that answers them all.
@Suite struct HostileRequestTests {
  /// A verb and a body that the server takes.
  private func requests(_ root: String) -> [(String, String)] {
    let query =
      #"{"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"op":"AND","filters":[{"fieldFilter":{"field":{"fieldPath":"a"},"op":5,"value":{"integerValue":"1"}}},{"unaryFilter":{"field":{"fieldPath":"`b c`"},"op":"IS_NULL"}}]}},"orderBy":[{"field":{"fieldPath":"a"},"direction":2}],"limit":3,"startAt":{"values":[{"integerValue":"7"}],"before":true}}"#
    return [
      (":runQuery", #"{"structuredQuery":\#(query),"explainOptions":{"analyze":true}}"#),
      (
        ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":\#(query),"aggregations":[{"alias":"x","count":{"upTo":"5"}},{"avg":{"field":{"fieldPath":"a"}}}]}}"#
      ),
      (
        ":commit",
        #"{"writes":[{"update":{"name":"\#(root)/c/a","fields":{"a":{"mapValue":{"fields":{"x":{"arrayValue":{"values":[{"doubleValue":"NaN"},{"bytesValue":"AA=="}]}}}}}}},"updateMask":{"fieldPaths":["a.x"]},"updateTransforms":[{"fieldPath":"t","setToServerValue":"REQUEST_TIME"}],"currentDocument":{"exists":false}}]}"#
      ),
      (":batchWrite", #"{"writes":[{"delete":"\#(root)/c/a"}],"labels":{"a":"b"}}"#),
      (
        ":batchGet",
        #"{"documents":["\#(root)/c/a"],"mask":{"fieldPaths":["a"]},"newTransaction":{"readOnly":{}}}"#
      ),
      (":beginTransaction", #"{"options":{"readWrite":{"retryTransaction":"AAAA"}}}"#),
      (":rollback", #"{"transaction":"MQ=="}"#),
      (":listCollectionIds", #"{"pageSize":3,"pageToken":"6162"}"#),
      (
        ":partitionQuery",
        #"{"structuredQuery":{"from":[{"collectionId":"c","allDescendants":true}]},"partitionCount":"3"}"#
      ),
      ("/c", #"{"fields":{"a":{"geoPointValue":{"latitude":1,"longitude":2}}}}"#),
    ]
  }

  /// Every status that a broken request may get.
  private static let refusals = [400, 404, 409]

  @Test func `a body that is cut anywhere is an invalid argument`() async throws {
    try await TestClock.withServer { client, _ in
      for (path, body) in requests(client.root) {
        for count in stride(from: 1, to: body.utf8.count, by: 7) {
          let cut = String(decoding: body.utf8.prefix(count), as: UTF8.self)
          let reply = try await client.send(.post, path, cut)
          #expect(try reply.errorStatus == "INVALID_ARGUMENT", "\(path) \(cut)")
        }
      }
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  /// What takes the place of some value of a request.
  private static let replacements = [
    "null", "true", "-1", "1e999", "99999999999999999999", #""""#, #""x""#, "[]", "{}", "[[]]",
    #"{"a":1}"#, #""\u0000""#, #""SOME_ENUM""#, #""__name__""#, "0", "[null]", #"[{}]"#,
  ]

  @Test(arguments: FuzzCases.seeds(2, orMany: 3))
  func `a value of another type is refused or means nothing`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    try await TestClock.withServer { client, _ in
      for (path, body) in requests(client.root) {
        let parsed = try JSON(parsing: Array(body.utf8))
        for _ in 0..<40 {
          let other = Self.replacements.randomElement(using: &random) ?? "null"
          let broken = parsed.replacingValue(
            with: try JSON(parsing: Array(other.utf8)), random: &random)
          let text = String(decoding: broken.serialized(), as: UTF8.self)
          let reply = try await client.send(.post, path, text)
          #expect(
            reply.status == 200 || Self.refusals.contains(reply.status),
            "seed \(seed): \(path) \(text) \(reply.text.prefix(200))")
          guard reply.status != 200 else { continue }
          #expect(try reply.errorStatus != nil)
        }
      }
    }
  }

  @Test(arguments: [99, 100, 101, 100_000])
  func `deep nesting is refused`(depth: Int) async throws {
    try await TestClock.withServer { client, _ in
      for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
        let body =
          String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        for path in ["/c", ":runQuery", ":commit"] {
          let status = try await client.refusal(.post, path, body)
          #expect(status == "INVALID_ARGUMENT")
        }
      }
      let filter = (0..<200).reduce(#"{"unaryFilter":{"field":{"fieldPath":"a"},"op":2}}"#) {
        inner, _ in
        #"{"compositeFilter":{"op":1,"filters":[\#(inner)]}}"#
      }
      let query = #"{"structuredQuery":{"where":\#(filter)}}"#
      let status = try await client.refusal(.post, ":runQuery", query)
      #expect(status == "INVALID_ARGUMENT")
    }
  }

  @Test func `more disjunctions than can be counted are refused`() async throws {
    try await TestClock.withServer { client, _ in
      let value = #"{"integerValue":"1"}"#
      let values = Array(repeating: value, count: 30).joined(separator: ",")
      let any =
        #"{"fieldFilter":{"field":{"fieldPath":"a"},"op":"IN","value":{"arrayValue":{"values":[\#(values)]}}}}"#
      func composite(_ operation: String, _ filters: [String]) -> String {
        #"{"compositeFilter":{"op":"\#(operation)","filters":[\#(filters.joined(separator: ","))]}}"#
      }
      let huge = composite("AND", Array(repeating: any, count: 7))
      let sum = composite("OR", Array(repeating: huge, count: 3))
      for filter in [sum, composite("AND", [huge, sum]), composite("AND", [sum, sum])] {
        let status = try await client.refusal(
          .post, ":runQuery",
          #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":\#(filter)}}"#)
        #expect(status == "INVALID_ARGUMENT")
      }
    }
  }

  @Test(arguments: [
    (20, "null", 200), (21, "null", 200), (22, "null", 400), (100_000, "null", 400),
    (20, "array", 200), (21, "array", 400), (1, "__x__", 400),
  ])
  func `a transform makes nothing that could not be stored`(
    depth: Int, kind: String, status: Int
  ) async throws {
    try await TestClock.withServer { client, _ in
      let path = kind == "__x__" ? "a.__x__" : String(repeating: "a.", count: depth - 1) + "a"
      let operation =
        kind == "array"
        ? #""appendMissingElements":{"values":[{"integerValue":"1"}]}"#
        : #""increment":{"integerValue":"1"}"#
      let write =
        #"{"update":{"name":"\#(client.root)/c/a"},"updateTransforms":[{"fieldPath":"\#(path)",\#(operation)}]}"#
      let reply = try await client.send(.post, ":commit", #"{"writes":[\#(write)]}"#)
      #expect(reply.status == status, "\(reply.text.prefix(200))")
      let mask =
        #"{"update":{"name":"\#(client.root)/c/b"},"updateMask":{"fieldPaths":["\#(path)"]}}"#
      let masked = try await client.send(.post, ":commit", #"{"writes":[\#(mask)]}"#)
      #expect(masked.status == (kind == "__x__" ? 400 : 200), "as Google's emulator has it")
    }
  }

  static let enums: [(String, String)] = [
    (#""op":5"#, #""op":0"#), (#""op":5"#, #""op":99"#), (#""op":5"#, #""op":"equal""#),
    (#""op":5"#, #""op":-5"#), (#""op":5"#, #""op":"OPERATOR_UNSPECIFIED""#),
    (#""op":"AND""#, #""op":3"#), (#""op":"IS_NULL""#, #""op":1"#),
    (#""direction":2"#, #""direction":3"#), (#""direction":2"#, #""direction":"DOWN""#),
  ]

  @Test(arguments: enums)
  func `an enum is one of its names or numbers`(row: (String, String)) async throws {
    try await TestClock.withServer { client, _ in
      let body = requests(client.root)[0].1
      #expect(try await client.send(.post, ":runQuery", body).status == 200)
      let broken = body.replacing(row.0, with: row.1)
      #expect(broken != body)
      let reply = try await client.send(.post, ":runQuery", broken)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  static let names = [
    "", "c", "c/a/b", "/c/a", "c/a/", "c//a", "../c/a", "c/..", "c/__x__", "__c__/a",
  ]

  @Test(arguments: names)
  func `what is no document's name is refused in bodies, too`(path: String) async throws {
    try await TestClock.withServer { client, _ in
      let name = "\(client.root)/\(path)"
      for (verb, body) in [
        (":batchGet", #"{"documents":["\#(name)"]}"#),
        (":commit", #"{"writes":[{"delete":"\#(name)"}]}"#),
        (":batchWrite", #"{"writes":[{"update":{"name":"\#(name)"}}]}"#),
        (
          ":commit",
          #"{"writes":[{"transform":{"document":"\#(name)","fieldTransforms":[{"fieldPath":"a","increment":{"integerValue":"1"}}]}}]}"#
        ),
      ] {
        let reply = try await client.send(.post, verb, body)
        #expect(try reply.errorStatus == "INVALID_ARGUMENT", "\(verb) \(reply.text)")
      }
    }
  }

  @Test func `names of another database are refused`() async throws {
    try await TestClock.withServer { client, _ in
      let name = "projects/other/databases/(default)/documents/c/a"
      for (verb, body) in [
        (":batchGet", #"{"documents":["\#(name)"]}"#),
        (":commit", #"{"writes":[{"delete":"\#(name)"}]}"#),
        (":batchWrite", #"{"writes":[{"delete":"\#(name)"}]}"#),
      ] {
        let status = try await client.refusal(.post, verb, body)
        #expect(status == "INVALID_ARGUMENT")
      }
    }
  }

  @Test(arguments: [":listen", ":write"])
  func `what needs a stream is not implemented`(verb: String) async throws {
    try await TestClock.withServer { client, _ in
      let status = try await client.refusal(.post, verb, "{}")
      #expect(status == "UNIMPLEMENTED")
    }
  }
}

extension JSON {
  /// Puts `other` in the place of one value somewhere inside, each as likely as the next by level.
  fileprivate func replacingValue(
    with other: JSON, random: inout SeededGenerator
  ) -> JSON {
    switch self {
    case .object(var members) where random.integer(0...9) > 0:
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      guard let key = keys.randomElement(using: &random) else { return other }
      members[key] = members[key]?.replacingValue(with: other, random: &random)
      return .object(members)
    case .array(var elements) where random.integer(0...9) > 0:
      guard let index = elements.indices.randomElement(using: &random) else { return other }
      elements[index] = elements[index].replacingValue(with: other, random: &random)
      return .array(elements)
    default: return other
    }
  }
}
