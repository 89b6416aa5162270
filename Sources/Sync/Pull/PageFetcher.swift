import Firestore
import Model
import Store
import Synchronization

/// Fetches the pages of one pull, those of several partitions side by side.
struct PageFetcher: Sendable {
  let request: PullRequest
  let port: any FirestorePort
  let reads: ReadBudgetMeter
  let buffers: RowBuffers
  let documentsPerBatch: Int
  let bytesPerBatch: Int

  /// Waits, so that streams do not all begin at once.
  let sleep: @Sendable (Duration) async throws -> Void
  /// The times to compare with; nil when every document has to be read.
  let stored: StoredTimes?
  let underWay = InFlightPages()
  let sizer = PageSizer()

  /// Fetches the pages of one transaction, while those before them are stored.
  ///
  /// Pages of partitions may still be on their way when it returns: they belong to the next batch.
  /// After a failure none is.
  func batch(after paged: PagedQuery) async -> PullBatch {
    var scheduler = PartitionScheduler(
      paged, limit: request.options.partitions, pending: underWay.partitions)
    while true {
      if !isFull(scheduler.batch) {
        let paged = scheduler.batch.paged
        for (partition, page) in scheduler.nextRequests() {
          underWay.start(partition) { await fetch(page, of: partition, in: paged) }
        }
      } else if scheduler.batch.failure == nil {
        return scheduler.finishedBatch
      }
      guard let page = await underWay.next() else { return scheduler.finishedBatch }
      if case .success(let fetched?) = page.page {
        request.options.onPage?(fetched.summary.documentCount)
      }
      scheduler.receive(page)
    }
  }

  private func isFull(_ batch: PullBatch) -> Bool {
    batch.documentCount >= documentsPerBatch || batch.byteCount >= bytesPerBatch
  }

  private func fetch(
    _ page: PageRequest, of partition: Int, in paged: PagedQuery
  ) async -> FetchedPage {
    do {
      try await waitToStart(partition, in: paged)
      return FetchedPage(partition: partition, page: .success(try await fetch(page, in: paged)))
    } catch {
      return FetchedPage(partition: partition, page: .failure(error))
    }
  }

  /// Lets the streams begin one after the other, as fast as the ramp allows; see
  /// `docs/firestore.md#partitions`.
  private func waitToStart(_ partition: Int, in paged: PagedQuery) async throws {
    guard paged.cursor.partitions.count > 1, paged.cursor.partitions[partition].last == nil else {
      return
    }
    let before = underWay.countStart()
    if before > 0 { try await sleep(.seconds(1) * (Double(before) / WriteRamp.startingRate)) }
  }

  /// The page, smaller than asked for when the budget is, or the memory for all streams; nil when
  /// the budget has nothing left.
  private func fetch(_ page: PageRequest, in paged: PagedQuery) async throws -> PullPage? {
    guard let wanted = page.query.limit else { return nil }
    let streams = min(paged.cursor.partitions.count, request.options.partitions)
    let limit = sizer.documents(atMost: wanted, streams: streams)
    var fetched = try await reads.spend(upTo: limit) { granted in
      let fetched = try await sizer.fitting(granted, billing: reads) { limit in
        var page = page
        page.query.limit = limit
        return try await fetch(page, limit: limit, in: paged)
      }
      return (fetched, fetched.billedReads ?? max(1, fetched.summary.documentCount))
    }
    if let changes = request.silentChanges {
      try await fetched?.fetchMissed(
        changes, under: request.parent, by: port, reads, sizer, at: page.readTime)
    }
    return fetched
  }

  private func fetch(_ page: PageRequest, limit: Int, in paged: PagedQuery) async throws -> PullPage
  {
    let mapping = request.mapping
    let origin = try port.origin(of: page.query, under: request.parent)
    var fetched = PullPage(TableRows(width: mapping.width), limit: limit)
    // A page that could not be scanned while unchanged documents were skipped is read whole the
    // next time.
    var skips = true
    try await port.page(
      of: page.query, under: request.parent, readTime: page.readTime
    ) { bytes in
      // A page that has to be fetched again starts from its beginning.
      fetched = PullPage(buffers.next(width: mapping.width), limit: limit)
      prefetch(after: bytes, limit: limit, in: paged)
      let byteCount = bytes.count
      defer { skips = false }
      let billed = port.billedReads(ofPage: bytes, of: page.query, under: request.parent)
      var page = try scan(&bytes, into: &fetched, from: origin, skipsUnchanged: skips)
      (page.billedReads, fetched.billedReads) = (billed, billed)
      sizer.note(bytes: byteCount, documents: page.documentCount)
      return page
    }
    if fetched.summary.documentCount == limit, let last = fetched.summary.last,
      last.value == nil, let field = request.query.orderField
    {
      fetched.orderValue = try await value(
        of: field, in: last.name, readTime: page.readTime ?? fetched.summary.readTime)
    }
    return fetched
  }

  private func scan(
    _ bytes: inout [UInt8], into page: inout PullPage, from origin: DocumentOrigin?,
    skipsUnchanged: Bool
  ) throws -> ScannedPage {
    let mapping = request.mapping
    if let stored, let changes = request.silentChanges {
      return try stored.withLookup { lookup in
        try page.scan(
          &bytes, by: mapping, from: origin, isMissed: { try changes.hold($0, in: $1, lookup) })
      }
    }
    guard skipsUnchanged, let stored, let unchanged = request.unchanged else {
      return try page.scan(&bytes, by: mapping, from: origin)
    }
    return try stored.withLookup { lookup in
      try page.scan(&bytes, by: mapping, from: origin) {
        try unchanged.time(ofDocument: $0, in: lookup)
      }
    }
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
}

/// Asking for the next page before this one is read; see `docs/firestore.md#pages-ahead`.
extension PageFetcher {
  /// Sends the request for the page after this one, where the end of this one tells which that is.
  ///
  /// A wrong guess costs an answer that is thrown away: a page is only ever read when the query
  /// asks for it. Nothing is prefetched for partitions, which are read side by side already, nor
  /// under a budget, since what is left of it is known only after the page.
  private func prefetch(after page: [UInt8], limit: Int, in paged: PagedQuery) {
    guard reads.limit == nil, paged.cursor.partitions.count <= 1,
      let next = nextRequest(after: page, limit: limit, in: paged)
    else { return }
    reads.add(port.prefetch(of: next.query, under: request.parent, readTime: next.readTime))
  }

  /// The request that follows a full page; nil after the last, and where the end does not show it.
  private func nextRequest(after page: [UInt8], limit: Int, in paged: PagedQuery) -> PageRequest? {
    guard let tail = PageTail(of: page), tail.documentCount == limit else { return nil }
    var bytes = tail.answer
    var last = PullPage(TableRows(width: request.mapping.width), limit: 1)
    var paged = paged
    do {
      _ = try last.scan(&bytes, by: request.mapping)
      var summary = last.summary
      summary.documentCount = limit
      try paged.received(summary, of: paged.openPartitions.first ?? 0, limit: limit)
    } catch {
      // The scan of the whole page meets the same error.
      return nil
    }
    guard var next = paged.next else { return nil }
    if let limit = next.query.limit { next.query.limit = sizer.documents(atMost: limit) }
    return next
  }
}

/// A page of a partition, or why it did not come; nil when the read budget had nothing for it.
struct FetchedPage: Sendable {
  let partition: Int
  let page: Result<PullPage?, any Error>
}

/// Decides which partitions' pages are asked for while a batch is collected.
///
/// One page of a partition at a time, and no more partitions at once than the request allows. Pages
/// join the batch in the order in which they arrive.
struct PartitionScheduler: Sendable {
  private(set) var batch: PullBatch
  private let limit: Int
  /// Partitions whose page is on its way.
  private var pending: Set<Int>
  /// The budget had nothing for a partition, perhaps because the pages on their way held the rest.
  private var isStarved = false
  private var isOutOfReads = false

  init(_ paged: PagedQuery, limit: Int, pending: Set<Int> = []) {
    batch = PullBatch(after: paged)
    self.limit = limit
    self.pending = pending
  }

  /// The pages to ask for now; none when it is time to wait, or when the batch is finished.
  mutating func nextRequests() -> [(partition: Int, page: PageRequest)] {
    guard batch.failure == nil, !isOutOfReads, !isStarved || pending.isEmpty else { return [] }
    let open = batch.paged.openPartitions.filter { !pending.contains($0) }
    return open.prefix(max(0, limit - pending.count)).compactMap { partition in
      guard let page = batch.paged.request(of: partition) else { return nil }
      pending.insert(partition)
      return (partition, page)
    }
  }

  /// Adds a page to the batch; the first failure is the batch's, and pages after it are kept.
  mutating func receive(_ fetched: consuming FetchedPage) {
    pending.remove(fetched.partition)
    do {
      if let page = try fetched.page.get() {
        try batch.append(page, of: fetched.partition)
        isStarved = false
      } else {
        isStarved = true
        isOutOfReads = pending.isEmpty
      }
    } catch {
      batch.failure = batch.failure ?? error
    }
  }

  /// The batch, once it is full or no page is under way.
  var finishedBatch: PullBatch {
    var finished = batch
    finished.isLast = batch.failure != nil || isOutOfReads || batch.paged.next == nil
    return finished
  }
}

/// The pages that are on their way, some beyond the batch that is being collected.
///
/// A batch that is full does not wait for the pages that come next: they arrive while it is stored,
/// so that no stream waits for the slowest, nor for the store.
final class InFlightPages: Sendable {
  private struct State {
    /// By partition.
    var tasks: [Int: Task<Void, Never>] = [:]
    var arrived: [FetchedPage] = []
    var waiter: CheckedContinuation<FetchedPage?, Never>?
    /// Partitions whose first page was asked for.
    var startCount = 0
  }

  private let state = Mutex(State())

  /// Partitions whose page was asked for and not taken yet.
  var partitions: Set<Int> {
    state.withLock { Set($0.tasks.keys).union($0.arrived.map(\.partition)) }
  }

  /// How many streams began before this one does.
  func countStart() -> Int {
    state.withLock { state in
      defer { state.startCount += 1 }
      return state.startCount
    }
  }

  /// Fetches the page of a partition; one at a time of each.
  func start(_ partition: Int, _ fetch: @escaping @Sendable () async -> FetchedPage) {
    let isCancelled = Task.isCancelled
    state.withLock { state in
      let task = Task { await self.arrive(fetch()) }
      if isCancelled { task.cancel() }
      state.tasks[partition] = task
    }
  }

  private func arrive(_ page: FetchedPage) {
    let waiter = state.withLock { state -> CheckedContinuation<FetchedPage?, Never>? in
      state.tasks[page.partition] = nil
      guard let waiter = state.waiter else {
        state.arrived.append(page)
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: page)
  }

  /// The next page, in the order of arrival; nil when none is on its way.
  ///
  /// Cancelling the caller's task cancels all pages: each of them arrives as a failure.
  func next() async -> FetchedPage? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          guard state.arrived.isEmpty, !state.tasks.isEmpty else { return false }
          state.waiter = continuation
          return true
        }
        if !isWaiting { continuation.resume(returning: takeArrived()) }
      }
    } onCancel: {
      cancel()
    }
  }

  private func takeArrived() -> FetchedPage? {
    state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
  }

  private func cancel() {
    for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
  }

  /// Gives up all pages, and waits until none is on its way.
  func giveUp() async {
    cancel()
    while await next() != nil {}
  }
}
