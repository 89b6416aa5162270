package import Firestore

/// A validated query with its complete order.
///
/// A pure function from documents to results; the caller selects the documents of the query's
/// collection, see `DatabaseSnapshot`.
package struct QueryPlan: Sendable {
  package let query: StructuredQuery
  package let orders: [StructuredQuery.Order]

  /// Completes the order as in `docs/firestore.md#queries`; throws when Firestore refuses the
  /// query.
  ///
  /// Aggregated fields follow those of inequalities.
  package init(
    _ query: StructuredQuery, aggregating fields: Set<FieldPath> = []
  ) throws(RefusedRequest) {
    try QueryCheck.check(query)
    self.query = query
    orders = query.completeOrders(aggregating: fields)
  }

  struct Results {
    /// In the query's order, after projection.
    let documents: [Document]
    let skipped: Int
  }

  /// The results in order, after cursors, offset, limit and projection.
  func results(of documents: some Sequence<Document>) -> Results {
    finished(ordered(documents))
  }

  /// What remains of the ordered documents after the offset, projected.
  func finished(_ found: [Document]) -> Results {
    let skipped = min(query.offset, found.count)
    return Results(
      documents: found.dropFirst(skipped).map { $0.masked(by: query.select) }, skipped: skipped)
  }

  /// The selected documents in order, without projection and including those before the offset.
  func ordered(_ documents: some Sequence<Document>) -> [Document] {
    let sorted = documents.compactMap(candidate).sorted { orders.compare($0.keys, $1.keys) < 0 }
    let end = query.limit.map { $0 + query.offset } ?? sorted.count
    let found = sorted.prefix(end).map(\.document)
    return query.nearest?.results(of: found) ?? found
  }

  /// A document that may be a result, with one value per order; nil when it lacks one.
  private func candidate(_ document: Document) -> (document: Document, keys: [Value])? {
    guard query.filter?.matches(document) ?? true else { return nil }
    let keys = orders.compactMap { document[$0.field] }
    return keys.count == orders.count && isInside(keys) ? (document, keys) : nil
  }

  private func isInside(_ keys: [Value]) -> Bool {
    if let start = query.startAt {
      let position = orders.compare(keys, start.values)
      guard start.before ? position >= 0 : position > 0 else { return false }
    }
    if let end = query.endAt {
      let position = orders.compare(keys, end.values)
      guard end.before ? position < 0 : position <= 0 else { return false }
    }
    return true
  }
}

extension [StructuredQuery.Order] {
  /// Compares two positions in this order up to the length of the shorter one.
  func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (order, (left, right)) in zip(self, zip(left, right)) {
      let comparison = ValueOrder.compare(left, right)
      if comparison != 0 { return order.direction == .ascending ? comparison : -comparison }
    }
    return 0
  }
}
