package import Firestore
package import Model
package import Store

/// The treatment of rows whose documents a pull does not find.
package enum PullMode: Hashable, Sendable {
  /// The rows are kept.
  case merge
  /// The rows are deleted, all at once with the last page.
  case replace
  /// No row is stored: `Sweep` collects the keys and decides.
  case sweep
}

/// The options for reading documents, for every kind of pull.
package struct PullOptions: Sendable {
  /// The job that the cursor belongs to.
  package var job: String
  package var pageSize: Int
  /// The most documents to read in total; nil for no limit.
  package var maxDocuments: Int?
  package var now: Instant
  package var mode = PullMode.merge
  /// The start of an incremental pull; nil for a pull that reads everything.
  package var watermark: Watermark?
  /// Whether the keys of left-out documents are stored; `Sweep` needs them.
  package var remembersSkipped = false
  /// The number of partitions that are read concurrently, if the pages are ordered by name.
  package var partitions = 1
  /// The range that a shard reads; nil for all documents at a snapshot of its own.
  package var range: ShardRange?
  /// The changes that join each transaction that stores documents; nil for none.
  package var onCommit: (@Sendable (PullResult) throws -> [StoreChange])?
  /// A callback for the number of documents of each page that arrived; nil for none.
  package var onPage: (@Sendable (_ documents: Int) -> Void)?

  package init(job: String, pageSize: Int, maxDocuments: Int? = nil, now: Instant) {
    self.job = job
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
    self.now = now
  }
}

/// The documents of a pull, the rows that they become, and the way they are read.
package struct PullRequest: Sendable {
  /// The query, ordered by at most one field and then by name; without a limit or a cursor.
  package var query: StructuredQuery
  /// The document whose collections are queried; nil for root collections.
  package var parent: String?
  package var table: SyncTable
  package var mapping: any DocumentMapping
  /// The key of the cursor: everything that decides which rows the pages become.
  ///
  /// It begins with the table's `cursorPrefix`.
  package var cursorKey: String
  package var options: PullOptions
  /// The rule for unchanged documents; nil when all documents must be read.
  package var unchanged: UnchangedFilter?
  /// Whether the latest documents are wanted and the order field may have times of several types.
  ///
  /// The query is then ordered by that field, descending; see `docs/loads.md#two-types`.
  package var asksByType = false
  /// The check of a sweep's list for silent changes; nil when only names are compared.
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

/// The position where a pull continues; see `docs/firestore.md#paging` and
/// `docs/loads.md#incremental-loads`.
extension PullRequest {
  /// The age up to which a snapshot is used: it lives for an hour, minus ten minutes for further
  /// pages.
  package static let longestSnapshot = Duration.seconds(50 * 60)

  /// Whether only changes since the watermark are requested.
  package var isIncremental: Bool { options.watermark?.reached != nil }

  /// The key of the stored cursor, which is different for a first load and for later ones.
  var positionKey: String { isIncremental ? cursorKey + changesSuffix : cursorKey }

  package var changesSuffix: String { " changes" }

  package var watermarkKey: String {
    "\(cursorKey) watermark \(options.watermark?.field.description ?? "")"
  }

  /// Returns the request with the stored watermark and with the query for the changes since then.
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

  /// Returns the changes that move the stored watermark to the highest stored times; none without a
  /// watermark.
  ///
  /// `readTime` is the snapshot that the documents were read at, the first of several.
  func watermark(upTo highest: TypedTimes, readTime: Timestamp?) -> [StoreChange] {
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

  /// Returns where the pull would continue; nil when it would start at the beginning.
  package func position(in reader: some Readable) throws -> PullCursor? {
    guard let stored = try reader.cursor(job: options.job, key: positionKey),
      stored.startedAt <= options.now, let cursor = PullCursor(text: stored.value)
    else { return nil }
    // A shard uses its plan's snapshot: the server reports when that is too old.
    let lives = options.range != nil || options.now - stored.startedAt < Self.longestSnapshot
    return lives || cursor.readTime == nil ? cursor : nil
  }
}

extension StructuredQuery {
  /// The field that orders the pages; nil when it is the name alone.
  package var orderField: FieldPath? {
    orderBy.first.flatMap { $0.field == .documentName ? nil : $0.field }
  }
}

/// The progress of a collection's loads, by a field that every change of a document sets to the
/// current time.
///
/// See `docs/loads.md#incremental-loads`.
package struct Watermark: Hashable, Sendable {
  /// The field with the time of a document's last change.
  package let field: FieldPath
  /// The types whose values count, each with its own position, the usual one first; not empty.
  package let forms: [TimeForm]
  /// The longest time by which a change may become visible after newer changes.
  package let overlap: Duration
  /// Whether the next load reads everything, whatever was reached.
  package let startsOver: Bool
  /// The times up to which changes are stored; nil before the first load ended.
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

  /// Returns the query for documents that may have changed, oldest change first, type by type.
  ///
  /// Before the first load ended, it is `query` itself.
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

  /// Returns the query for the documents of `query` that have a time in the field.
  package func visible(of query: StructuredQuery) -> StructuredQuery {
    restricted(query, from: \.lowest)
  }

  /// Moves the position to the highest stored times; never back, and never beyond the snapshot.
  ///
  /// Otherwise a document with a time in the future would hide all changes until then.
  package mutating func stored(upTo highest: TypedTimes, readTime: Timestamp?) {
    guard !highest.isEmpty else { return }
    var reached = reached ?? TypedTimes()
    reached.merge(highest.cut(at: readTime))
    self.reached = reached
  }

  /// Restricts the query to values from `lowest`, with one range for each type.
  ///
  /// A range finds values of its own type only. The ranges form one query, which Firestore answers
  /// type by type.
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

/// The part of a pull's documents that one shard reads at a fixed snapshot; see `docs/shards.md`.
package struct ShardRange: Hashable, Sendable {
  /// The first name that may be in the range; nil for the beginning.
  package var from: String?
  /// The first name after the range; nil for the end.
  package var to: String?
  package var readTime: Instant

  package init(from: String?, to: String?, readTime: Instant) {
    self.from = from
    self.to = to
    self.readTime = readTime
  }

  /// The position before the range's first document.
  var start: PullCursor {
    var cursor = PullCursor()
    cursor.partitions = [PullCursor.Partition(start: from, end: to)]
    cursor.readTime = Timestamp(readTime)
    cursor.firstReadTime = cursor.readTime
    return cursor
  }
}

extension PullRequest {
  /// Whether the request can be split by name: its pages are ordered by name, and it has no limit.
  package var canBeSplit: Bool {
    query.orderBy == [.init(field: .documentName)] && options.maxDocuments == nil
  }
}

extension FirestorePort {
  /// Returns the server's current time by reading the first name: one billed read.
  ///
  /// The result is nil if the server names no time.
  package func presentTime(of request: PullRequest) async throws -> Instant? {
    try await firstName(of: request.query, under: request.parent, readTime: nil)?
      .readTime.map(Instant.init)
  }
}
