import Firestore
import Model

/// The endpoints for queries; most answer with a streamed array.
extension Endpoints {
  /// Runs a query; an empty result is one element with only a `readTime`.
  func runQuery(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(
      request: body, "structuredQuery", "readTime", "transaction", "newTransaction",
      "explainOptions",
      "parent")
    try Endpoints.requireParent(parent)
    guard let json = message["structuredQuery"] else {
      throw RefusedRequest.invalid("only structured queries are supported")
    }
    let query = try StructuredQuery(json: json)
    var documentCount = 0
    var response = try run(query, below: parent, message) {
      reader throws(RefusedRequest) in
      try reader.results(of: query, below: parent)
    } elements: { results, readTime, isExplained in
      var elements = results.documents.map {
        Endpoints.envelope($0, readTime: readTime, as: "document")
      }
      if elements.isEmpty || isExplained { elements.append(readTime.envelope) }
      if results.skipped > 0 { elements[0].add("skippedResults", .integer(results.skipped)) }
      documentCount = results.documents.count
      let scanned = documentCount + results.skipped
      return (
        elements,
        .init(resultCount: documentCount, readCount: max(1, scanned), scanned: scanned)
      )
    }
    response.documentCount = documentCount
    return response
  }

  func runAggregationQuery(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    let message = try Message(
      request: body, "structuredAggregationQuery", "readTime", "transaction", "newTransaction",
      "explainOptions", "parent")
    try Endpoints.requireParent(parent)
    guard let json = message["structuredAggregationQuery"] else {
      throw RefusedRequest.invalid("only structured aggregation queries are supported")
    }
    let content = try Message(json, "structuredQuery", "aggregations")
    let aggregations = try Aggregation.named(content.list("aggregations"))
    let query = try StructuredQuery(json: content["structuredQuery"] ?? .object([:]))
    guard query.select == nil || aggregations.allSatisfy({ $0.1.field == nil }) else {
      throw RefusedRequest.invalid(
        "Cannot apply property masks when aggregation fields are present.")
    }
    return try run(query, below: parent, message) {
      reader throws(RefusedRequest) in
      try reader.aggregate(aggregations.map(\.1), of: query, below: parent)
    } elements: { results, readTime, _ in
      let values = zip(aggregations.map(\.0), results.values.map(\.json))
      var element = readTime.envelope
      element.add(
        "result",
        .object(["aggregateFields": .object(Dictionary(uniqueKeysWithValues: values))]))
      let scanned = results.documentCount
      let reads = max(1, (scanned + 999) / 1000)
      return ([element], .init(resultCount: 1, readCount: reads, scanned: scanned))
    }
  }

  /// Answers a query with its elements, and with the explanation that the request asks for.
  private func run<Content>(
    _ query: StructuredQuery, below parent: ResourceName, _ message: Message,
    read: (inout SnapshotReader) throws(RefusedRequest) -> Content,
    elements: (Content, Timestamp, _ isExplained: Bool) -> ([JSON], QueryExplanation.Execution)
  ) throws -> ServerResponse {
    try QueryCheck.check(query, isIn: parent.databaseName)
    let options = try message["explainOptions"].map { try Message($0, "analyze") }
    guard options == nil || rules.explainsQueries else {
      throw RefusedRequest(.unimplemented, EditionRules.explainRefusal)
    }
    let explanation = try options.map { _ in QueryExplanation(try QueryPlan(query, rules)) }
    if let explanation, try options?.flag("analyze") == false {
      return ServerResponse(streaming: [.object(["explainMetrics": explanation.plan])])
    }
    let start = documents.clock()
    let found = try documents.read(parent.databaseName, try message.consistency, read)
    var (elements, execution) = elements(found.content, found.readTime, explanation != nil)
    if let explanation {
      let elapsed = max(0, documents.clock().microseconds - start.microseconds)
      elements[elements.count - 1].add(
        "explainMetrics", explanation.executed(execution, microseconds: elapsed))
    }
    return ServerResponse(streaming: found.begunElement + elements)
  }

  /// Answers one cursor per cut, before the first document of each further partition.
  func partitionQuery(below parent: ResourceName, _ body: JSON) throws -> ServerResponse {
    guard rules.servesPartitionQueries else { throw Endpoints.unserved("PartitionQuery") }
    let message = try Message(
      request: body, "structuredQuery", "partitionCount", "pageSize", "pageToken", "readTime",
      "parent")
    guard let json = message["structuredQuery"], parent.isRoot else {
      throw RefusedRequest.invalid("a partition query has a structuredQuery, and no document above")
    }
    let query = try StructuredQuery(json: json)
    try Partition.check(query, rules)
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
    return Endpoints.page("partitions", of: points, size: size, scope: scope) {
      .object(["values": .array([Value.reference($0).json]), "before": .boolean(true)])
    } position: {
      [.reference($0)]
    }
  }

  static func requireParent(_ name: ResourceName) throws(RefusedRequest) {
    guard name.isRoot || name.isDocument else {
      throw .invalid("\"\(name)\" is neither the root of a database nor a document")
    }
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
  mutating func add(_ key: String, _ value: JSON) {
    guard case .object(var members) = self else { return }
    members[key] = value
    self = .object(members)
  }
}

/// Splits a collection group into partitions that can be read concurrently.
enum Partition {
  /// At most `count` names that cut the documents, which are in their order, into partitions of
  /// similar size.
  ///
  /// Fewer than `count` when there are not enough documents.
  static func points(of documents: [Document], count: Int) -> [String] {
    let cuts = min(count, documents.count - 1)
    guard cuts > 0 else { return [] }
    return (1...cuts).map { documents[$0 * documents.count / (cuts + 1)].name }
  }

  /// Throws unless the query is over a collection group by name; see
  /// `docs/firestore.md#partitions`.
  static func check(
    _ query: StructuredQuery, _ rules: EditionRules
  ) throws(RefusedRequest) {
    guard query.from.count == 1, query.from[0].allDescendants, query.from[0].collectionId != nil
    else { throw .invalid("Partition queries must be over one collection group.") }
    let byName = StructuredQuery.Order(field: .documentName)
    guard query.orderBy.isEmpty || query.orderBy == [byName] else {
      throw .invalid("Partition queries must be ordered by __name__ ascending, or not at all.")
    }
    try QueryCheck.check(query, rules)
    guard query.filter == nil, query.startAt == nil, query.endAt == nil, query.offset == 0,
      query.limit == nil
    else {
      throw .invalid("Partition queries take no filters, cursors, offset or limit.")
    }
  }
}
