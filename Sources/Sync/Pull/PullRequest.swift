package import Firestore
package import Model
package import Store

/// What becomes of the rows whose documents a pull does not find.
package enum PullMode: Hashable, Sendable {
  /// They stay.
  case merge
  /// They are deleted, all at once with the last page.
  case replace
  /// Nothing becomes a row: `Sweep` collects the keys and decides.
  case sweep
}

/// How documents are read, for every kind of pull.
package struct PullOptions: Sendable {
  /// The job whose cursor is kept.
  package var job: String
  package var pageSize: Int
  /// Documents to read in all; nil for as many as there are.
  package var maxDocuments: Int?
  package var now: Instant
  package var mode = PullMode.merge
  /// Where an incremental pull begins; nil for one that reads everything.
  package var watermark: Watermark?
  /// Whether the keys of documents that become no row are stored; `Sweep` needs them.
  package var remembersSkipped = false
  /// How many partitions are read side by side, where the pages are ordered by name.
  package var partitions = 1
  /// The part that a shard reads; nil for everything in a snapshot of its own.
  package var slice: PullSlice?
  /// What joins each transaction that stores documents; nil for nothing.
  package var onCommit: (@Sendable (PullResult) throws -> [Effect])?
  /// Is called with the documents of each page that came; nil when nobody wants to know.
  package var onPage: (@Sendable (_ documents: Int) -> Void)?

  package init(job: String, pageSize: Int, maxDocuments: Int? = nil, now: Instant) {
    self.job = job
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.now = now
  }
}

/// Which documents become which rows, and how they are read.
package struct PullRequest: Sendable {
  /// Ordered by at most one field and then by name; without a limit or a cursor.
  package var query: StructuredQuery
  /// The document whose collections are asked; nil for the database's own.
  package var parent: String?
  package var table: SyncTable
  package var mapping: any DocumentMapping
  /// What a cursor has to belong to: everything that decides which rows the pages become.
  ///
  /// Begins with the table's `cursorPrefix`.
  package var cursorKey: String
  package var options: PullOptions
  /// Nil when all documents must be read.
  package var unchanged: UnchangedDocuments?
  /// Whether the order field may have times of several types, when the latest are wanted.
  ///
  /// The query is then ordered by that field, descending; see `docs/loads.md#two-types`.
  package var asksByType = false
  /// What else a sweep looks for in the list; nil for nothing but names.
  var silentChanges: SilentChanges?

  package init(
    query: StructuredQuery, parent: String? = nil, table: SyncTable,
    mapping: any DocumentMapping, cursorKey: String, options: PullOptions
  ) {
    self.query = query
    self.parent = parent
    self.table = table
    self.mapping = mapping
    self.cursorKey = cursorKey
    self.options = options
  }
}

/// Where a pull goes on; see `docs/firestore.md#paging` and `docs/loads.md#incremental-loads`.
extension PullRequest {
  /// A snapshot lives for an hour; the last ten minutes are left for the pages to come.
  package static let longestSnapshot = Duration.seconds(50 * 60)

  /// Whether only changes since the watermark are asked for.
  package var isIncremental: Bool { options.watermark?.reached != nil }

  /// The key of the stored cursor: a first load and a later one have different ones.
  var positionKey: String { isIncremental ? cursorKey + changesSuffix : cursorKey }

  package var changesSuffix: String { " changes" }

  package var watermarkKey: String {
    "\(cursorKey) watermark \(options.watermark?.field.description ?? "")"
  }

  /// The same request with the stored watermark, and with the query for what changed since.
  package func resumed(in reader: some Readable) throws -> PullRequest {
    guard let watermark = options.watermark, !watermark.startsOver, try !reader.isEmpty(table)
    else { return self }
    let stored = try reader.cursor(job: options.job, key: watermarkKey)
    let reached = Watermark(
      field: watermark.field, overlap: watermark.overlap, forms: watermark.forms,
      reached: stored.flatMap { TypedTimes(text: $0.value, usual: watermark.usualForm) })
    var resumed = self
    resumed.options.watermark = reached
    resumed.query = reached.changes(of: query)
    return resumed
  }

  /// What moves the stored watermark to the highest times that are stored; nothing without one.
  ///
  /// `readTime` is the snapshot that the documents were read at, the first of several.
  func watermark(upTo highest: TypedTimes, readTime: Timestamp?) -> [Effect] {
    guard var watermark = options.watermark else { return [] }
    watermark.stored(upTo: highest, readTime: readTime)
    return watermark.reached.map {
      [
        .cursor(
          SyncCursor(value: $0.text(usual: watermark.usualForm), startedAt: options.now),
          job: options.job, key: watermarkKey)
      ]
    } ?? []
  }

  /// Where the pull would go on; nil when it would start at the beginning.
  package func position(in reader: some Readable) throws -> PullCursor? {
    guard let stored = try reader.cursor(job: options.job, key: positionKey),
      stored.startedAt <= options.now, let cursor = PullCursor(text: stored.value)
    else { return nil }
    // A shard's snapshot is its plan's: when that is too old, the server says so.
    let lives = options.slice != nil || options.now - stored.startedAt < Self.longestSnapshot
    return lives || cursor.readTime == nil ? cursor : nil
  }
}

extension StructuredQuery {
  /// The field that pages are ordered by; nil when it is the name alone.
  package var orderField: FieldPath? {
    orderBy.first.flatMap { $0.field == .documentName ? nil : $0.field }
  }
}

/// How far the loads of a collection got, by a field that every change of a document sets to now.
///
/// See `docs/loads.md#incremental-loads`.
package struct Watermark: Hashable, Sendable {
  /// The field with the time of a document's last change.
  package let field: FieldPath
  /// The types whose values count, each with a position of its own, the usual one first; not empty.
  package let forms: [TimeForm]
  /// How much later than newer changes a change may become visible.
  package let overlap: Duration
  /// Whether the next load reads everything, whatever was reached.
  package let startsOver: Bool
  /// Changes up to these times are stored; nil before the first load ended.
  package private(set) var reached: TypedTimes?

  package init(
    field: FieldPath, overlap: Duration, forms: [TimeForm] = [.timestamp],
    startsOver: Bool = false, reached: TypedTimes? = nil
  ) {
    self.field = field
    self.forms = forms
    self.overlap = overlap
    self.startsOver = startsOver
    self.reached = reached
  }

  /// The type that the field usually has.
  var usualForm: TimeForm { forms.first ?? .timestamp }

  /// The query for documents that may have changed, oldest change first, type by type.
  ///
  /// Before the first load ended it is `query` itself.
  package func changes(of query: StructuredQuery) -> StructuredQuery {
    guard let reached else { return query }
    var changes = restricted(query) { form in
      guard let time = reached[form] else { return form.lowest }
      let from = max(Timestamp.earliest.microseconds, time.microseconds - overlap.microseconds)
      return form.value(of: Timestamp(microseconds: from))
    }
    changes.orderBy = [.init(field: field), .init(field: .documentName)]
    return changes
  }

  /// The documents of `query` that have a time in the field.
  package func visible(of query: StructuredQuery) -> StructuredQuery {
    restricted(query, from: \.lowest)
  }

  /// Moves on to the highest times that were stored; never back, and never beyond the snapshot.
  ///
  /// A document with a time in the future would hide all changes until then.
  package mutating func stored(upTo highest: TypedTimes, readTime: Timestamp?) {
    guard !highest.isEmpty else { return }
    var reached = reached ?? TypedTimes()
    reached.merge(highest.cut(at: readTime))
    self.reached = reached
  }

  /// A range finds values of its own type only, so each type has one; together they are one query,
  /// which Firestore answers type by type.
  private func restricted(
    _ query: StructuredQuery, from lowest: (TimeForm) -> Value
  ) -> StructuredQuery {
    let ranges = forms.map { form in
      StructuredQuery.Filter.field(field, .greaterThanOrEqual, lowest(form))
    }
    let since = ranges.count == 1 ? ranges[0] : .composite(.or, ranges)
    var restricted = query
    restricted.filter = query.filter.map { .composite(.and, [$0, since]) } ?? since
    restricted.orderBy = []
    return restricted
  }
}

/// A part of a pull's documents at a fixed snapshot, which one shard reads; see `docs/shards.md`.
package struct PullSlice: Hashable, Sendable {
  /// The first name that may be in it; nil for the beginning.
  package var from: String?
  /// The first name after it; nil for the end.
  package var to: String?
  package var readTime: Instant

  package init(from: String?, to: String?, readTime: Instant) {
    self.from = from
    self.to = to
    self.readTime = readTime
  }

  /// The position before its first document.
  var start: PullCursor {
    var cursor = PullCursor()
    cursor.partitions = [PullCursor.Partition(start: from, end: to)]
    cursor.readTime = Timestamp(readTime)
    cursor.firstReadTime = cursor.readTime
    return cursor
  }
}

extension PullRequest {
  /// Whether names split it into parts: its pages are ordered by name, and it reads all documents.
  package var canBeSplit: Bool {
    query.orderBy == [.init(field: .documentName)] && options.maxDocuments == nil
  }
}

extension FirestorePort {
  /// The present time of the server, by reading the first name: one billed read.
  ///
  /// Nil from a server that names no time.
  package func presentTime(of request: PullRequest) async throws -> Instant? {
    try await firstName(of: request.query, under: request.parent, readTime: nil)?
      .readTime.map(Instant.init)
  }
}
