import Model

/// The pages that one transaction is going to store.
struct PullBatch: Sendable {
  /// Where the pages after these begin.
  private(set) var plan: PullPlan
  private(set) var pages: [PullPage] = []
  private(set) var documentCount = 0
  /// Bytes of the rows.
  private(set) var byteCount = 0
  /// Whether no batch follows, whatever the reason.
  var isLast = false
  /// What kept the next page from coming; nil for the end, or for that of the budget.
  var failure: (any Error)?

  init(_ plan: PullPlan) {
    self.plan = plan
  }

  /// Gives the pages away, so that whoever has them holds their rows alone.
  mutating func takePages() -> [PullPage] {
    defer { pages.removeAll() }
    return pages
  }

  /// - Throws: `PullPlan.Failure` for a page that cannot be what was asked for.
  mutating func take(_ page: PullPage, of part: Int) throws {
    try plan.received(page.answer, of: part, limit: page.limit)
    pages.append(page)
    documentCount += page.answer.documentCount
    byteCount += page.mapped.rows.bytes.count
  }
}
