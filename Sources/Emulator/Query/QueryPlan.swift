package import Firestore

/// A query made ready to run: checked, and its order complete.
///
/// Pure: documents in, results out. Which documents the query is asked of (collection, parent) is
/// the caller's part, see `DocumentStore`.
package struct QueryPlan: Sendable {
  package let query: StructuredQuery
  /// Explicit orders, then those that inequalities imply, then `__name__`.
  package let orders: [StructuredQuery.Order]

  /// Completes the order as `docs/firestore.md#queries` says; refuses what Firestore refuses.
  ///
  /// Fields that are aggregated follow those of inequalities.
  package init(
    _ query: StructuredQuery, aggregating fields: Set<FieldPath> = []
  ) throws(RefusedRequest) {
    try QueryCheck.check(query)
    self.query = query
    let implied = [query.filter?.inequalityFields ?? [], fields].flatMap { fields in
      fields.sorted { $0.precedes($1) }
    }
    orders = QueryPlan.complete(query.orderBy, with: implied)
  }

  /// What a query answers.
  struct Results {
    /// In the query's order, projected.
    let documents: [Document]
    /// How many came before them because of the offset.
    let skipped: Int
  }

  /// What the query answers, in its order, after cursors, offset, limit and projection.
  ///
  /// Holds no more than twice the wished number of candidates at a time; O(n log limit).
  package func results(of documents: some Sequence<Document>) -> [Document] {
    results(of: documents, and: []).documents
  }

  /// As before, with the candidates in two parts.
  func results(of documents: some Sequence<Document>, and others: [Document]) -> Results {
    let found = ordered(documents, and: others)
    let skipped = min(query.offset, found.count)
    return Results(documents: found.dropFirst(skipped).map(project), skipped: skipped)
  }

  /// The whole documents that the query selects, in its order, also those before the offset.
  func ordered(
    _ documents: some Sequence<Document>, and others: [Document] = []
  ) -> [Document] {
    let end = query.limit.map { $0 + query.offset }
    var candidates = Candidates(limit: end) { orders.compare($0.keys, $1.keys) < 0 }
    for document in documents { consider(document, for: &candidates) }
    for document in others { consider(document, for: &candidates) }
    let found = candidates.sorted().map(\.document)
    return query.nearest?.results(of: found) ?? found
  }

  private func consider(_ document: Document, for candidates: inout Candidates) {
    guard query.filter?.matches(document) ?? true, let keys = keys(of: document), isInside(keys)
    else { return }
    candidates.insert(Candidate(document: document, keys: keys))
  }

  /// One value per order; nil when the document lacks one, which leaves it out of the results.
  private func keys(of document: Document) -> [Value]? {
    var keys: [Value] = []
    keys.reserveCapacity(orders.count)
    for order in orders {
      guard let value = document[order.field] else { return nil }
      keys.append(value)
    }
    return keys
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

  private func project(_ document: Document) -> Document {
    guard let select = query.select else { return document }
    var projected = document
    projected.fields = document.fields.selecting(select)
    return projected
  }

  private static func complete(
    _ explicit: [StructuredQuery.Order], with implied: [FieldPath]
  ) -> [StructuredQuery.Order] {
    let direction = explicit.last?.direction ?? .ascending
    var orders = explicit
    for field in implied + [.documentName] where !orders.contains(where: { $0.field == field }) {
      orders.append(StructuredQuery.Order(field: field, direction: direction))
    }
    if let name = orders.firstIndex(where: { $0.field == .documentName }) {
      orders.removeSubrange((name + 1)...)
    }
    return orders
  }
}

/// A document on its way into the results, with what it is ordered by.
struct Candidate {
  let document: Document
  let keys: [Value]
}

extension [StructuredQuery.Order] {
  /// Compares two positions in this order; values beyond the shorter one do not count.
  func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (order, (left, right)) in zip(self, zip(left, right)) {
      let comparison = ValueOrder.compare(left, right)
      if comparison != 0 { return order.direction == .ascending ? comparison : -comparison }
    }
    return 0
  }
}

extension StructuredQuery.Filter {
  /// The fields, `__name__` aside, that some part of the filter compares by an inequality.
  ///
  /// An alternative that nothing can match does not count: Firestore drops it first.
  var inequalityFields: Set<FieldPath> {
    switch self {
    case .composite(.and, let filters): StructuredQuery.Filter.inequalityFields(filters)
    case .composite(.or, let filters):
      StructuredQuery.Filter.inequalityFields(filters.filter { !$0.isImpossible })
    case .unary(let path, let test): test == .isNotNull || test == .isNotNaN ? [path] : []
    case .field(let path, let comparison, _):
      comparison.isInequality && path != .documentName ? [path] : []
    }
  }

  private static func inequalityFields(_ filters: [StructuredQuery.Filter]) -> Set<FieldPath> {
    filters.reduce(into: []) { $0.formUnion($1.inequalityFields) }
  }

  /// Whether it asks for something equal to, or in a range from, null or NaN.
  private var isImpossible: Bool {
    switch self {
    case .composite(.and, let filters): filters.contains(where: \.isImpossible)
    case .composite(.or, let filters): filters.allSatisfy(\.isImpossible)
    case .field(_, .notEqual, _), .field(_, .notIn, _), .unary: false
    case .field(_, .in, .array(let values)), .field(_, .arrayContainsAny, .array(let values)):
      !values.contains(where: \.isComparable)
    case .field(_, _, let bound): !bound.isComparable
    }
  }
}

extension FieldPath {
  fileprivate func precedes(_ other: FieldPath) -> Bool {
    ValueOrder.lexicographic(segments, other.segments, by: TextOrder.compare) < 0
  }
}
