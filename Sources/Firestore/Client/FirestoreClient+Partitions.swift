extension FirestoreClient {
  /// The most pages of cut points that an answer may have, so that no server keeps a client for ever.
  private static let longestList = 100

  /// Where to cut a query's documents into parts of about equal size, to be read side by side.
  ///
  /// Names in Firestore's order, at most `count`; fewer, or none, when there is little to cut. The
  /// query is over a collection group, by name, without a filter; see `docs/firestore.md#partitions`.
  package func partitionPoints(
    of query: StructuredQuery, count: Int, readTime: Timestamp? = nil
  ) async throws -> [String] {
    var names: [String] = []
    var token: String?
    for _ in 0..<Self.longestList {
      let page = try await perform(partitionCall(query, count, token, readTime)) { body in
        Reading(result: try PartitionPage(json: StreamedAnswer.object(body)), billedReadCount: 0)
      }
      names += page.names
      token = page.nextPageToken
      if token == nil { break }
    }
    return names.sorted { NameOrder.compare($0, $1) < 0 }
      .reduce(into: []) { points, name in
        if points.last.map({ NameOrder.compare($0, name) < 0 }) ?? true { points.append(name) }
      }
  }

  private func partitionCall(
    _ query: StructuredQuery, _ count: Int, _ token: String?, _ readTime: Timestamp?
  ) -> FirestoreCall {
    var body = ["structuredQuery": query.json, "partitionCount": JSON.string("\(count)")]
    body["pageToken"] = token.map { .string($0) }
    body["readTime"] = readTime.map { .string($0.rfc3339) }
    return FirestoreCall(
      url: endpoint.url(endpoint.root, method: ":partitionQuery"), body: .object(body),
      repetition: .read, request: "cut \(query.from.first?.collectionId ?? "") into partitions")
  }
}

/// One answer of `partitionQuery`: the names that it would cut at, in any order.
private struct PartitionPage {
  var names: [String]
  var nextPageToken: String?

  init(json: JSON) throws(WireError) {
    let members = try json.members()
    names = try members.list("partitions") { json throws(WireError) in
      let values = try json.members().list("values", Value.init(json:))
      guard case .reference(let name)? = values.first, values.count == 1 else {
        throw WireError("is not cut at the name of a document")
      }
      return name
    }
    let token = try members.optional("nextPageToken") { json throws(WireError) in try json.text() }
    nextPageToken = token == "" ? nil : token
  }
}
