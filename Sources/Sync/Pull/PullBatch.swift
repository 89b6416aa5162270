package import Firestore
package import Model
import Store
import Synchronization

/// The pages that one transaction stores.
struct PullBatch: Sendable {
  /// The query with the position after these pages.
  private(set) var paged: PagedQuery
  /// The rows of each page; `RowBuffers.recycle` empties them in place once they are stored.
  ///
  /// They are the large buffers of a pull. Only this array holds them: a second reference during an
  /// append or a recycling would copy them.
  var rows: [TableRows] = []
  private var children: [[ChildRows]] = []
  private var skippedKeys: [TableRows] = []
  /// Documents whose change a load missed.
  private var missed: [MappedRows] = []
  private(set) var byteCount = 0
  /// The counts of what was read, before any of it is stored.
  private(set) var read = PullResult()
  /// Whether this is the last batch, whatever the reason.
  var isLast = false
  /// The error of the next page; nil at the end, and at the end of the read budget.
  var failure: (any Error)?

  init(after paged: PagedQuery) {
    self.paged = paged
  }

  var documentCount: Int { read.counts.fetched }

  /// - Throws: `PageError` for a page that cannot be the requested one.
  mutating func append(_ page: consuming PullPage, of partition: Int) throws {
    try paged.received(page.summary, of: partition, limit: page.limit)
    byteCount += page.byteCount
    read.counts.fetched += page.summary.documentCount
    // Documents with the stored `updateTime`, which were skipped.
    read.counts.unchanged += page.unchangedCount
    if let census = page.census { read.census.merge(census) }
    read.orderTypes.formUnion(page.orderTypes)
    read.met.merge(page.mapped.met)
    if !page.mapped.canSkipUnchanged { read.canSkipUnchanged = false }
    skippedKeys.append(page.mapped.skippedKeys)
    for rows in [page.mapped] + page.missed {
      read.notes.merge(rows.notes, uniquingKeysWith: +)
      read.counts.skipped.merge(rows.skipped, uniquingKeysWith: +)
    }
    missed += page.missed
    children.append(page.mapped.children)
    rows.append(page.mapped.rows)
  }

  /// Returns the query for the rest at the present state; nil when the failure forbids that.
  ///
  /// It is for a snapshot that the server calls too old, where rows of two snapshots may be merged.
  /// Only a page names a snapshot, so at least one page lies between two changes of snapshots.
  func pagedInNewSnapshot(_ options: PullOptions) -> PagedQuery? {
    guard hasLostSnapshot(options) else { return nil }
    var paged = paged
    paged.leaveSnapshot()
    return paged
  }

  /// Returns whether the snapshot is too old for the remaining pages and the pull may leave it.
  func hasLostSnapshot(_ options: PullOptions) -> Bool {
    (failure as? FirestoreError)?.reason == .readTimeTooOld && options.mode == .merge
      && paged.cursor.readTime != nil && options.range == nil
  }
}

extension PullBatch {
  /// The step after the transaction that stores a batch.
  enum Sequel {
    case more
    /// A long pause: the budget is used up, or the snapshot is gone.
    case pause
    case end
  }

  /// Returns the effects of the batch's transaction, in order.
  func effects(
    for request: PullRequest, followedBy sequel: Sequel, after soFar: PullResult
  ) -> [StoreChange] {
    if sequel == .pause, request.options.mode == .replace { return [.clearStaged(request.table)] }
    var effects = rows(for: request)
    if sequel == .end, request.options.mode == .replace {
      effects.append(.replace(request.table, at: request.options.now))
    }
    effects += cursor(for: request, followedBy: sequel)
    // Pages ordered by name may hold earlier changes later: the watermark then waits for the end.
    if request.isIncremental || sequel == .end {
      effects += request.watermark(upTo: paged.cursor.highest, readTime: paged.cursor.firstReadTime)
    }
    return effects + [.then { try self.followingEffects(for: request, sequel, soFar, $1, in: $0) }]
  }

  /// Returns the effects that store the rows according to the request's mode.
  private func rows(for request: PullRequest) -> [StoreChange] {
    let table = request.table
    switch request.options.mode {
    case .merge:
      let rows = StoreChange.upsert(rows, children: children, into: table, at: request.options.now)
      return request.options.remembersSkipped ? [rows, .skipped(skippedKeys, of: table)] : [rows]
    case .replace: return [.stage(rows, for: table)]
    case .sweep:
      return [.sweep(rows, of: table)]
        + (request.silentChanges?.effects(of: missed, at: request.options.now) ?? [])
    }
  }

  /// Returns the effects on the cursor: it keeps the snapshot, or leaves it after a pause.
  ///
  /// A pull that replaces starts from the beginning. A sweep keeps its snapshot, since a list from
  /// two snapshots would prove nothing, and its list until it is used, so that a crash does not
  /// repeat it.
  private func cursor(for request: PullRequest, followedBy sequel: Sequel) -> [StoreChange] {
    let (job, key) = (request.options.job, request.positionKey)
    var position = paged.cursor
    switch (request.options.mode, sequel) {
    case (.sweep, _), (.merge, .more): break
    case (.merge, .pause): position.readTime = nil
    case (_, .end): return [.cursor(nil, job: job, key: key)]
    case (.replace, _): return []
    }
    let now = request.options.now
    let startedAt = position.readTime.map(Instant.init) ?? now
    return [
      .cursor(SyncCursor(value: position.text, startedAt: min(startedAt, now)), job: job, key: key)
    ]
  }

  /// Returns the effects that depend on the rows that were stored.
  private func followingEffects(
    for request: PullRequest, _ sequel: Sequel, _ soFar: PullResult, _ stored: CommitCounts,
    in reader: Reader
  ) throws -> [StoreChange] {
    var effects: [StoreChange] = []
    if let unchanged = request.unchanged, request.options.mode != .sweep {
      var total = soFar
      total.add(stored)
      effects = try unchanged.effects(
        canSkipUnchanged: read.canSkipUnchanged, after: sequel == .end ? total : nil, in: reader
      )
    }
    if sequel != .pause, let onCommit = request.options.onCommit {
      var part = read
      part.add(stored)
      part.highest = paged.cursor.highest
      part.isComplete = sequel == .end
      effects += try onCommit(part)
    }
    return effects
  }
}

/// The result of a pull: all that it has read and stored, or the part of one transaction.
package struct PullResult: Codable, Hashable, Sendable {
  package var counts = RunCounts()
  /// The snapshot of the last page; nil when no page named one.
  package var readTime: Instant?
  /// Documents that an interrupted pull had already stored; nil when this pull began at the
  /// beginning.
  package var resumedAfter: Int?
  /// Whether the last page was read; false if the read budget was used up before.
  package var isComplete = false
  /// Whether only changes were requested.
  package var isIncremental = false
  /// The mapping's notes on stored rows, counted by reason.
  package var notes: [String: Int] = [:]
  /// The fields of the documents that this run fetched, for mappings that count them.
  package var census = FieldCensus()
  /// The paths that the stored documents have, for mappings that record them.
  package var met = SeenFields()
  /// See `MappedRows.canSkipUnchanged`.
  var canSkipUnchanged = true
  /// The highest times in a watermark's field, as known to one transaction of a pull.
  var highest = TypedTimes()
  /// The types of the order field's values, in the documents that were read and in the last one of
  /// each page.
  package var orderTypes: OrderTypes = []
  /// The latest time that a pull of several types may have left unread; nil for other pulls.
  package var latestUnread: Instant?
  /// The limit of documents per page after larger pages were too large; nil when none was.
  package var reducedPageSize: Int?
  /// The number of values of unknown kinds, by field; nil if they were not counted.
  package var unknownValues: [String: Int]?
  /// Whether the documents come from several snapshots, so that one may have been read twice.
  var leftSnapshot = false

  package init() {}

  /// The result of a pull that has read nothing yet.
  init(of request: PullRequest, from start: PullCursor) {
    resumedAfter = start.documentCount == 0 ? nil : start.documentCount
    isIncremental = request.isIncremental
  }

  /// Adds the counts of committed rows.
  mutating func add(_ stored: CommitCounts) {
    counts.inserted += stored.upserted.inserted
    counts.updated += stored.upserted.updated
    counts.unchanged += stored.upserted.unchanged
    counts.deleted += stored.deleted
  }

  /// Adds the documents that the sweep after the load fetched.
  package mutating func add(_ refreshed: RefreshedRows) {
    counts.fetched += refreshed.count
    counts.updated += refreshed.count
    counts.skipped.merge(refreshed.skipped, uniquingKeysWith: +)
    notes.merge(refreshed.notes, uniquingKeysWith: +)
  }

  /// Adds the result of a later part: of a batch, of another transaction or of the next shard.
  package mutating func add(_ other: PullResult) {
    counts.fetched += other.counts.fetched
    counts.inserted += other.counts.inserted
    counts.updated += other.counts.updated
    counts.unchanged += other.counts.unchanged
    counts.skipped.merge(other.counts.skipped, uniquingKeysWith: +)
    notes.merge(other.notes, uniquingKeysWith: +)
    census.merge(other.census)
    met.merge(other.met)
    if !other.canSkipUnchanged { canSkipUnchanged = false }
    highest.merge(other.highest)
    orderTypes.formUnion(other.orderTypes)
    reducedPageSize = [reducedPageSize, other.reducedPageSize].compactMap(\.self).min()
    isComplete = other.isComplete
  }

  mutating func end(at paged: PagedQuery) {
    readTime = paged.cursor.readTime.map(Instant.init)
    isComplete = paged.next == nil
    latestUnread = paged.latestUnread.map(Instant.init)
  }

  /// A sentence about the interrupted pull that was continued; nil without one.
  package var resumption: String? {
    Resumption.sentence(after: resumedAfter, "document")
  }

  /// Returns sentences about unusual circumstances of the reading.
  package func remarks(orderedBy field: FieldPath?) -> [String] {
    [
      resumption, reducedPageSize.map(PageSizer.sentence(about:)),
      field.flatMap(orderTypes.warning(about:)),
      unknownValues.flatMap(Self.sentence(aboutUnknown:)),
    ].compactMap(\.self)
  }

  /// Whether a whole load found nothing to store.
  package var storedNothing: Bool {
    isComplete && !isIncremental && resumedAfter == nil
      && counts.inserted + counts.updated + counts.unchanged == 0
  }
}

/// A sentence about a load that continued an interrupted one, whatever it loads.
package enum Resumption {
  /// Returns the sentence, with `thing` in the singular; nil for a load from the beginning.
  package static func sentence(after count: Int?, _ thing: String) -> String? {
    count.map { "Continued an interrupted load after \($0) \(thing)\($0 == 1 ? "" : "s")." }
  }
}

/// One page of documents: its rows, and the position of the next page.
struct PullPage: Sendable {
  private(set) var mapped: MappedRows
  /// Documents with the stored `updateTime`, which became no row.
  private(set) var unchangedCount = 0
  /// The full names of listed documents whose change a load missed.
  private(set) var missedNames: [String] = []
  /// The rows of these documents, once they are fetched.
  var missed: [MappedRows] = []
  /// The number of requested documents.
  let limit: Int
  /// Nil unless the mapping's scanner counts fields.
  private(set) var census: FieldCensus?
  /// The types of the order field's values that were read.
  private(set) var orderTypes: OrderTypes = []
  /// Whether its last document was asked for once more, to know where the next page begins.
  var askedForValue = false
  private(set) var summary = PageSummary(documentCount: 0, last: nil, readTime: nil)

  /// Starts without rows and reuses the memory of `rows`.
  init(_ rows: consuming TableRows, limit: Int) {
    self.limit = limit
    mapped = MappedRows(rows)
  }

  /// The order field's value of the last document; nil when the scan could not read it.
  var orderValue: Value? {
    get { summary.last?.value }
    set { summary.last?.value = newValue }
  }

  var byteCount: Int { missed.reduce(mapped.byteCount) { $0 + $1.byteCount } }

  /// Maps every document of the page, in order, and collects the names of those that `isMissed`
  /// accepts.
  ///
  /// - Throws: the scanner's error for a page that is incomplete, or not from `origin`.
  mutating func scan(
    _ bytes: inout [UInt8], by mapping: some DocumentMapping, from origin: DocumentOrigin? = nil,
    stored: DocumentScanner.StoredTime? = nil,
    isMissed: ((borrowing ScannedDocument, UnsafeRawBufferPointer) throws -> Bool)? = nil
  ) throws -> ScannedPage {
    var highest = TypedTimes()
    var scanner = mapping.scanner
    scanner.origin = origin
    let position = mapping.orderPosition
    // Rows without their documents' JSON take less than half of the page's bytes.
    mapped.rows.reserve(rows: limit, bytes: bytes.count / 2)
    let page = try scanner.scan(&bytes, stored: stored) { document, buffer in
      guard !document.isUnchanged else {
        unchangedCount += 1
        return
      }
      mapping.add(document, in: buffer, to: &mapped)
      if let isMissed, try isMissed(document, buffer) {
        missedNames.append(String(decoding: buffer[document.name], as: UTF8.self))
      }
      if let position, let value = Self.value(of: document.fields[position], in: buffer) {
        orderTypes.formUnion(OrderTypes(of: value))
        // The method as a function value would copy the mapping for each document.
        if let time = mapping.time(of: value), let form = TimeForm(of: value) {
          highest.note(time, form)
        }
      }
    }
    let lastValue = position.flatMap { position in
      bytes.withUnsafeBytes { Self.value(of: scanner.lastFields[position], in: $0) }
    }
    census = page.census
    orderTypes.formUnion(OrderTypes(of: lastValue))
    summary = PageSummary(
      documentCount: page.documentCount, last: page.lastName.map { (lastValue, $0) },
      readTime: page.readTime, highest: highest)
    return page
  }

  /// Returns the value for comparison in a cursor; nil for a kind that the scan does not read.
  private static func value(of field: ScannedField, in page: UnsafeRawBufferPointer) -> Value? {
    switch field {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .timestamp(let microseconds): .timestamp(Timestamp(microseconds: microseconds))
    case .string(let range): .string(String(decoding: page[range], as: UTF8.self))
    case .null: .null
    case .reference(let range): .reference(String(decoding: page[range], as: UTF8.self))
    case .missing, .bytes, .other, .unreachable, .malformed: nil
    }
  }
}

/// Emptied rows whose memory is reused for the next pages; see `BodyBuffers` for the reason.
final class RowBuffers: Sendable {
  /// The most buffers kept: the pages of a transaction, and of the next one that is fetched.
  private static let capacity = 8
  /// The most bytes of text in a buffer that is kept.
  private static let largest = 4 << 20

  private let buffers = Mutex<[TableRows]>([])

  /// Returns empty rows, in reused memory if there is any.
  func next(width: Int) -> TableRows {
    let rows = buffers.withLock { $0.popLast() }
    guard let rows, rows.width == width else { return TableRows(width: width) }
    return rows
  }

  func removeAll() { buffers.withLock { $0 = [] } }

  /// Empties the rows and keeps their memory.
  ///
  /// There must be no other reference to them: emptying shared rows allocates their memory again.
  func recycle(_ pages: inout [TableRows]) {
    while var rows = pages.popLast() {
      guard rows.bytes.count <= Self.largest else { continue }
      rows.removeAll()
      buffers.withLock { [rows] buffers in
        if buffers.count < Self.capacity { buffers.append(rows) }
      }
    }
  }
}

extension Instant {
  package init(_ timestamp: Timestamp) {
    self.init(microseconds: timestamp.microseconds)
  }
}

extension Timestamp {
  package init(_ instant: Instant) {
    self.init(microseconds: instant.microseconds)
  }
}
