import Firestore
import Model
import Store

/// What a pull holds between two commits.
struct PullProgress: Sendable {
  private(set) var plan: PullPlan
  private(set) var counts = RunCounts()
  /// By reason; see `MappedRows.notes`.
  private(set) var notes: [String: Int] = [:]
  /// Documents whose rows are not committed yet.
  private(set) var documentCount = 0
  private var pages: [TableRows] = []

  init(_ order: Pull.Order, start: PullCursor) {
    plan = PullPlan(
      query: order.query, pageSize: order.pageSize, maxDocuments: order.maxDocuments,
      cursor: start)
  }

  mutating func take(_ batch: PullBatch) {
    plan = batch.plan
    documentCount += batch.documentCount
    counts.fetched += batch.documentCount
    for page in batch.pages {
      pages.append(page.mapped.rows)
      counts.skipped.merge(page.mapped.skipped, uniquingKeysWith: +)
      notes.merge(page.mapped.notes, uniquingKeysWith: +)
    }
  }

  func upsert(in writer: Writer, _ order: Pull.Order) throws -> UpsertCounts {
    var counts = UpsertCounts()
    for rows in pages { counts += try writer.upsert(rows, into: order.table, at: order.now) }
    return counts
  }

  /// Keeps the rows aside, for the replace at the end.
  func stage(in writer: Writer, _ order: Pull.Order) throws {
    for rows in pages { try writer.stage(rows, for: order.table) }
  }

  /// Stores the last rows as the order wants it.
  func storeLast(in writer: Writer, _ order: Pull.Order) throws -> ReplaceCounts {
    switch order.mode {
    case .merge:
      return ReplaceCounts(upserted: try upsert(in: writer, order))
    case .replace:
      try stage(in: writer, order)
      return try writer.replaceRowsWithStaged(of: order.table, at: order.now)
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
