import Firestore
import Model
import Store

/// The pages that one transaction stores.
struct PullBatch: Sendable {
  /// Where the pages after these begin.
  private(set) var plan: PullPlan
  /// The rows of each page, to be emptied in place by `RowBuffers.recycle` once they are stored.
  ///
  /// They are the large buffers of a pull. Each is held here alone; a second reference that lives
  /// while rows are appended or recycled would copy it.
  var rows: [TableRows] = []
  /// The rows of the child tables of each page.
  private var children: [[ChildRows]] = []
  private var skippedKeys: [TableRows] = []
  /// Documents whose change a load missed.
  private var missed: [MappedRows] = []
  private(set) var documentCount = 0
  /// Bytes of the rows.
  private(set) var byteCount = 0
  /// Documents left out, by reason.
  private(set) var skipped: [String: Int] = [:]
  /// By reason; see `MappedRows.notes`.
  private(set) var notes: [String: Int] = [:]
  /// The fields of each page's documents, of mappings that count them.
  private(set) var censuses: [FieldCensus] = []
  private(set) var met = SeenFields()
  /// Documents with the stored `updateTime`, which were not read.
  private(set) var unreadCount = 0
  /// See `MappedRows.canSkipUnchanged`.
  private(set) var canSkipUnchanged = true
  /// Whether no batch follows, whatever the reason.
  var isLast = false
  /// What kept the next page from coming; nil at the end, or at the end of the read budget.
  var failure: (any Error)?

  init(after plan: PullPlan) {
    self.plan = plan
  }

  /// - Throws: `PageError` for a page that cannot be what was asked for.
  mutating func append(_ page: consuming PullPage, of partition: Int) throws {
    try plan.received(page.summary, of: partition, limit: page.limit)
    documentCount += page.summary.documentCount
    byteCount += page.byteCount
    skipped.merge(page.mapped.skipped, uniquingKeysWith: +)
    notes.merge(page.mapped.notes, uniquingKeysWith: +)
    if let census = page.census { censuses.append(census) }
    met.merge(page.mapped.met)
    unreadCount += page.unchangedCount
    if !page.mapped.canSkipUnchanged { canSkipUnchanged = false }
    skippedKeys.append(page.mapped.skippedKeys)
    for rows in page.missed {
      notes.merge(rows.notes, uniquingKeysWith: +)
      skipped.merge(rows.skipped, uniquingKeysWith: +)
    }
    missed += page.missed
    children.append(page.mapped.children)
    rows.append(page.mapped.rows)
  }

  /// The plan that reads the rest at the present state; nil when the failure forbids that.
  ///
  /// It is for a snapshot that the server calls too old, where rows of two snapshots may be merged.
  /// Only a page names a snapshot, so no plan leaves two without a page between.
  func planInNewSnapshot(_ options: PullOptions) -> PullPlan? {
    guard hasLostSnapshot(options) else { return nil }
    var plan = plan
    plan.leaveSnapshot()
    return plan
  }

  /// Whether the snapshot is too old for the pages that are left, and the pull may do without it.
  func hasLostSnapshot(_ options: PullOptions) -> Bool {
    (failure as? FirestoreError)?.reason == .readTimeTooOld && options.mode == .merge
      && plan.cursor.readTime != nil && options.slice == nil
  }
}

/// Storing the pages.
extension PullBatch {
  /// Stores the rows as the request's mode wants, when more may follow.
  func store(in writer: Writer, for request: PullRequest) throws -> UpsertCounts {
    if request.options.mode != .sweep {
      try request.unchanged?.willStore(canSkipUnchanged: canSkipUnchanged, in: writer)
    }
    switch request.options.mode {
    case .merge: return try upsert(in: writer, for: request)
    case .replace: for page in rows { try writer.stage(page, for: request.table) }
    case .sweep:
      for keys in rows { try writer.sweep(keys, of: request.table) }
      return try request.silentChanges?.store(missed, in: writer, at: request.options.now)
        ?? UpsertCounts()
    }
    return UpsertCounts()
  }

  private func upsert(in writer: Writer, for request: PullRequest) throws -> UpsertCounts {
    var counts = UpsertCounts(unchanged: unreadCount)
    for (page, children) in zip(rows, children) {
      counts += try writer.upsert(
        page, with: children, into: request.table, at: request.options.now)
    }
    if request.options.remembersSkipped {
      for keys in skippedKeys { try writer.noteSkipped(keys, of: request.table) }
    }
    if counts.inserted > 0 || request.table.keepsDeleted && counts.updated > 0 {
      try writer.clearTombstonesOfRows(in: request.table)
    }
    return counts
  }

  /// Stores the last rows as the request's mode wants.
  func storeLast(in writer: Writer, for request: PullRequest) throws -> ReplaceCounts {
    let upserted = try store(in: writer, for: request)
    guard request.options.mode == .replace else { return ReplaceCounts(upserted: upserted) }
    let counts = try writer.replaceRowsWithStaged(of: request.table, at: request.options.now)
    try writer.clearTombstonesOfRows(in: request.table)
    return counts
  }

  /// Stores where to go on: in the snapshot, or, for a pull that stops for long, in a new one.
  func setCursor(
    in writer: Writer, for request: PullRequest, keepsSnapshot: Bool = true
  ) throws {
    var position = plan.cursor
    if !keepsSnapshot { position.readTime = nil }
    let now = request.options.now
    let startedAt = position.readTime.map(Instant.init) ?? now
    let cursor = SyncCursor(value: position.text, startedAt: min(startedAt, now))
    try writer.setCursor(cursor, job: request.options.job, key: request.positionKey)
  }

  /// Moves the watermark to what is stored, where the request has one.
  func moveWatermark(in writer: Writer, for request: PullRequest) throws {
    try request.moveWatermark(
      to: plan.cursor.highest, readTime: plan.cursor.firstReadTime, in: writer)
  }
}
