import Firestore
import Model
import Store

/// What a pull holds between two commits.
struct PullProgress: Sendable {
  private(set) var plan: PullPlan
  private(set) var counts = RunCounts()
  /// By reason; see `MappedRows.notes`.
  private(set) var notes: [String: Int] = [:]
  /// The fields of all documents, of mappings that count them.
  private(set) var census = FieldCensus()
  /// Documents whose rows are not committed yet.
  private(set) var documentCount = 0
  private var pages: [TableRows] = []
  private var skippedKeys: [TableRows] = []

  init(_ order: Pull.Order, start: PullCursor) {
    plan = PullPlan(
      query: order.query, pageSize: order.pageSize, maxDocuments: order.maxDocuments,
      cursor: start)
  }

  /// Takes what came with the batch, its pages away from it.
  mutating func take(_ batch: inout PullBatch) {
    plan = batch.plan
    documentCount += batch.documentCount
    counts.fetched += batch.documentCount
    for page in batch.takePages() {
      pages.append(page.mapped.rows)
      skippedKeys.append(page.mapped.skippedKeys)
      counts.skipped.merge(page.mapped.skipped, uniquingKeysWith: +)
      if let fields = page.census { census.merge(fields) }
      notes.merge(page.mapped.notes, uniquingKeysWith: +)
    }
  }

  /// Stores the rows as the order wants it, when more may follow.
  func store(in writer: Writer, _ order: Pull.Order) throws -> UpsertCounts {
    switch order.mode {
    case .merge: return try upsert(in: writer, order)
    case .replace: for rows in pages { try writer.stage(rows, for: order.table) }
    case .sweep: for keys in pages { try writer.sweep(keys, of: order.table) }
    }
    return UpsertCounts()
  }

  private func upsert(in writer: Writer, _ order: Pull.Order) throws -> UpsertCounts {
    var counts = UpsertCounts()
    for rows in pages { counts += try writer.upsert(rows, into: order.table, at: order.now) }
    if order.remembersSkipped {
      for keys in skippedKeys { try writer.noteSkipped(keys, of: order.table) }
    }
    if counts.inserted > 0 { try writer.clearTombstonesOfRows(in: order.table) }
    return counts
  }

  /// Stores the last rows as the order wants it.
  func storeLast(in writer: Writer, _ order: Pull.Order) throws -> ReplaceCounts {
    let upserted = try store(in: writer, order)
    guard order.mode == .replace else { return ReplaceCounts(upserted: upserted) }
    let counts = try writer.replaceRowsWithStaged(of: order.table, at: order.now)
    try writer.clearTombstonesOfRows(in: order.table)
    return counts
  }

  /// The rows are committed: they are counted and forgotten, their memory kept.
  mutating func stored(_ upserted: UpsertCounts, deleted: Int = 0, _ buffers: RowBuffers) {
    counts.deleted += deleted
    counts.inserted += upserted.inserted
    counts.updated += upserted.updated
    counts.unchanged += upserted.unchanged
    buffers.keep(&pages)
    skippedKeys.removeAll(keepingCapacity: true)
    documentCount = 0
  }
}

/// What is kept between runs.
extension PullProgress {
  /// Remembers where to go on: in the snapshot, or, for a pull that stops for long, in a new one.
  func setCursor(
    in writer: Writer, _ order: Pull.Order, keepsSnapshot: Bool = true
  ) throws {
    var position = plan.cursor
    if !keepsSnapshot { position.readTime = nil }
    let startedAt = position.readTime.map(Instant.init) ?? order.now
    let cursor = SyncCursor(value: position.text, startedAt: min(startedAt, order.now))
    try writer.setCursor(cursor, job: order.job, key: order.positionKey)
  }

  /// Moves the watermark to what is stored, where the order has one.
  func setWatermark(in writer: Writer, _ order: Pull.Order) throws {
    guard var watermark = order.watermark else { return }
    watermark.stored(upTo: plan.cursor.highest, readTime: plan.cursor.firstReadTime)
    guard let reached = watermark.reached else { return }
    try writer.setCursor(
      SyncCursor(value: reached.rfc3339, startedAt: order.now), job: order.job,
      key: order.watermarkKey)
  }
}
