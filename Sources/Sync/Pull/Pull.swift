package import Firestore
package import Model
package import Store

/// A page-by-page copy of a query's documents into a table; see `docs/firestore.md#paging`.
///
/// Rows are committed together with the cursor that covers them, about every 2,500 documents, while
/// the next ones are fetched.
///
/// - A pull that died continues from its cursor as long as the snapshot lives. A pull with mode
///   `replace` starts over: the rows that it had collected were never visible.
/// - A pull that used up its read budget stops in the same way, and its cursor outlives the
///   snapshot.
/// - A pull whose snapshot has become too old continues in a new one.
/// - A pull in partitions reads them concurrently, and commits all their cursors with the rows.
package struct Pull: Sendable {
  /// Documents per transaction: fewer cost time, more are lost in a crash.
  package static let documentsPerCommit = 2_500

  /// Bytes of rows per transaction, so that large documents do not fill the memory.
  package static let bytesPerCommit = 4 << 20

  private let port: any FirestorePort
  private let store: Store
  private let reads: ReadBudgetMeter
  private let documentsPerCommit: Int
  private let bytesPerCommit: Int
  private let sleep: @Sendable (Duration) async throws -> Void
  private let buffers = RowBuffers()

  package init(
    port: any FirestorePort, store: Store, reads: ReadBudgetMeter = ReadBudgetMeter(),
    documentsPerCommit: Int = Self.documentsPerCommit, bytesPerCommit: Int = Self.bytesPerCommit,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.port = port
    self.store = store
    self.reads = reads
    self.documentsPerCommit = documentsPerCommit
    self.bytesPerCommit = bytesPerCommit
    self.sleep = sleep
  }

  /// Pulls until the last page; `finish` joins the transaction that stores the last rows.
  ///
  /// If a page fails, the pages before it and the cursor are kept: the next run of the same request
  /// fetches only the rest. `finish` is then not applied.
  package func run(_ request: PullRequest, finish: [StoreChange] = []) async throws -> PullResult {
    if let unchanged = request.unchanged {
      try store.write { try unchanged.forgetOtherFields(in: $0) }
    }
    let request = try store.read { try request.resumed(in: $0).withoutErased(in: $0) }
    // Before pages that are read side by side would each ask for it.
    _ = try await port.access(of: request.query, under: request.parent, within: reads)
    let start = try await partitioned(try startingPoint(of: request), of: request)
    defer { reads.add(port.dropPrefetched()) }
    let fetcher = PageFetcher(
      request: request, port: port, reads: reads, buffers: buffers,
      documentsPerBatch: documentsPerCommit, bytesPerBatch: bytesPerCommit, sleep: sleep,
      stored: try request.unchanged?.storedTimes(in: store)
        ?? request.silentChanges?.storedTimes(in: store))
    do {
      return try await run(fetcher, from: start, finish)
    } catch {
      await fetcher.underWay.giveUp()
      throw error
    }
  }

  private func run(
    _ fetcher: PageFetcher, from start: PullCursor, _ finish: [StoreChange]
  ) async throws -> PullResult {
    let request = fetcher.request
    var result = PullResult(of: request, from: start)
    var batch = await fetcher.batch(after: PagedQuery(request, cursor: start))
    while true {
      try await commitAllButLast(&batch, &result, fetcher)
      result.add(batch.read)
      note(result, of: request)
      guard let failure = batch.failure else { break }
      // No page of the new snapshot arrived: the stored position is where the next pull continues.
      if result.leftSnapshot, batch.paged.cursor.readTime == nil { throw failure }
      try keep(&batch, &result, of: request, before: failure)
      guard let paged = batch.pagedInNewSnapshot(request.options) else { throw failure }
      result.leftSnapshot = true
      batch = await fetcher.batch(after: paged)
    }
    result.end(at: batch.paged)
    result.reducedPageSize = fetcher.sizer.reducedPageSize
    let isComplete = result.isComplete
    try commit(
      &batch, &result, of: request, followedBy: isComplete ? .end : .pause,
      isComplete ? finish : [])
    // The merge builds the indexes that a shard dropped.
    if request.options.range == nil {
      try await store.buildIndexes(of: request.table, begins: giveMemoryBack)
    }
    return result
  }

  /// Frees the memory that was kept for more pages: sorting an index needs as much.
  private func giveMemoryBack() {
    buffers.removeAll()
    reads.add(port.dropPrefetched())
  }
}

extension Store {
  /// Builds the indexes that a large load dropped, each in its own transaction.
  ///
  /// It calls `begins` when one is missing. While one index is built, the previous one is copied
  /// into the file. After a crash, the missing indexes are built when the database is next opened.
  func buildIndexes(of table: SyncTable, begins: () -> Void = {}) async throws {
    guard try read({ try $0.lacksIndexes(of: table) }) else { return }
    begins()
    try await withBackgroundCheckpoints { checkpoints in
      while try write({ try $0.buildNextIndex(of: table) }) { checkpoints.start() }
    }
  }
}

extension Pull {
  private func startingPoint(of request: PullRequest) throws -> PullCursor {
    let position = try store.read { try request.position(in: $0) }
    switch request.options.mode {
    case .merge: return position ?? request.options.range?.start ?? PullCursor()
    case .replace: try store.commit([.clearStaged(request.table)])
    case .sweep:
      if let position { return position }
      try store.write { try $0.clearSweep(of: request.table) }
    }
    return PullCursor()
  }

  /// Splits a new pull into partitions, if the request allows it.
  private func partitioned(
    _ start: PullCursor, of request: PullRequest
  ) async throws -> PullCursor {
    guard start == PullCursor(), request.options.maxDocuments == nil else { return start }
    return PullCursor(
      cutAt: try await SplitPointSearch(port: port, reads: reads).splitPoints(
        of: request.query, under: request.parent, parts: request.options.partitions))
  }
}

extension Pull {
  /// Commits each batch while the next is fetched, except the last one, which is left in `batch`.
  private func commitAllButLast(
    _ batch: inout PullBatch, _ result: inout PullResult, _ fetcher: PageFetcher
  ) async throws {
    guard !batch.isLast else { return }
    try await store.withBackgroundCheckpoints { checkpoints in
      while !batch.isLast {
        let paged = batch.paged
        async let next = fetcher.batch(after: paged)
        result.add(batch.read)
        try commit(&batch, &result, of: fetcher.request)
        checkpoints.start()
        batch = await next
      }
    }
  }

  /// Commits a batch; `finish` joins it.
  private func commit(
    _ batch: inout PullBatch, _ result: inout PullResult, of request: PullRequest,
    followedBy sequel: PullBatch.Sequel = .more, _ finish: [StoreChange] = []
  ) throws {
    result.add(try store.commit(effects(of: batch, result, request, followedBy: sequel) + finish))
    note(result, of: request)
    buffers.recycle(&batch.rows)
  }

  /// Records the counts for the run's row in case the pull fails; a sweep fetches only names.
  private func note(_ result: PullResult, of request: PullRequest) {
    if request.options.mode != .sweep { reads.note(result.counts) }
  }

  private func effects(
    of batch: PullBatch, _ result: PullResult, _ request: PullRequest,
    followedBy sequel: PullBatch.Sequel
  ) -> [StoreChange] {
    let isFull = sequel == .more && batch.documentCount >= documentsPerCommit
    return
      (isFull && request.options.mode == .merge
      ? [.dropIndexes(request.table, addedRows: result.counts.inserted)] : [])
      + batch.effects(for: request, followedBy: sequel, after: result) + reads.effects
  }

  /// Commits the pages before the one that failed, unless the pull replaces the table.
  ///
  /// A pull that outlives its snapshot continues in a new one, or it would never end.
  private func keep(
    _ batch: inout PullBatch, _ result: inout PullResult, of request: PullRequest,
    before failure: any Error
  ) throws {
    if batch.hasLostSnapshot(request.options) {
      return try commit(&batch, &result, of: request, followedBy: .pause)
    }
    if request.options.mode != .replace, batch.documentCount > 0 {
      try commit(&batch, &result, of: request)
    }
    let reason = (failure as? FirestoreError)?.reason
    // A shard has one snapshot and one query, and its count relies on the rows of its cursor.
    guard request.options.range == nil else { return }
    if reason == .readTimeTooOld || reason == .invalid {
      try store.commit([.cursor(nil, job: request.options.job, key: request.positionKey)])
    }
  }

  /// Counts the documents up to `most`; returns nil when the budget does not suffice to count them
  /// all.
  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Instant?, upTo most: Int? = nil
  ) async throws -> Int? {
    try await port.count(
      of: query, under: parent, readTime: readTime.map(Timestamp.init), within: reads, upTo: most)
  }

  /// Returns how many documents have no time in the watermark's field, so that later loads miss
  /// them.
  ///
  /// It makes two counts, at the snapshot if there is one; the result is nil when the budget allows
  /// none, or the snapshot is too old.
  package func unseenCount(
    by watermark: Watermark, of query: StructuredQuery, under parent: String?, readTime: Instant?
  ) async throws -> Int? {
    do {
      let all = try await count(of: query, under: parent, readTime: readTime)
      let visible = try await count(
        of: watermark.visible(of: query), under: parent, readTime: readTime)
      guard let all, let visible else { return nil }
      return max(0, all - visible)
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      // The documents are already stored: an unknown count must not fail the run.
      return nil
    }
  }
}
