import Firestore

/// The endpoints for queries, most of which answer a streamed array.
extension Endpoints {
  /// Runs a query; an empty result is one element with only a `readTime`.
  func runQuery(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(
      body, "structuredQuery", "readTime", "transaction", "newTransaction", "explainOptions",
      "parent")
    try Endpoints.requireParent(parent)
    guard let json = message["structuredQuery"] else {
      throw RefusedRequest.invalid("only structured queries are supported")
    }
    let query = try StructuredQuery(json: json)
    try QueryCheck.check(query, isIn: parent.databaseName)
    let explanation = try message.explanation(of: query)
    if let explanation, !explanation.runs {
      return ServerResponse(streaming: [explanation.planned])
    }
    let start = documents.clock()
    let found = try documents.read(parent.databaseName, try message.consistency) {
      reader throws(RefusedRequest) in try reader.results(of: query, below: parent)
    }
    let results = found.content
    var elements = results.documents.map {
      Endpoints.envelope($0, readTime: found.readTime, as: "document")
    }
    if elements.isEmpty || explanation != nil { elements.append(found.readTime.envelope) }
    if results.skipped > 0 { elements[0].add("skippedResults", .integer(results.skipped)) }
    if let explanation {
      let count = results.documents.count
      let execution = QueryExplanation.Execution(
        resultCount: count, readCount: max(1, count + results.skipped),
        scanned: count + results.skipped, microseconds: documents.microseconds(since: start))
      elements[elements.count - 1].add("explainMetrics", explanation.content.executed(execution))
    }
    var response = ServerResponse(streaming: found.begunElement + elements)
    response.documentCount = results.documents.count
    return response
  }

  func runAggregationQuery(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(
      body, "structuredAggregationQuery", "readTime", "transaction", "newTransaction",
      "explainOptions", "parent")
    try Endpoints.requireParent(parent)
    guard let json = message["structuredAggregationQuery"] else {
      throw RefusedRequest.invalid("only structured aggregation queries are supported")
    }
    let content = try Message(json, "structuredQuery", "aggregations")
    let aggregations = try Aggregation.named(content.list("aggregations"))
    let query = try StructuredQuery(json: content["structuredQuery"] ?? .object([:]))
    try QueryCheck.check(query, isIn: parent.databaseName)
    let explanation = try message.explanation(of: query)
    if let explanation, !explanation.runs {
      return ServerResponse(streaming: [explanation.planned])
    }
    let start = documents.clock()
    let found = try documents.read(parent.databaseName, try message.consistency) {
      reader throws(RefusedRequest) in
      try reader.aggregate(aggregations.map(\.1), of: query, below: parent)
    }
    let values = zip(aggregations.map(\.0), found.content.values.map(\.json))
    var element = found.readTime.envelope
    element.add(
      "result",
      .object(["aggregateFields": .object(Dictionary(uniqueKeysWithValues: values))]))
    if let explanation {
      let scanned = found.content.documentCount
      let execution = QueryExplanation.Execution(
        resultCount: 1, readCount: max(1, (scanned + 999) / 1000), scanned: scanned,
        microseconds: documents.microseconds(since: start))
      element.add("explainMetrics", explanation.content.executed(execution))
    }
    return ServerResponse(streaming: found.begunElement + [element])
  }

  /// Answers one cursor per cut, before the first document of each further partition.
  func partitionQuery(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(
      body, "structuredQuery", "partitionCount", "pageSize", "pageToken", "readTime", "parent")
    guard let json = message["structuredQuery"], parent.isRoot else {
      throw RefusedRequest.invalid("a partition query has a structuredQuery, and no document above")
    }
    let query = try StructuredQuery(json: json)
    try Partition.check(query)
    guard let count = try message.count("partitionCount"), count > 0 else {
      throw RefusedRequest.invalid("partitionCount must be positive")
    }
    let size = try message.pageSize(default: Int(Int32.max))
    let scope = "\(parent) \(query.from) \(count)"
    let found = try documents.read(parent.databaseName, try message.consistency) {
      reader in
      reader.snapshot.sortedDocuments(of: query.from.first, below: parent)
        ?? reader.snapshot.documents(of: query.from.first, below: parent)
        .sorted { NameOrder.compare($0.name, $1.name) < 0 }
    }
    var points = Partition.points(of: found.content, count: count)
    if let token = try message.text("pageToken"), !token.isEmpty,
      case .reference(let last)? = try PageToken(token, scope: scope).values.first
    {
      points.removeAll { NameOrder.compare($0, last) <= 0 }
    }
    var members: [String: JSON] = [:]
    let page = points.prefix(size)
    if !page.isEmpty { members["partitions"] = .array(page.map(Endpoints.partition)) }
    if points.count > size, let last = page.last {
      members["nextPageToken"] = .string(PageToken(scope: scope, values: [.reference(last)]).text)
    }
    return ServerResponse(json: .object(members))
  }

  private static func partition(at name: String) -> JSON {
    .object(["values": .array([Value.reference(name).json]), "before": .boolean(true)])
  }

  static func requireParent(_ name: ResourceName) throws(RefusedRequest) {
    guard name.isRoot || name.isDocument else {
      throw .invalid("\"\(name)\" is neither the root of a database nor a document")
    }
  }
}

/// The explanation that a request's `explainOptions` ask for.
struct RequestedExplanation {
  let content: QueryExplanation
  /// Whether to execute the query, too.
  let runs: Bool

  /// The only element of the answer when the query is not executed.
  var planned: JSON { .object(["explainMetrics": content.plan]) }
}

extension Message {
  /// Nil without `explainOptions`.
  fileprivate func explanation(of query: StructuredQuery) throws -> RequestedExplanation? {
    guard let json = self["explainOptions"] else { return nil }
    let analyze = try Message(json, "analyze").flag("analyze")
    return RequestedExplanation(content: QueryExplanation(try QueryPlan(query)), runs: analyze)
  }
}

extension DocumentStore {
  /// Elapsed microseconds by the server's clock.
  fileprivate func microseconds(since start: Timestamp) -> Int64 {
    max(0, clock().microseconds - start.microseconds)
  }
}

extension Timestamp {
  /// An element of a streamed array with only a read time.
  fileprivate var envelope: JSON { .object(["readTime": .string(rfc3339)]) }
}

extension DocumentStore.ReadResult {
  /// The first element when the request began a transaction; empty otherwise.
  var begunElement: [JSON] {
    begun.map { [.object(["transaction": .string($0.text)])] } ?? []
  }
}

extension JSON {
  /// Adds a member to an object.
  fileprivate mutating func add(_ key: String, _ value: JSON) {
    guard case .object(var members) = self else { return }
    members[key] = value
    self = .object(members)
  }
}
