import Firestore
import Model
import Store
import Synchronization

/// The fetching of the pages of one pull, from several partitions concurrently.
struct PageFetcher: Sendable {
  let request: PullRequest
  let port: any FirestorePort
  let reads: ReadBudgetMeter
  let buffers: RowBuffers
  let documentsPerBatch: Int
  let bytesPerBatch: Int

  /// The delay that keeps streams from all beginning at once.
  let sleep: @Sendable (Duration) async throws -> Void
  /// The stored times to compare with; nil when every document has to be read.
  let stored: StoredTimes?
  let underWay = InFlightPages()
  let sizer = PageSizer()

  /// Fetches the pages of one transaction while the previous ones are stored.
  ///
  /// Requests for pages of partitions may still be in flight when it returns: those pages belong to
  /// the next batch. After a failure none is in flight.
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

  /// Delays the start of a stream so that streams begin one by one at the rate of the ramp; see
  /// `docs/firestore.md#partitions`.
  private func waitToStart(_ partition: Int, in paged: PagedQuery) async throws {
    guard paged.cursor.partitions.count > 1, paged.cursor.partitions[partition].last == nil else {
      return
    }
    let before = underWay.countStart()
    if before > 0 { try await sleep(.seconds(1) * (Double(before) / WriteRamp.startingRate)) }
  }

  /// Fetches the page, reduced to the rest of the budget and to the memory of all streams.
  ///
  /// The result is nil when nothing is left of the budget, or too little for a page that scans.
  private func fetch(_ page: PageRequest, in paged: PagedQuery) async throws -> PullPage? {
    guard let wanted = page.query.limit,
      try await port.access(of: page.query, under: request.parent, within: reads) != nil
    else { return nil }
    let streams = min(paged.cursor.partitions.count, request.options.partitions)
    let limit = sizer.documents(atMost: wanted, streams: streams)
    let scan = port.scannedUnits(of: page.query, under: request.parent)
    var fetched = try await reads.spend(upTo: scan ?? limit, atLeast: scan ?? 1) { granted in
      let most = scan == nil ? granted : limit
      let fetched = try await sizer.fitting(most, billing: reads, lost: scan) { limit in
        var page = page
        page.query.limit = limit
        return try await fetch(page, limit: limit, in: paged)
      }
      return (fetched, max(1, fetched.summary.documentCount) + (fetched.askedForValue ? 1 : 0))
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
    // If a page cannot be scanned while unchanged documents are skipped, it is read in full the
    // next time.
    var skips = true
    try await port.page(
      of: page.query, under: request.parent, readTime: page.readTime
    ) { bytes in
      // A page that is fetched again starts from its beginning.
      fetched = PullPage(buffers.next(width: mapping.width), limit: limit)
      prefetch(after: bytes, limit: limit, in: paged)
      let byteCount = bytes.count
      defer { skips = false }
      let page = try scan(&bytes, into: &fetched, from: origin, skipsUnchanged: skips)
      sizer.note(bytes: byteCount, documents: page.documentCount)
      return page
    }
    if fetched.summary.documentCount == limit, let last = fetched.summary.last,
      last.value == nil, let field = request.query.orderField
    {
      // The page would be lost without it, and its documents are paid for.
      fetched.askedForValue = true
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

  /// Returns the value that the next page starts after, of a kind that scans do not read, such as a
  /// map.
  private func value(
    of field: FieldPath, in name: String, readTime: Timestamp?
  ) async throws -> Value? {
    let path = try ResourceName(parsing: name).segments.joined(separator: "/")
    return try await port.document(at: path, readTime: readTime)?[field]
  }
}

/// The request for the next page before this one is read; see `docs/firestore.md#pages-ahead`.
extension PageFetcher {
  /// Sends the request for the next page early, if the end of this page determines it.
  ///
  /// A wrong guess costs a discarded answer: a page is read only when the query requests it.
  /// Nothing is prefetched for partitions, which are already read concurrently, nor under a budget,
  /// since its remainder is known only after the page.
  private func prefetch(after page: [UInt8], limit: Int, in paged: PagedQuery) {
    guard reads.limit == nil, paged.cursor.partitions.count <= 1,
      let next = nextRequest(after: page, limit: limit, in: paged)
    else { return }
    reads.add(port.prefetch(of: next.query, under: request.parent, readTime: next.readTime))
  }

  /// Returns the request after a full page; nil after the last page, or if the end does not show
  /// it.
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
      // The scan of the whole page will report the same error.
      return nil
    }
    guard var next = paged.next else { return nil }
    if let limit = next.query.limit { next.query.limit = sizer.documents(atMost: limit) }
    return next
  }
}

/// A page of a partition, or the error that replaced it; nil when the read budget was used up.
struct FetchedPage: Sendable {
  let partition: Int
  let page: Result<PullPage?, any Error>
}

/// The choice of the partitions whose pages are requested while a batch is collected.
///
/// At most one page per partition is in flight, and at most as many partitions as the request
/// allows. Pages join the batch in the order of arrival.
struct PartitionScheduler: Sendable {
  private(set) var batch: PullBatch
  private let limit: Int
  /// Partitions with a page in flight.
  private var pending: Set<Int>
  /// Whether the budget had nothing for a partition; pages in flight may still hold the rest of it.
  private var isStarved = false
  private var isOutOfReads = false

  init(_ paged: PagedQuery, limit: Int, pending: Set<Int> = []) {
    batch = PullBatch(after: paged)
    self.limit = limit
    self.pending = pending
  }

  /// Returns the pages to request now; none when it has to wait or the batch is finished.
  mutating func nextRequests() -> [(partition: Int, page: PageRequest)] {
    guard batch.failure == nil, !isOutOfReads, !isStarved || pending.isEmpty else { return [] }
    let open = batch.paged.openPartitions.filter { !pending.contains($0) }
    return open.prefix(max(0, limit - pending.count)).compactMap { partition in
      guard let page = batch.paged.request(of: partition) else { return nil }
      pending.insert(partition)
      return (partition, page)
    }
  }

  /// Adds a page to the batch; the first failure becomes the batch's, and later pages are kept.
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

  /// The batch as it is once it is full or no page is in flight.
  var finishedBatch: PullBatch {
    var finished = batch
    finished.isLast = batch.failure != nil || isOutOfReads || batch.paged.next == nil
    return finished
  }
}

/// The pages in flight, including pages beyond the batch that is being collected.
///
/// A full batch does not wait for further pages: they arrive while it is stored, so that no stream
/// waits for the slowest one or for the store.
final class InFlightPages: Sendable {
  private struct State {
    /// The tasks by partition.
    var tasks: [Int: Task<Void, Never>] = [:]
    var arrived: [FetchedPage] = []
    var waiter: CheckedContinuation<FetchedPage?, Never>?
    /// Partitions whose first page was requested.
    var startCount = 0
  }

  private let state = Mutex(State())

  /// Partitions whose page was requested and not yet taken.
  var partitions: Set<Int> {
    state.withLock { Set($0.tasks.keys).union($0.arrived.map(\.partition)) }
  }

  /// Counts a stream that begins and returns how many began before it.
  func countStart() -> Int {
    state.withLock { state in
      defer { state.startCount += 1 }
      return state.startCount
    }
  }

  /// Fetches the page of a partition; at most one per partition at a time.
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

  /// Waits for the next page, in order of arrival; returns nil when none is in flight.
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

  /// Cancels all pages and waits until none is in flight.
  func giveUp() async {
    cancel()
    while await next() != nil {}
  }
}
