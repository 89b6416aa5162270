import HTTP

extension FirestoreClient {
  /// Runs the query under `parent`, a document or the root (nil), and reads all of its answer.
  package func runQuery(
    _ query: StructuredQuery, under parent: ResourceName? = nil, readTime: Timestamp? = nil
  ) async throws -> QueryResult {
    try await perform(queryCall(query, parent, readTime)) { body in
      let result = try QueryResult(answer: body)
      let readCount = result.documents.count + result.skippedCount
      return Reading(result: result, billedReadCount: max(1, readCount))
    }
  }

  /// Runs the query and leaves its answer to a scanner, for pages of many documents.
  ///
  /// `scan` is called once for each try that was answered, and what it collected counts only when
  /// it returns: for an answer that is cut short it throws, and the query is sent again. The bytes,
  /// to which scanned ranges point, are gone afterwards.
  package func runQueryPage(
    _ query: StructuredQuery, under parent: ResourceName? = nil, readTime: Timestamp? = nil,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws -> ScannedPage {
    try await perform(pageCall(query, parent, readTime)) { body in
      let page = try scan(&body)
      pageBuffers.keep(&body)
      let readCount = page.documentCount + page.skippedCount
      return Reading(result: page, billedReadCount: max(1, readCount))
    }
  }

  /// The call of a query whose answer is large.
  func pageCall(
    _ query: StructuredQuery, _ parent: ResourceName?, _ readTime: Timestamp?
  ) -> FirestoreCall {
    var call = queryCall(query, parent, readTime)
    call.buffers = pageBuffers
    return call
  }

  /// Counts the query's documents, up to `upTo` of them where given.
  ///
  /// Google bills one read for each thousand index entries, and at least one.
  package func count(
    _ query: StructuredQuery, under parent: ResourceName? = nil, upTo: Int? = nil,
    readTime: Timestamp? = nil
  ) async throws -> Int {
    try await perform(countCall(query, parent, upTo, readTime)) { body in
      let fields = try StreamedAnswer.elements(body).compactMap { element throws(WireError) in
        try element.optional("result") { json throws(WireError) in
          try json.members().required("aggregateFields", Value.fields(json:))
        }
      }
      guard case .integer(let count)? = fields.first?["count"] else {
        throw WireError("no count is in the answer")
      }
      guard (0...1 << 53).contains(count) else { throw WireError("\(count) is no count") }
      let billedReadCount = max(1, count / 1000 + (count % 1000 > 0 ? 1 : 0))
      return Reading(result: Int(count), billedReadCount: Int(billedReadCount))
    }
  }

  func queryCall(
    _ query: StructuredQuery, _ parent: ResourceName?, _ readTime: Timestamp?
  ) -> FirestoreCall {
    var body: [String: JSON] = ["structuredQuery": query.json]
    body["readTime"] = readTime.map { .string($0.rfc3339) }
    return FirestoreCall(
      url: endpoint.url(parent ?? endpoint.root, method: ":runQuery"),
      body: .object(body), repetition: .read, request: "query \(describe(query, parent))",
      query: query)
  }

  private func countCall(
    _ query: StructuredQuery, _ parent: ResourceName?, _ upTo: Int?, _ readTime: Timestamp?
  ) -> FirestoreCall {
    var count: [String: JSON] = [:]
    count["upTo"] = upTo.map { .string("\($0)") }
    let aggregation = JSON.object(["alias": .string("count"), "count": .object(count)])
    let counted = ["structuredQuery": query.json, "aggregations": .array([aggregation])]
    var body: [String: JSON] = ["structuredAggregationQuery": .object(counted)]
    body["readTime"] = readTime.map { .string($0.rfc3339) }
    return FirestoreCall(
      url: endpoint.url(parent ?? endpoint.root, method: ":runAggregationQuery"),
      body: .object(body), repetition: .read, request: "count \(describe(query, parent))",
      query: query)
  }

  private func describe(_ query: StructuredQuery, _ parent: ResourceName?) -> String {
    let ids = query.from.map { $0.collectionId ?? "every collection" }.joined(separator: ", ")
    return "\(ids) under \(parent ?? endpoint.root)"
  }
}
