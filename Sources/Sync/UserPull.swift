import Firestore
package import Model
package import Store

/// Fetches users page by page into `OnlineUsers`; see `docs/firestore.md#paging`.
///
/// Rows and the cursor that covers them commit together, about every 10,000 rows, while the next
/// page is on its way. A pull that died goes on from its cursor as long as the snapshot lives.
package struct UserPull: Sendable {
  package struct Order: Sendable {
    /// The job whose cursor is kept.
    package var job: String
    package var collection: String
    package var fields: UserWireFields
    package var pageSize: Int
    /// Documents to read in all; nil for as many as there are.
    package var maxDocuments: Int?
    package var filter: UserFilter
    /// The profile's own id and city; nil when unknown.
    package var ownUserId: String?
    package var city: String?
    package var now: Instant

    package init(
      job: String, collection: String, fields: UserWireFields, pageSize: Int, maxDocuments: Int?,
      filter: UserFilter, ownUserId: String?, city: String?, now: Instant
    ) {
      self.job = job
      self.collection = collection
      self.fields = fields
      self.pageSize = pageSize
      self.maxDocuments = maxDocuments
      self.filter = filter
      self.ownUserId = ownUserId
      self.city = city
      self.now = now
    }

    var query: StructuredQuery {
      UserQuery.query(collection: collection, fields: fields, filter: filter, city: city)
    }

    /// What a cursor has to belong to: one query with one maximum.
    var cursorKey: String {
      let query = String(decoding: query.json.serialized(), as: UTF8.self)
      return "\(query) \(maxDocuments.map(String.init) ?? "all")"
    }
  }

  package struct Result: Sendable {
    package var counts: RunCounts
    package var readTime: Instant?
    /// Documents that an interrupted pull had stored before; nil when this one began at the beginning.
    package var resumedAfter: Int?
    /// Users whose clock ran ahead; see `docs/rules.md#last-seen`.
    package var correctedTimes: Int
  }

  /// Rows that one transaction takes: smaller ones cost time, larger ones lose more in a crash.
  package static let rowsPerCommit = 10_000

  /// A snapshot lives for an hour; the last ten minutes are left for the pages to come.
  package static let longestSnapshot = Duration.seconds(50 * 60)

  private let port: any FirestorePort
  private let store: Store

  package init(port: any FirestorePort, store: Store) {
    self.port = port
    self.store = store
  }

  /// Pulls until the last page; `finish` joins the transaction that stores the last rows.
  ///
  /// What earlier pages brought stays when a later one fails, and the cursor with it.
  package func run(
    _ order: Order, finish: @Sendable (Writer) throws -> Void
  ) async throws -> Result {
    let start = try startingPoint(of: order)
    var progress = Progress(order, start: start)
    do {
      var page = try await fetch(progress.plan.next, of: order)
      while let received = page {
        try progress.take(received)
        let next = progress.plan.next
        async let following = fetch(next, of: order)
        if progress.rowCount >= Self.rowsPerCommit { try commit(&progress, of: order) }
        page = try await following
      }
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      try store.write { try $0.clearCursor(job: order.job, key: order.cursorKey) }
      throw error
    }
    try commitLast(&progress, of: order, finish)
    return Result(
      counts: progress.counts, readTime: progress.plan.cursor.readTime.map(Instant.init),
      resumedAfter: start.last == nil ? nil : start.documentCount,
      correctedTimes: progress.correctedTimes)
  }

  private func fetch(_ request: PullPlan.Request?, of order: Order) async throws -> UserPage? {
    guard let request else { return nil }
    let mapping = UserMapping(
      fields: order.fields, ownUserId: order.ownUserId, now: order.now)
    var page = UserPage()
    try await port.page(of: request.query, readTime: request.readTime) { bytes in
      // A page that has to be fetched again begins anew.
      page = UserPage()
      return try page.scan(&bytes, for: order, by: mapping)
    }
    return page
  }

  private func startingPoint(of order: Order) throws -> PullCursor {
    let stored = try store.read { try $0.cursor(job: order.job, key: order.cursorKey) }
    guard let stored, order.now - stored.startedAt < Self.longestSnapshot,
      stored.startedAt <= order.now, let cursor = PullCursor(text: stored.value)
    else { return PullCursor() }
    return cursor
  }

  private func commit(_ progress: inout Progress, of order: Order) throws {
    let startedAt = progress.plan.cursor.readTime.map(Instant.init) ?? order.now
    let cursor = SyncCursor(
      value: progress.plan.cursor.text, startedAt: min(startedAt, order.now))
    let counts = try store.write { [progress] writer in
      try writer.setCursor(cursor, job: order.job, key: order.cursorKey)
      return try progress.upsert(in: writer, at: order.now)
    }
    progress.stored(counts)
  }

  private func commitLast(
    _ progress: inout Progress, of order: Order, _ finish: (Writer) throws -> Void
  ) throws {
    let counts = try store.write { [progress] writer in
      let counts = try progress.upsert(in: writer, at: order.now)
      try writer.clearCursor(job: order.job, key: order.cursorKey)
      try finish(writer)
      return counts
    }
    progress.stored(counts)
  }
}

/// What a pull holds between two commits.
private struct Progress: Sendable {
  private(set) var plan: PullPlan
  private(set) var counts = RunCounts()
  private(set) var correctedTimes = 0
  private(set) var rowCount = 0
  private var pages: [UserRows] = []

  init(_ order: UserPull.Order, start: PullCursor) {
    plan = PullPlan(
      query: order.query, pageSize: order.pageSize, maxDocuments: order.maxDocuments,
      cursor: start)
  }

  mutating func take(_ page: UserPage) throws {
    try plan.received(page.answer)
    pages.append(page.rows)
    rowCount += page.rows.count
    counts.fetched += page.answer.documentCount
    counts.skipped.merge(page.skipped, uniquingKeysWith: +)
    correctedTimes += page.correctedTimes
  }

  func upsert(in writer: Writer, at now: Instant) throws -> UpsertCounts {
    var counts = UpsertCounts()
    for rows in pages { counts += try writer.upsert(rows, at: now) }
    return counts
  }

  /// The rows are committed: they are counted and forgotten.
  mutating func stored(_ upserted: UpsertCounts) {
    counts.inserted += upserted.inserted
    counts.updated += upserted.updated
    counts.unchanged += upserted.unchanged
    pages.removeAll(keepingCapacity: true)
    rowCount = 0
  }
}

extension Instant {
  init(_ timestamp: Timestamp) {
    self.init(microseconds: timestamp.microseconds)
  }
}
