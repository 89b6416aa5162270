import Firestore

/// SplitPoints a collection group into partitions that can be read concurrently.
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
  static func check(_ query: StructuredQuery) throws(RefusedRequest) {
    guard query.from.count == 1, query.from[0].allDescendants, query.from[0].collectionId != nil
    else { throw .invalid("Partition queries must be over one collection group.") }
    let byName = StructuredQuery.Order(field: .documentName)
    guard query.orderBy.isEmpty || query.orderBy == [byName] else {
      throw .invalid("Partition queries must be ordered by __name__ ascending, or not at all.")
    }
    try QueryCheck.check(query)
    guard query.filter == nil, query.startAt == nil, query.endAt == nil, query.offset == 0,
      query.limit == nil
    else {
      throw .invalid("Partition queries take no filters, cursors, offset or limit.")
    }
  }
}
