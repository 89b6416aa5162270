extension FirestoreClient {
  /// The indexes that the query would use, without running it; nil when the server cannot explain.
  ///
  /// Google bills one read for a query of any size. A query without its index is refused with
  /// `missingIndex`.
  package func explain(
    _ query: StructuredQuery, under parent: ResourceName? = nil
  ) async throws -> [UsedIndex]? {
    var query = query
    // A server without explain runs the query instead: limit it to one document.
    query.limit = 1
    var call = queryCall(query, parent, nil)
    call.request = "explain the " + call.request
    if case .object(var body)? = call.body {
      body["explainOptions"] = .object(["analyze": .boolean(false)])
      call.body = .object(body)
    }
    return try await perform(call) { body in
      BilledResult(result: try UsedIndex.used(answer: body), billedReadCount: 1)
    }
  }
}

/// An index that a query uses, as Firestore describes it; see `docs/firestore.md#explain`.
package struct UsedIndex: Hashable, Sendable {
  /// `Collection` or `Collection group`; empty when the server does not state it.
  package var scope: String
  /// Such as `(last_time_seen DESC, __name__ DESC)`.
  package var properties: String

  package init(scope: String, properties: String) {
    self.scope = scope
    self.properties = properties
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
