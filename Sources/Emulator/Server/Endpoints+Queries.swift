import Firestore

/// The endpoints that answer with a streamed array, and `commit`.
extension Endpoints {
  /// An empty result is one element that has nothing but its `readTime`.
  func runQuery(below parent: ResourceName, _ body: JSON) throws -> Answer {
    let message = try Message(
      body, "structuredQuery", "readTime", "transaction", "newTransaction", "explainOptions",
      "parent")
    try Endpoints.refuse(["transaction", "newTransaction", "explainOptions"], in: message)
    try Endpoints.requireParent(parent)
    let readTime = try message.time("readTime")
    guard let json = message["structuredQuery"] else {
      throw RefusedRequest.invalid("only structured queries are supported")
    }
    let found = try documents.results(of: StructuredQuery(json: json), below: parent)
    let time = readTime ?? found.readTime
    guard !found.content.isEmpty else {
      return Answer(streaming: [.object(["readTime": .string(time.rfc3339)])])
    }
    return Answer(
      streaming: found.content.map { Endpoints.envelope($0, readTime: time, as: "document") })
  }

  func runAggregationQuery(below parent: ResourceName, _ body: JSON) throws -> Answer {
    let message = try Message(
      body, "structuredAggregationQuery", "readTime", "transaction", "newTransaction",
      "explainOptions", "parent")
    try Endpoints.refuse(["transaction", "newTransaction", "explainOptions"], in: message)
    try Endpoints.requireParent(parent)
    guard let json = message["structuredAggregationQuery"] else {
      throw RefusedRequest.invalid("only structured aggregation queries are supported")
    }
    let query = try Message(json, "structuredQuery", "aggregations")
    let aggregations = try Endpoints.aggregations(query.list("aggregations"))
    let found = try documents.aggregate(
      aggregations.map(\.1), of: StructuredQuery(json: query["structuredQuery"] ?? .object([:])),
      below: parent)
    let values = zip(aggregations.map(\.0), found.content.map(\.json))
    let result = JSON.object(["aggregateFields": .object(Dictionary(uniqueKeysWithValues: values))])
    let time = try message.time("readTime") ?? found.readTime
    return Answer(streaming: [.object(["result": result, "readTime": .string(time.rfc3339)])])
  }

  func batchGet(_ body: JSON) throws -> Answer {
    let message = try Message(
      body, "documents", "mask", "readTime", "transaction", "newTransaction", "database")
    try Endpoints.refuse(["transaction", "newTransaction"], in: message)
    let mask = try message.mask("mask")
    let readTime = try message.time("readTime")
    let elements = try message.list("documents").map { json in
      let name = try ResourceName(requested: json.text())
      try name.requireDocument()
      let found = documents.document(name)
      let time = readTime ?? found.readTime
      guard let document = found.content else {
        return JSON.object([
          "missing": .string(name.description), "readTime": .string(time.rfc3339),
        ])
      }
      return Endpoints.envelope(document.masked(by: mask), readTime: time, as: "found")
    }
    return Answer(streaming: elements)
  }

  func commit(_ body: JSON) throws -> Answer {
    let message = try Message(body, "writes", "transaction", "database", "labels")
    try Endpoints.refuse(["transaction"], in: message)
    let writes = try message.list("writes").map(StoredWrite.init(json:))
    let done = try documents.commit(writes)
    return Answer(
      json: .object([
        "writeResults": .array(done.results.map(\.json)),
        "commitTime": .string(done.commitTime.rfc3339),
      ]))
  }

  private static func aggregations(_ list: [JSON]) throws -> [(String, Aggregation)] {
    guard (1...5).contains(list.count) else {
      throw RefusedRequest.invalid("a query has between 1 and 5 aggregations")
    }
    let aggregations = try list.enumerated().map { position, json in
      let message = try Message(json, "alias", "count", "sum", "avg")
      let alias = try message.text("alias") ?? "field_\(position + 1)"
      return (alias, try aggregation(message))
    }
    guard Set(aggregations.map(\.0)).count == list.count else {
      throw RefusedRequest.invalid("two aggregations have the same alias")
    }
    return aggregations
  }

  private static func aggregation(_ message: Message) throws -> Aggregation {
    if let count = message["count"] {
      return .count(upTo: try Message(count, "upTo").count("upTo"))
    }
    if let sum = message["sum"] { return .sum(try field(of: sum)) }
    if let average = message["avg"] { return .average(try field(of: average)) }
    throw RefusedRequest.invalid("an aggregation is one of count, sum and avg")
  }

  private static func field(of json: JSON) throws -> FieldPath {
    let reference = try Message(json, "field")["field"] ?? .object([:])
    guard let path = try Message(reference, "fieldPath").text("fieldPath") else {
      throw RefusedRequest.invalid("an aggregation over a field needs its fieldPath")
    }
    return try FieldPath(parsing: path)
  }

  private static func requireParent(_ name: ResourceName) throws(RefusedRequest) {
    guard name.isRoot || name.isDocument else {
      throw .invalid("\"\(name)\" is neither the root of a database nor a document")
    }
  }

  private static func refuse(_ keys: [String], in message: Message) throws(RefusedRequest) {
    for key in keys where message[key] != nil {
      throw RefusedRequest(.unimplemented, "\(key) is not implemented by this server")
    }
  }
}

extension WriteResult {
  fileprivate var json: JSON {
    var members: [String: JSON] = [:]
    members["updateTime"] = updateTime.map { .string($0.rfc3339) }
    if !transformResults.isEmpty {
      members["transformResults"] = .array(transformResults.map(\.json))
    }
    return .object(members)
  }
}
