import Firestore
import Model
import Store

/// What a pull holds between two commits.
struct PullProgress: Sendable {
  private(set) var plan: PullPlan
  private(set) var counts = RunCounts()
  private(set) var correctedTimes = 0
  /// Documents whose rows are not committed yet.
  private(set) var documentCount = 0
  private var pages: [UserRows] = []

  init(_ order: UserPull.Order, start: PullCursor) {
    plan = PullPlan(
      query: order.query, pageSize: order.pageSize, maxDocuments: order.maxDocuments,
      cursor: start)
  }

  mutating func take(_ page: UserPage) throws {
    try plan.received(page.answer)
    pages.append(page.rows)
    documentCount += page.answer.documentCount
    counts.fetched += page.answer.documentCount
    counts.skipped.merge(page.skipped, uniquingKeysWith: +)
    correctedTimes += page.correctedTimes
  }

  func upsert(in writer: Writer, at now: Instant) throws -> UpsertCounts {
    var counts = UpsertCounts()
    for rows in pages { counts += try writer.upsert(rows, at: now) }
    return counts
  }

  /// Keeps the rows aside, for the replace at the end.
  func stage(in writer: Writer) throws {
    for rows in pages { try writer.stage(rows) }
  }

  /// Stores the last rows as the order wants it.
  func storeLast(in writer: Writer, _ order: UserPull.Order) throws -> ReplaceCounts {
    switch order.mode {
    case .merge:
      return ReplaceCounts(upserted: try upsert(in: writer, at: order.now))
    case .replace:
      try stage(in: writer)
      return try writer.replaceUsersWithStaged(at: order.now)
    }
  }

  /// The rows are committed: they are counted and forgotten.
  mutating func stored(_ upserted: UpsertCounts, deleted: Int = 0) {
    counts.deleted += deleted
    counts.inserted += upserted.inserted
    counts.updated += upserted.updated
    counts.unchanged += upserted.unchanged
    pages.removeAll(keepingCapacity: true)
    documentCount = 0
  }
}
