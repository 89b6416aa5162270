package import Firestore

/// A validated query with its complete order.
///
/// A pure function from documents to results; the caller selects the documents of the query's
/// collection, see `DatabaseSnapshot`.
package struct QueryPlan: Sendable {
  package let query: StructuredQuery
  /// The explicit orders, then those that inequalities imply, then `__name__`.
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
    let implied = (query.filter?.inequalityFields ?? []).sorted { $0.precedes($1) }
    orders = QueryPlan.complete(
      try QueryPlan.complete(query.orderBy, with: implied),
      aggregating: fields.sorted { $0.precedes($1) })
  }

  struct Results {
    /// In the query's order, after projection.
    let documents: [Document]
    let skipped: Int
  }

  /// The results in order, after cursors, offset, limit and projection.
  ///
  /// Keeps at most about twice the limit of candidates at a time; O(n log limit).
  func results(of documents: some Sequence<Document>, and others: [Document] = []) -> Results {
    finished(ordered(documents, and: others))
  }

  /// What remains of the ordered documents after the offset, projected.
  func finished(_ found: [Document]) -> Results {
    let skipped = min(query.offset, found.count)
    return Results(documents: found.dropFirst(skipped).map(project), skipped: skipped)
  }

  /// The selected documents in order, without projection and including those before the offset.
  func ordered(
    _ documents: some Sequence<Document>, and others: [Document] = []
  ) -> [Document] {
    let end = query.limit.map { $0 + query.offset }
    var candidates = Candidates(limit: end, precedes: { orders.compare($0.keys, $1.keys) < 0 })
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

  /// One value per order; nil when the document lacks one and is no result.
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

  /// Adds the fields of inequalities; throws when they would follow an order by name.
  private static func complete(
    _ explicit: [StructuredQuery.Order], with implied: [FieldPath]
  ) throws(RefusedRequest) -> [StructuredQuery.Order] {
    let missing = implied.filter { field in !explicit.contains { $0.field == field } }
    guard missing.isEmpty || explicit.last?.field != .documentName else {
      throw .invalid("order by clause cannot contain more fields after the key \(missing[0])")
    }
    return explicit.adding(missing)
  }

  /// Adds the aggregated fields and the name, unless the order already ends with the name.
  private static func complete(
    _ orders: [StructuredQuery.Order], aggregating fields: [FieldPath]
  ) -> [StructuredQuery.Order] {
    orders.last?.field == .documentName ? orders : orders.adding(fields).adding([.documentName])
  }
}

extension [StructuredQuery.Order] {
  /// Appends missing fields in the direction of the last order.
  fileprivate func adding(_ fields: [FieldPath]) -> Self {
    let direction = last?.direction ?? .ascending
    return self
      + fields.filter { field in !contains { $0.field == field } }
      .map { StructuredQuery.Order(field: $0, direction: direction) }
  }

  /// Compares two positions in this order up to the length of the shorter one.
  func compare(_ left: [Value], _ right: [Value]) -> Int {
    for (order, (left, right)) in zip(self, zip(left, right)) {
      let comparison = ValueOrder.compare(left, right)
      if comparison != 0 { return order.direction == .ascending ? comparison : -comparison }
    }
    return 0
  }
}

extension StructuredQuery.Filter {
  /// The fields, except `__name__`, that any part of the filter compares by an inequality.
  ///
  /// Ignores comparisons that match nothing, as Firestore does.
  var inequalityFields: Set<FieldPath> {
    switch self {
    case .composite(_, let filters): filters.reduce(into: []) { $0.formUnion($1.inequalityFields) }
    case .unary(let path, let test): test == .isNotNull || test == .isNotNaN ? [path] : []
    case .field(let path, let comparison, let bound):
      comparison.isInequality && path != .documentName && comparison.canMatch(bound) ? [path] : []
    }
  }
}

extension StructuredQuery.FieldOperator {
  /// Whether an inequality can match anything: none does with null alone, no range with NaN.
  fileprivate func canMatch(_ bound: Value) -> Bool {
    switch (self, bound) {
    case (.notEqual, _): !bound.isNull
    case (.notIn, .array(let values)): !values.allSatisfy(\.isNull)
    default: bound.isComparable
    }
  }
}

extension FieldPath {
  fileprivate func precedes(_ other: FieldPath) -> Bool {
    ValueOrder.lexicographic(segments, other.segments, by: TextOrder.compare) < 0
  }
}

/// A document that may become a result, with its values of the query's orders.
struct Candidate {
  let document: Document
  let keys: [Value]
}

/// Selects the first `limit` candidates of a sequence without sorting all of it.
struct Candidates {
  /// Nil keeps all candidates.
  let limit: Int?
  let precedes: (Candidate, Candidate) -> Bool
  private(set) var kept: [Candidate] = []

  /// Amortised O(log limit).
  mutating func insert(_ candidate: Candidate) {
    kept.append(candidate)
    if let limit, kept.count >= 2 * limit + 64 { prune(to: limit) }
  }

  consuming func sorted() -> ArraySlice<Candidate> {
    let sorted = kept.sorted(by: precedes)
    return limit.map { sorted.prefix($0) } ?? sorted[...]
  }

  private mutating func prune(to limit: Int) {
    kept.sort(by: precedes)
    kept.removeSubrange(limit...)
  }
}
