extension FirestoreClient {
  /// The indexes that the query would use, without running it; nil when the server explains nothing.
  ///
  /// Google bills one read, however large the query is. A query that lacks its index is refused
  /// with the reason `missingIndex`.
  package func explain(
    _ query: StructuredQuery, under parent: ResourceName? = nil
  ) async throws -> [UsedIndex]? {
    var query = query
    // A server that knows no explaining runs the query instead: of one document.
    query.limit = 1
    var call = queryCall(query, parent, nil)
    call.request = "explain the " + call.request
    if case .object(var body)? = call.body {
      body["explainOptions"] = .object(["analyze": .boolean(false)])
      call.body = .object(body)
    }
    return try await perform(call) { body in
      Reading(result: try UsedIndex.used(answer: body), billedReadCount: 1)
    }
  }
}
