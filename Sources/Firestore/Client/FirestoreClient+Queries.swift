import HTTP
import Model
import Synchronization

extension FirestoreClient {
  /// Runs the query under `parent`, a document or the root (nil), and decodes the whole answer.
  package func runQuery(
    _ query: StructuredQuery, under parent: ResourceName? = nil, readTime: Timestamp? = nil
  ) async throws -> QueryResult {
    let path = path(of: parent)
    _ = try await access(of: query, under: path, upTo: nil)
    return try await perform(queryCall(query, parent, readTime)) { body in
      let result = try QueryResult(answer: body, from: DocumentOrigin(query, under: parent ?? root))
      guard result.readTime != nil else { throw StreamedResponse.noReadTime }
      return BilledResult(
        result: result, billedReadCount: billedReads(result, of: query, under: path))
    }
  }

  package func documents(
    of query: StructuredQuery, under parent: ResourceName?
  ) async throws -> [Document] {
    try await runQuery(query, under: parent).documents
  }

  /// Calls `scan` once per attempt that was answered.
  ///
  /// When it throws, for example because the answer is cut short, the query is sent again and what
  /// `scan` collected must be discarded. Scanned ranges point into the bytes and are invalid after
  /// `scan` returns.
  package func page(
    of query: StructuredQuery, under parent: String? = nil, readTime: Timestamp? = nil,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    _ = try await access(of: query, under: parent, upTo: nil)
    try await perform(try pageCall(query, parent, readTime)) { body in
      let billed = billedReads(ofPage: body, of: query, under: parent)
      let page = try scan(&body)
      guard page.readTime != nil else { throw StreamedResponse.noReadTime }
      pageBuffers.keep(&body)
      let readCount = billed ?? page.documentCount + page.skippedCount
      return BilledResult(result: (), billedReadCount: max(1, readCount))
    }
  }

  package func origin(
    of query: StructuredQuery, under parent: String?
  ) throws -> DocumentOrigin? {
    DocumentOrigin(query, under: try name(of: parent))
  }

  /// A query call that reuses the memory of earlier pages.
  private func pageCall(
    _ query: StructuredQuery, _ parent: String?, _ readTime: Timestamp?
  ) throws -> FirestoreCall {
    var call = queryCall(query, try name(of: parent), readTime)
    call.buffers = pageBuffers
    return call
  }

  package func count(
    of query: StructuredQuery, under parent: String? = nil, readTime: Timestamp? = nil
  ) async throws -> Int {
    let access = try await access(of: query, under: parent, upTo: nil) ?? .names
    let path = parent
    let parent = try name(of: parent)
    let aggregation = JSON.object(["alias": .string("count"), "count": .object([:])])
    let counted = ["structuredQuery": query.json, "aggregations": .array([aggregation])]
    var body: [String: JSON] = ["structuredAggregationQuery": .object(counted)]
    body["readTime"] = readTime.map { .string($0.rfc3339) }
    let call = FirestoreCall(
      url: endpoint.url(parent, method: ":runAggregationQuery"), body: .object(body),
      repetition: .read, request: "count \(describe(query, parent))", query: query,
      parent: parent)
    return try await perform(call) { body in
      let fields = try StreamedResponse.elements(body).compactMap { element throws(WireError) in
        try element.optional("result") { json throws(WireError) in
          try json.members().required("aggregateFields", Value.fields(json:))
        }
      }
      guard case .integer(let count)? = fields.first?["count"] else {
        throw WireError("no count is in the answer")
      }
      guard (0...1 << 53).contains(count) else { throw WireError("\(count) is not a count") }
      return BilledResult(
        result: Int(count),
        billedReadCount: billedReads(ofCount: Int(count), of: query, under: path, access))
    }
  }

  private func queryCall(
    _ query: StructuredQuery, _ parent: ResourceName?, _ readTime: Timestamp?
  ) -> FirestoreCall {
    var query = query
    if !edition.rules.hasImpliedOrder { query.orderBy = query.completeOrders() }
    var body: [String: JSON] = ["structuredQuery": query.json]
    body["readTime"] = readTime.map { .string($0.rfc3339) }
    return FirestoreCall(
      url: endpoint.url(parent ?? endpoint.root, method: ":runQuery"),
      body: .object(body), repetition: .read, request: "query \(describe(query, parent))",
      query: query, parent: parent)
  }

  /// The path of a document below the root; nil for the root.
  private func path(of parent: ResourceName?) -> String? {
    parent.flatMap { $0 == root ? nil : root.relativePath(of: $0.description) }
  }

  private func describe(_ query: StructuredQuery, _ parent: ResourceName?) -> String {
    let ids = query.from.map { $0.collectionId ?? "every collection" }.joined(separator: ", ")
    return "\(ids) under \(parent ?? endpoint.root)"
  }

  /// Reads all pages of the list `key`, whose elements cost nothing.
  ///
  /// `call` requests the page after a token, the first one for nil.
  ///
  /// - Throws: `FirestoreError.malformedAnswer` for a list that never ends, too.
  func list<Element>(
    _ key: String, _ read: (JSON) throws(WireError) -> Element,
    by call: (_ token: String?) -> FirestoreCall
  ) async throws -> [Element] {
    var elements: [Element] = []
    var token: String?
    var tokens = PageTokens(of: call(nil).request)
    repeat {
      let page = try await perform(call(token)) { body in
        let members = try StreamedResponse.object(body).members()
        return BilledResult(
          result: (try members.list(key, read), try members.nextPageToken()), billedReadCount: 0)
      }
      elements += page.0
      token = page.1
      try tokens.follow(token)
    } while token != nil
    return elements
  }

  package func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    guard edition.rules.servesPartitionQueries else { return [] }
    let names: [String]
    do {
      names = try await list("partitions", Self.partitionPoint) { token in
        partitionCall(query, count, token)
      }
    } catch let error as FirestoreError
      where error.status == .unimplemented || error.reason == .notInEdition
    {
      return []
    }
    return names.sorted { NameOrder.compare($0, $1) < 0 }
      .reduce(into: []) { points, name in
        if points.last.map({ NameOrder.compare($0, name) < 0 }) ?? true { points.append(name) }
      }
  }

  private func partitionCall(
    _ query: StructuredQuery, _ count: Int, _ token: String?
  ) -> FirestoreCall {
    var body = ["structuredQuery": query.json, "partitionCount": JSON.string("\(count)")]
    body["pageToken"] = token.map { .string($0) }
    return FirestoreCall(
      url: endpoint.url(endpoint.root, method: ":partitionQuery"), body: .object(body),
      repetition: .read, request: "cut \(query.from.first?.collectionId ?? "") into partitions")
  }

  /// Reads the split point, a document name, from a cursor of the answer.
  private static func partitionPoint(json: JSON) throws(WireError) -> String {
    let values = try json.members().list("values", Value.init(json:))
    guard case .reference(let name)? = values.first, values.count == 1 else {
      throw WireError("is not cut at the name of a document")
    }
    return name
  }
}

/// A query that was sent before its answer is needed.
struct PrefetchedQuery: Sendable {
  let call: FirestoreCall
  let answer: Task<FirestoreResponse.Box, any Error>

  /// Whether the call would send the same request.
  func matches(_ call: FirestoreCall) -> Bool {
    self.call.url == call.url && self.call.body == call.body
  }
}

struct FirestoreResponse: Sendable {
  var response: HTTPResponse
  let token: AccessToken
}

extension FirestoreResponse {
  /// A holder of an answer until it is taken.
  ///
  /// A task keeps its result, so an answer that is changed in place would be copied.
  final class Box: Sendable {
    private let answer: Mutex<FirestoreResponse?>

    init(_ answer: consuming FirestoreResponse) { self.answer = Mutex(answer) }

    func take() -> FirestoreResponse? {
      answer.withLock { answer in
        defer { answer = nil }
        return answer
      }
    }
  }
}

/// The early request of pages; see `docs/firestore.md#pages-ahead`.
extension FirestoreClient {
  /// The page gets the prefetched answer or error, and retries as usual.
  package func prefetch(
    of query: StructuredQuery, under parent: String? = nil, readTime: Timestamp? = nil
  ) -> Int {
    let call: FirestoreCall
    do {
      call = try pageCall(query, parent, readTime)
    } catch {
      // The page itself fails for the same reason.
      return 0
    }
    guard prefetched.withLock({ $0?.matches(call) }) != true else { return 0 }
    let reads = cancelPrefetched()
    let answer = Task { FirestoreResponse.Box(try await attemptOnce(call)) }
    prefetched.withLock { $0 = PrefetchedQuery(call: call, answer: answer) }
    return reads
  }

  package func dropPrefetched() -> Int {
    pageBuffers.removeAll()
    return cancelPrefetched()
  }

  /// Cancels the prefetched query.
  ///
  /// Google may have begun to answer it, so it counts with the most reads that it may have cost.
  private func cancelPrefetched() -> Int {
    guard let dropped = takePrefetched(where: { _ in true }) else { return 0 }
    dropped.answer.cancel()
    let reads = dropped.call.query.map { mostReads(of: $0, under: path(of: dropped.call.parent)) }
    countLostReads(reads ?? 1)
    return reads ?? 1
  }

  private func takePrefetched(where isWanted: (PrefetchedQuery) -> Bool) -> PrefetchedQuery? {
    prefetched.withLock { prefetched in
      guard let query = prefetched, isWanted(query) else { return nil }
      prefetched = nil
      return query
    }
  }

  /// Sends the call once, or returns the answer to the same query if it was prefetched.
  func answer(to call: FirestoreCall) async throws -> FirestoreResponse {
    guard let sent = takePrefetched(where: { $0.matches(call) }) else {
      return try await attemptOnce(call)
    }
    let box = try await withTaskCancellationHandler {
      try await sent.answer.value
    } onCancel: {
      sent.answer.cancel()
    }
    if let answer = box.take() { return answer }
    return try await attemptOnce(call)
  }
}

extension FirestoreClient {
  /// Returns the indexes that the query would use, without running it; nil when the server cannot
  /// explain queries.
  ///
  /// Google bills one read for a query of any size. A query with a missing index is refused with
  /// `missingIndex`.
  package func explain(
    _ query: StructuredQuery, under parent: ResourceName? = nil
  ) async throws -> [UsedIndex]? {
    guard edition.rules.explainsQueries else { return nil }
    var query = query
    // A server without explain runs the query instead: limit it to one document.
    query.limit = 1
    var call = queryCall(query, parent, nil)
    call.request = "explain the " + call.request
    if case .object(var body)? = call.body {
      body["explainOptions"] = .object(["analyze": .boolean(false)])
      call.body = .object(body)
    }
    do {
      return try await perform(call) { body in
        BilledResult(result: try UsedIndex.used(answer: body), billedReadCount: 1)
      }
    } catch let error as FirestoreError where error.reason == .notInEdition {
      return nil
    }
  }
}

/// An index that a query uses, as Firestore describes it; see `docs/firestore.md#explain`.
package struct UsedIndex: Hashable, Sendable {
  /// `Collection` or `Collection group`; empty when the server does not state it.
  package var scope: String
  /// Such as `(last_time_seen DESC, __name__ DESC)`.
  package var properties: String
}

extension UsedIndex {
  /// Describes an index of the database as Firestore does.
  package init(_ index: QueryIndex) {
    let fields = (index.matched + index.ordered).map { field in
      let mode =
        switch field.mode {
        case .ascending: "ASC"
        case .descending: "DESC"
        case .contains: "CONTAINS"
        }
      return "\(field.path) \(mode)"
    }
    self.init(
      scope: index.isGroup ? "Collection group" : "Collection",
      properties: "(\(fields.joined(separator: ", ")))")
  }

  /// Reads `query_scope`, which Firestore sends, and `queryScope`, which its API reference
  /// documents.
  init(json: JSON) throws(WireError) {
    let members = try json.members()
    let documented = try members.text("queryScope")
    scope = try members.text("query_scope") ?? documented ?? ""
    properties = try members.requiredText("properties")
  }

  /// The indexes in an answer to `explainOptions`; nil when it contains no plan.
  static func used(answer bytes: [UInt8]) throws -> [UsedIndex]? {
    for element in try StreamedResponse.elements(bytes) {
      let plan = try element.object("explainMetrics")?.object("planSummary")
      if let plan { return try plan.list("indexesUsed", UsedIndex.init(json:)) }
    }
    return nil
  }
}
