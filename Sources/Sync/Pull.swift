import Firestore
import Model
package import Store

/// Fetches a query's documents page by page into a table; see `docs/firestore.md#paging`.
///
/// Rows and the cursor that covers them commit together, about every 2,500 documents, while the
/// next ones are on their way. A pull that died goes on from its cursor as long as the snapshot
/// lives; one that replaces begins anew, since what it had collected nobody has seen. One that comes
/// to the end of its read budget, or of its snapshot, stops in the same way, and its position
/// outlives the snapshot. One in parts reads them side by side, and the cursors of all of them commit
/// with the rows.
package struct Pull: Sendable {
  /// Documents that one transaction covers: fewer cost time, more are lost in a crash.
  package static let documentsPerCommit = 2_500

  /// Bytes of rows that wait for a transaction, so that big documents do not fill the memory.
  package static let bytesPerCommit = 4 << 20

  /// A snapshot lives for an hour; the last ten minutes are left for the pages to come.
  package static let longestSnapshot = Duration.seconds(50 * 60)

  let port: any FirestorePort
  private let store: Store
  let reads: ReadAllowance
  private let documentsPerCommit: Int
  private let bytesPerCommit: Int
  private let buffers = RowBuffers()

  package init(port: any FirestorePort, store: Store, reads: ReadAllowance) {
    self.init(
      port: port, store: store, reads: reads, documentsPerCommit: Self.documentsPerCommit)
  }

  init(
    port: any FirestorePort, store: Store, reads: ReadAllowance = ReadAllowance(),
    documentsPerCommit: Int, bytesPerCommit: Int = Self.bytesPerCommit
  ) {
    self.port = port
    self.store = store
    self.reads = reads
    self.documentsPerCommit = documentsPerCommit
    self.bytesPerCommit = bytesPerCommit
  }

  /// Pulls until the last page; `finish` joins the transaction that stores the last rows.
  ///
  /// When a page fails, those before it stay, and the cursor with them: the next run of the same
  /// order fetches only the rest. `finish` is then not called.
  package func run(
    _ order: Order, finish: @Sendable (Writer) throws -> Void
  ) async throws -> Result {
    let order = try store.read { try Self.begun(order, $0) }
    let start = try await cut(try startingPoint(of: order), of: order)
    defer { reads.add(port.dropAhead()) }
    var progress = PullProgress(order, start: start)
    var batch = await fetchBatch(after: progress.plan, of: order)
    if !batch.isLast { batch = try await store(batch, &progress, of: order) }
    progress.take(&batch)
    if let failure = batch.failure {
      try keepWhatCame(&progress, of: order, before: failure)
      throw failure
    }
    if progress.plan.next == nil {
      try commitLast(&progress, of: order, finish)
    } else {
      try stop(&progress, of: order)
    }
    try await buildIndexes(of: order.table)
    return Result(progress, start: start)
  }

  /// Builds what a large load went without, each in a transaction of its own.
  ///
  /// While one is built, the one before is copied into the file. After a crash the next opening of the
  /// database builds those that are missing.
  private func buildIndexes(of table: SyncTable) async throws {
    guard try store.read({ try $0.lacksIndexes(of: table) }) else { return }
    try await store.withCheckpointsAside { checkpoints in
      while try store.write({ try $0.buildNextIndex(of: table) }) { checkpoints.start() }
    }
  }

  /// Stores one batch after the other while the next is fetched, and returns the last of them.
  private func store(
    _ first: PullBatch, _ progress: inout PullProgress, of order: Order
  ) async throws -> PullBatch {
    try await store.withCheckpointsAside { checkpoints in
      var batch = first
      while !batch.isLast {
        let plan = batch.plan
        async let following = fetchBatch(after: plan, of: order)
        progress.take(&batch)
        try commit(&progress, of: order)
        checkpoints.start()
        batch = await following
      }
      return batch
    }
  }

  /// Commits the pages before the one that failed; a pull that replaces has no use for them.
  ///
  /// One that took longer than its snapshot lives has to go on in a new one, or it would never end.
  private func keepWhatCame(
    _ progress: inout PullProgress, of order: Order, before failure: any Error
  ) throws {
    let reason = (failure as? FirestoreError)?.reason
    if reason == .readTimeTooOld, order.mode == .merge, progress.plan.cursor.readTime != nil {
      return try stop(&progress, of: order)
    }
    if order.mode != .replace, progress.documentCount > 0 { try commit(&progress, of: order) }
    if reason == .readTimeTooOld || reason == .invalid {
      try store.write { try $0.clearCursor(job: order.job, key: order.positionKey) }
    }
  }

  /// Fetches the pages of one transaction, while those before them are stored.
  private func fetchBatch(after plan: PullPlan, of order: Order) async -> PullBatch {
    await withTaskGroup(of: PartAnswer.self) { group in
      var desk = PartDesk(plan, limit: order.partitions)
      while true {
        if !isFull(desk.batch) {
          let plan = desk.batch.plan
          for (part, request) in desk.nextRequests() {
            group.addTask { await answer(to: request, of: part, in: plan, order) }
          }
        }
        guard let answer = await group.next() else { return desk.ended }
        desk.take(answer)
      }
    }
  }

  private func answer(
    to request: PullPlan.Request, of part: Int, in plan: PullPlan, _ order: Order
  ) async -> PartAnswer {
    do {
      return PartAnswer(part: part, page: .success(try await fetch(request, in: plan, of: order)))
    } catch {
      return PartAnswer(part: part, page: .failure(error))
    }
  }

  private func isFull(_ batch: PullBatch) -> Bool {
    batch.documentCount >= documentsPerCommit || batch.byteCount >= bytesPerCommit
  }

  /// The page, smaller than asked for when the budget is; nil when the budget has nothing left.
  private func fetch(
    _ request: PullPlan.Request, in plan: PullPlan, of order: Order
  ) async throws -> PullPage? {
    guard let limit = request.query.limit else { return nil }
    return try await reads.spend(upTo: limit) { granted in
      var request = request
      request.query.limit = granted
      let page = try await page(request, limit: granted, in: plan, of: order)
      return (page, max(1, page.answer.documentCount))
    }
  }

  private func page(
    _ request: PullPlan.Request, limit: Int, in plan: PullPlan, of order: Order
  ) async throws -> PullPage {
    let mapping = order.mapping
    var page = PullPage(TableRows(width: mapping.width), limit: limit)
    try await port.page(
      of: request.query, under: order.parent, readTime: request.readTime
    ) { bytes in
      // A page that has to be fetched again begins anew.
      page = PullPage(buffers.take(width: mapping.width), limit: limit)
      sendAhead(of: bytes, limit: limit, in: plan, order)
      return try page.scan(&bytes, by: mapping)
    }
    if page.answer.documentCount == limit, let last = page.answer.last,
      last.value == nil, let field = order.query.orderField
    {
      page.orderValue = try await value(
        of: field, in: last.name, readTime: request.readTime ?? page.answer.readTime)
    }
    return page
  }

  /// The value that the next page starts after, of a kind that no scan reads, such as a map.
  private func value(
    of field: FieldPath, in name: String, readTime: Timestamp?
  ) async throws -> Value? {
    // The page would be lost without it, and its documents are paid for.
    reads.add(1)
    let path = try ResourceName(parsing: name).segments.joined(separator: "/")
    return try await port.document(at: path, readTime: readTime)?[field]
  }

  /// The order with the query for what its watermark has not reached.
  package static func begun(_ order: Order, _ reader: some Readable) throws -> Order {
    guard let watermark = order.watermark, !watermark.startsOver,
      try !reader.isEmpty(order.table)
    else { return order }
    let stored = try reader.cursor(job: order.job, key: order.watermarkKey)
    let reached = Watermark(
      field: watermark.field, overlap: watermark.overlap,
      reached: stored.flatMap { Timestamp(rfc3339: $0.value) })
    var begun = order
    begun.watermark = reached
    begun.query = reached.changes(of: order.query)
    return begun
  }

  private func startingPoint(of order: Order) throws -> PullCursor {
    let position = try store.read { try Self.position(of: order, $0) }
    switch order.mode {
    case .merge: return position ?? PullCursor()
    case .replace: try store.write { try $0.clearStagedRows(of: order.table) }
    case .sweep:
      if let position { return position }
      try store.write { try $0.clearSweep(of: order.table) }
    }
    return PullCursor()
  }

  /// Where a pull of the order would go on; nil when it would start at the beginning.
  package static func position(of order: Order, _ reader: some Readable) throws -> PullCursor? {
    guard let stored = try reader.cursor(job: order.job, key: order.positionKey),
      stored.startedAt <= order.now, let cursor = PullCursor(text: stored.value)
    else { return nil }
    let lives = order.now - stored.startedAt < longestSnapshot
    return lives || cursor.readTime == nil ? cursor : nil
  }

  /// Cuts the beginning of a pull by name into parts, where the order and the server know how.
  private func cut(_ cursor: PullCursor, of order: Order) async throws -> PullCursor {
    guard order.partitions > 1, cursor == PullCursor(), let query = order.cuttable else {
      return cursor
    }
    let points = try await port.partitionPoints(of: query, count: order.partitions - 1)
    return PullCursor(cutAt: points.filter(order.holds))
  }

  /// Keeps what came and the position, but not the snapshot: the next pull may be a day away.
  ///
  /// A pull that replaces keeps nothing, and a list of two snapshots would prove nothing.
  private func stop(_ progress: inout PullProgress, of order: Order) throws {
    guard order.mode != .sweep else { return try commit(&progress, of: order) }
    guard order.mode == .merge else {
      return try store.write { writer in
        try writer.clearStagedRows(of: order.table)
        try reads.record(in: writer)
      }
    }
    let counts = try store.write { [progress] writer in
      let counts = try progress.store(in: writer, order)
      try progress.setCursor(in: writer, order, keepsSnapshot: false)
      if order.watermark?.reached != nil { try progress.setWatermark(in: writer, order) }
      try reads.record(in: writer)
      return counts
    }
    progress.stored(counts, buffers)
  }

  private func commit(_ progress: inout PullProgress, of order: Order) throws {
    let counts = try store.write { [progress] writer in
      if order.mode == .merge, progress.documentCount >= documentsPerCommit {
        try writer.dropIndexes(of: order.table, addedRows: progress.counts.inserted)
      }
      if order.mode != .replace { try progress.setCursor(in: writer, order) }
      // In the order of names, later pages may hold earlier changes.
      if order.watermark?.reached != nil { try progress.setWatermark(in: writer, order) }
      try reads.record(in: writer)
      return try progress.store(in: writer, order)
    }
    progress.stored(counts, buffers)
  }

  private func commitLast(
    _ progress: inout PullProgress, of order: Order, _ finish: (Writer) throws -> Void
  ) throws {
    let counts = try store.write { [progress] writer in
      let counts = try progress.storeLast(in: writer, order)
      if order.mode == .sweep {
        // Until the list is used, so that it is not made again after a crash.
        try progress.setCursor(in: writer, order)
      } else {
        try writer.clearCursor(job: order.job, key: order.positionKey)
      }
      try progress.setWatermark(in: writer, order)
      try finish(writer)
      return counts
    }
    progress.stored(counts.upserted, deleted: counts.deleted, buffers)
  }
}

extension Instant {
  init(_ timestamp: Timestamp) {
    self.init(microseconds: timestamp.microseconds)
  }
}
