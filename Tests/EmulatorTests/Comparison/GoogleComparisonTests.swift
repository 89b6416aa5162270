import Emulator
import Firestore
import Fixtures
import HTTP
import Testing

/// The same documents and queries, put to our server and to Google's emulator.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct GoogleComparisonTests {
  @Test(arguments: FuzzCases.seeds(1, orMany: 20))
  func `random queries answer the same documents in the same order`(seed: UInt64) async throws {
    let project = "random-\(seed)"
    let google = RESTClient(address: try await GoogleEmulator.shared().address, project: project)
    let server = try await EmulatorServer.start()
    let ours = RESTClient(address: server.address, project: project)
    var random = RandomQueries(seed: seed, root: ours.root)
    let documents = random.documents(60)
    #expect(try await google.put(documents).status == 200)
    #expect(try await ours.put(documents).status == 200)
    for number in 0..<120 {
      let query = random.query()
      let expected = try await google.query(query)
      let answer = try await ours.query(query)
      let text = String(decoding: query.json.serialized(), as: UTF8.self)
      #expect(
        answer.status == expected.status,
        "seed \(seed), query \(number): \(text) \(expected.text.prefix(300)) \(answer.text.prefix(300))"
      )
      guard expected.status == 200, answer.status == 200 else { continue }
      #expect(try answer.ids == expected.ids, "seed \(seed), query \(number): \(text)")
    }
    try await server.stop()
  }

  @Test(arguments: FuzzCases.seeds(1, orMany: 20))
  func `random queries project and aggregate alike`(seed: UInt64) async throws {
    let project = "aggregate-\(seed)"
    let google = RESTClient(address: try await GoogleEmulator.shared().address, project: project)
    let server = try await EmulatorServer.start()
    let ours = RESTClient(address: server.address, project: project)
    var random = RandomQueries(seed: seed &+ 100, root: ours.root)
    let documents = random.documents(60)
    #expect(try await google.put(documents).status == 200)
    #expect(try await ours.put(documents).status == 200)
    for number in 0..<80 {
      var query = random.query()
      query.select = random.selection()
      let expected = try await google.query(query)
      let answer = try await ours.query(query)
      let text = "seed \(seed), query \(number): " + query.text
      #expect(answer.status == expected.status, "\(text)")
      guard expected.status == 200, answer.status == 200 else { continue }
      #expect(try answer.fields == expected.fields, "\(text)")
      query.select = nil
      let sums = try await google.aggregate(query)
      let held = try await ours.aggregate(query)
      #expect(held == sums, "\(text)")
    }
    try await server.stop()
  }

  @Test(arguments: FuzzCases.seeds(1, orMany: 3))
  func `random commits leave the same documents`(seed: UInt64) async throws {
    let project = "writes-\(seed)"
    let google = RESTClient(address: try await GoogleEmulator.shared().address, project: project)
    let server = try await EmulatorServer.start()
    let ours = RESTClient(address: server.address, project: project)
    var random = RandomWrites(seed: seed, root: ours.root)
    for number in 0..<150 {
      let body = random.body()
      let verb = number % 3 == 0 ? ":batchWrite" : ":commit"
      let text = "seed \(seed), commit \(number): \(verb) \(body)"
      let expected = try await google.send(.post, verb, body)
      let answer = try await ours.send(.post, verb, body)
      #expect(answer.status == expected.status, "\(text) \(expected.text) \(answer.text)")
      #expect(try answer.errorStatus == expected.errorStatus, "\(text)")
      #expect(try answer.outcomes == expected.outcomes, "\(text)")
      let stored = try await google.query(StructuredQuery(from: [.init(collectionId: "c")]))
      let held = try await ours.query(StructuredQuery(from: [.init(collectionId: "c")]))
      #expect(try held.fields == stored.fields, "\(text)")
    }
    try await server.stop()
  }
}

extension StructuredQuery {
  fileprivate var text: String { String(decoding: json.serialized(), as: UTF8.self) }
}

extension RESTClient {
  /// The results of a count, a sum and an average over the query, or the error's status.
  fileprivate func aggregate(_ query: StructuredQuery) async throws -> [String: Value]? {
    let over = #"{"field":{"fieldPath":"b"}}"#
    let reply = try await send(
      .post, ":runAggregationQuery",
      #"{"structuredAggregationQuery":{"structuredQuery":\#(query.text),"aggregations":[{"alias":"c","count":{"upTo":"7"}},{"alias":"s","sum":\#(over)},{"alias":"a","avg":\#(over)}]}}"#
    )
    guard reply.status == 200 else { return nil }
    let fields = try reply.elements.first?["result"]?["aggregateFields"]
    return try fields.map(Value.fields(json:))
  }
}

extension RESTClient.Reply {
  /// The fields of the documents of a streamed answer, in their order.
  fileprivate var fields: [[String: Value]] {
    get throws {
      try elements.compactMap { try $0["document"].map { try Document(json: $0).fields } }
    }
  }

  /// What each write of a commit or a batch came to: a code, and the results of transforms.
  fileprivate var outcomes: [Outcome] {
    get throws {
      let results = try json["writeResults"]?.elements() ?? []
      let statuses = try json["status"]?.elements() ?? []
      return try results.enumerated().map { index, result in
        Outcome(
          code: index < statuses.count ? try statuses[index]["code"]?.integer() ?? 0 : 0,
          transformed: try result["transformResults"]?.elements().map(Value.init(json:)) ?? [])
      }
    }
  }

  fileprivate struct Outcome: Equatable {
    let code: Int64
    let transformed: [Value]
  }
}
