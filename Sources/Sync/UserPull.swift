import Firestore
package import Model
package import Store

/// Fetches users page by page into `OnlineUsers`; see `docs/firestore.md#paging`.
///
/// Rows and the cursor that covers them commit together, about every 10,000 documents, while the
/// next page is on its way. A pull that died goes on from its cursor as long as the snapshot lives;
/// one that replaces begins anew, since what it had collected nobody has seen.
package struct UserPull: Sendable {
  /// What becomes of the users that the pull does not find.
  package enum Mode: Hashable, Sendable {
    /// They stay.
    case merge
    /// They go, all at once with the last page.
    case replace
  }

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
    package var mode: Mode

    package init(
      job: String, collection: String, fields: UserWireFields, pageSize: Int, maxDocuments: Int?,
      filter: UserFilter, ownUserId: String?, city: String?, now: Instant, mode: Mode = .merge
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
      self.mode = mode
    }

    var query: StructuredQuery {
      UserQuery.query(collection: collection, fields: fields, filter: filter, city: city)
    }

    /// What a cursor has to belong to: all that decides which rows the pages become.
    var cursorKey: String {
      let parts: [JSON] = [
        query.json, .integer(maxDocuments), .array(fields.scanned.map { .string($0.name) }),
        .integer(filter.minAge), .integer(filter.maxAge), .boolean(filter.isNearbyOnly),
        ownUserId.map { .string($0) } ?? .null,
      ]
      return SyncCursor.usersKeyPrefix
        + String(decoding: JSON.array(parts).serialized(), as: UTF8.self)
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

  /// Documents that one transaction covers: fewer cost time, more are lost in a crash.
  package static let documentsPerCommit = 10_000

  /// A snapshot lives for an hour; the last ten minutes are left for the pages to come.
  package static let longestSnapshot = Duration.seconds(50 * 60)

  private let port: any FirestorePort
  private let store: Store
  private let documentsPerCommit: Int

  package init(port: any FirestorePort, store: Store) {
    self.init(port: port, store: store, documentsPerCommit: Self.documentsPerCommit)
  }

  init(port: any FirestorePort, store: Store, documentsPerCommit: Int) {
    self.port = port
    self.store = store
    self.documentsPerCommit = documentsPerCommit
  }

  /// Pulls until the last page; `finish` joins the transaction that stores the last rows.
  ///
  /// What was committed stays when a later page fails, and the cursor with it: the next run of the
  /// same order fetches only the rest. `finish` is then not called.
  package func run(
    _ order: Order, finish: @Sendable (Writer) throws -> Void
  ) async throws -> Result {
    let start = try startingPoint(of: order)
    var progress = PullProgress(order, start: start)
    do {
      var page = try await fetch(progress.plan.next, of: order)
      while let received = page {
        try progress.take(received)
        let next = progress.plan.next
        async let following = fetch(next, of: order)
        if progress.documentCount >= documentsPerCommit { try commit(&progress, of: order) }
        page = try await following
      }
    } catch let error as FirestoreError where error.refusesCursor {
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
    if page.answer.documentCount == request.query.limit, let last = page.answer.last,
      last.value == nil
    {
      page.orderValue = try await orderValue(
        of: last.name, readTime: request.readTime ?? page.answer.readTime, in: order)
    }
    return page
  }

  /// The value that the next page starts after, of a kind that no scan reads, such as a map.
  private func orderValue(
    of name: String, readTime: Timestamp?, in order: Order
  ) async throws -> Value? {
    let path = try ResourceName(parsing: name).segments.joined(separator: "/")
    return try await port.document(at: path, readTime: readTime)?
      .fields[order.fields.queryName(.lastSeen)]
  }

  private func startingPoint(of order: Order) throws -> PullCursor {
    guard order.mode == .merge else {
      try store.write { try $0.clearStagedUsers() }
      return PullCursor()
    }
    let stored = try store.read { try $0.cursor(job: order.job, key: order.cursorKey) }
    guard let stored, order.now - stored.startedAt < Self.longestSnapshot,
      stored.startedAt <= order.now, let cursor = PullCursor(text: stored.value)
    else { return PullCursor() }
    return cursor
  }

  private func commit(_ progress: inout PullProgress, of order: Order) throws {
    guard order.mode == .merge else {
      try store.write { [progress] writer in try progress.stage(in: writer) }
      return progress.stored(UpsertCounts())
    }
    let startedAt = progress.plan.cursor.readTime.map(Instant.init) ?? order.now
    let cursor = SyncCursor(
      value: progress.plan.cursor.text, startedAt: min(startedAt, order.now))
    let counts = try store.write { [progress] writer in
      try writer.dropUserIndexesIfEmpty()
      try writer.setCursor(cursor, job: order.job, key: order.cursorKey)
      return try progress.upsert(in: writer, at: order.now)
    }
    progress.stored(counts)
  }

  private func commitLast(
    _ progress: inout PullProgress, of order: Order, _ finish: (Writer) throws -> Void
  ) throws {
    let counts = try store.write { [progress] writer in
      let counts = try progress.storeLast(in: writer, order)
      try writer.buildUserIndexes()
      try writer.clearCursor(job: order.job, key: order.cursorKey)
      try finish(writer)
      return counts
    }
    progress.stored(counts.upserted, deleted: counts.deleted)
  }
}

extension Instant {
  init(_ timestamp: Timestamp) {
    self.init(microseconds: timestamp.microseconds)
  }
}

extension FirestoreError {
  /// Whether the server will have nothing to do with where a pull wants to go on.
  fileprivate var refusesCursor: Bool { reason == .readTimeTooOld || reason == .invalid }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}
