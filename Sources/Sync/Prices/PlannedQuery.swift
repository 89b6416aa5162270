package import Firestore

/// A query that a load would page through, from where it would begin.
package struct PlannedQuery: Hashable, Sendable {
  /// With the position to go on from, without a limit.
  package var query: StructuredQuery
  /// The document whose collections are asked; nil for the database's own.
  package var parent: String?
  package var pageSize: Int
  /// Documents that are still to be read; nil for as many as there are.
  package var maxDocuments: Int?

  package init(
    query: StructuredQuery, parent: String? = nil, pageSize: Int, maxDocuments: Int? = nil
  ) {
    self.query = query
    self.parent = parent
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
  }

  /// What is left of the pull after `position`; nil for all of it.
  package init(_ order: Pull.Order, from position: PullCursor?) {
    let plan = PullPlan(
      query: order.query, pageSize: order.pageSize, maxDocuments: order.maxDocuments,
      cursor: position ?? PullCursor())
    var query = plan.next?.query ?? order.query
    query.limit = nil
    self.init(
      query: query, parent: order.parent, pageSize: order.pageSize,
      maxDocuments: order.maxDocuments.map { $0 - (position?.documentCount ?? 0) })
  }

  /// What Google bills for paging through so many documents; see `docs/firestore.md#cost`.
  ///
  /// When the last page is a full one, another is asked for that finds nothing, and is billed.
  package func billedReads(documents: Int) -> Int {
    let isCut = maxDocuments.map { documents >= $0 } ?? false
    let hasEmptyPage = documents.isMultiple(of: pageSize) && !isCut
    return documents + (hasEmptyPage ? 1 : 0)
  }
}
