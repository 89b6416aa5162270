package import Firestore
package import Model

/// A validated query with its complete order.
///
/// A pure function from documents to results; the caller selects the documents of the query's
/// collection, see `DatabaseSnapshot`.
package struct QueryPlan: Sendable {
  package let query: StructuredQuery
  package let orders: [StructuredQuery.Order]
  let rules: EditionRules
  /// Orders what the query does not; unused where the edition implies an order.
  private let tieHash: KeyedHash

  /// Completes the order as in `docs/firestore.md#queries` where the edition does; throws when
  /// Firestore refuses the query.
  ///
  /// Aggregated fields follow those of inequalities. Without an implied order each `salt` gives
  /// another one.
  package init(
    _ query: StructuredQuery, _ rules: EditionRules = FirestoreEdition.standard.rules,
    aggregating fields: Set<FieldPath> = [], salt: UInt64 = 0
  ) throws(RefusedRequest) {
    try QueryCheck.check(query, rules)
    self.query = query
    self.rules = rules
    orders = rules.hasImpliedOrder ? query.completeOrders(aggregating: fields) : query.orderBy
    tieHash = KeyedHash(low: salt, high: 0)
  }

  struct Results {
    /// In the query's order, after projection.
    let documents: [Document]
    let skipped: Int
    /// Of the documents that were looked at; 0 where the edition does not bill them.
    var processedByteCount = 0
  }

  /// The results in order, after cursors, offset, limit and projection.
  func results(of documents: [Document]) -> Results {
    let found = ordered(documents)
    var results = finished(found, processed: [])
    results.processedByteCount = processedByteCount(of: documents, found: found)
    return results
  }

  /// What remains of the ordered documents after the offset, projected.
  func finished(_ found: [Document], processed: ArraySlice<Document>) -> Results {
    let skipped = min(query.offset, found.count)
    return Results(
      documents: found.dropFirst(skipped).map { $0.masked(by: query.select) }, skipped: skipped,
      processedByteCount: byteCount(of: processed))
  }

  private func byteCount(of documents: some Sequence<Document>) -> Int {
    rules.readUnitBytes == nil ? 0 : documents.reduce(0) { $0 + DocumentSize.bytes(of: $1) }
  }

  /// The bytes that a database without indexes looks at to find `found` among the documents.
  ///
  /// In the order of names those from the first cursor to the last result; without an order and a
  /// filter the results; else all of them. See `docs/emulator.md#editions`.
  func processedByteCount(of documents: [Document], found: [Document]) -> Int {
    guard rules.readUnitBytes != nil else { return 0 }
    let isFull = query.limit.map { found.count == $0 + query.offset } ?? false
    if orders.isEmpty, query.filter == nil, isFull { return byteCount(of: found) }
    guard let first = orders.first, first.field == .documentName else {
      return byteCount(of: documents)
    }
    let last = isFull ? found.last.map { [Value.reference($0.name)] } : nil
    return byteCount(
      of: documents.lazy.filter { document in
        let keys = [Value.reference(document.name)]
        return isInside(keys) && last.map { compare(keys, $0) <= 0 } ?? true
      })
  }

  /// The selected documents in order, without projection and including those before the offset.
  func ordered(_ documents: some Sequence<Document>) -> [Document] {
    let sorted = documents.compactMap(candidate).sorted { left, right in
      let order = compare(left.keys, right.keys)
      return order == 0 ? left.tie < right.tie : order < 0
    }
    let end = query.limit.map { $0 + query.offset } ?? sorted.count
    let found = sorted.prefix(end).map(\.document)
    return query.nearest?.results(of: found) ?? found
  }

  /// A document that may be a result, with one value per order; nil when it lacks one.
  private func candidate(
    _ document: Document
  ) -> (document: Document, keys: [Value], tie: UInt64)? {
    guard matches(document) else { return nil }
    let keys = orders.compactMap { document[$0.field] }
    guard keys.count == orders.count, isInside(keys) else { return nil }
    return (document, keys, rules.hasImpliedOrder ? 0 : tieHash.of(Array(document.name.utf8)))
  }

  func matches(_ document: Document) -> Bool {
    query.filter?.matches(document, rules) ?? true
  }

  private func isInside(_ keys: [Value]) -> Bool {
    if let start = query.startAt {
      let position = compare(keys, start.values)
      guard start.before ? position >= 0 : position > 0 else { return false }
    }
    if let end = query.endAt {
      let position = compare(keys, end.values)
      guard end.before ? position < 0 : position <= 0 else { return false }
    }
    return true
  }
}

extension QueryPlan {
  /// Compares two positions in the query's order up to the length of the shorter one.
  private func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (order, (left, right)) in zip(orders, zip(left, right)) {
      let comparison = compare(left, right, by: order.field)
      if comparison != 0 { return order.direction == .ascending ? comparison : -comparison }
    }
    return 0
  }

  /// Compares two values of a field; names by the order of the edition.
  func compare(_ left: Value, _ right: Value, by field: FieldPath) -> Int {
    rules.compare(left, right, of: field)
  }
}
