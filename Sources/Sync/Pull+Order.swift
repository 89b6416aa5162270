package import Firestore
package import Model
package import Store

extension Pull {
  /// What becomes of the rows whose documents the pull does not find.
  package enum Mode: Hashable, Sendable {
    /// They stay.
    case merge
    /// They go, all at once with the last page.
    case replace
    /// Nothing becomes a row: the keys are collected for `Sweep`, which knows what to make of them.
    case sweep
  }

  /// Which documents become which rows.
  package struct Order: Sendable {
    /// The job whose cursor is kept.
    package var job: String
    /// Ordered by at most one field and then by name; without a limit or a cursor.
    package var query: StructuredQuery
    /// The document whose collections are asked; nil for the database's own.
    package var parent: String?
    package var pageSize: Int
    /// Documents to read in all; nil for as many as there are.
    package var maxDocuments: Int?
    package var table: SyncTable
    package var mapping: any DocumentMapping
    /// What a cursor has to belong to: all that decides which rows the pages become.
    ///
    /// Begins with the table's `cursorPrefix`.
    package var cursorKey: String
    package var now: Instant
    package var mode: Mode
    /// Where an incremental pull begins; nil for one that reads everything.
    package var watermark: Watermark?
    /// Whether documents that become no row are remembered, as `Sweep` needs it.
    package var remembersSkipped = false
    /// How many parts are read side by side, where the pages are ordered by name.
    package var partitions = 1

    package init(
      job: String, query: StructuredQuery, parent: String? = nil, pageSize: Int,
      maxDocuments: Int?, table: SyncTable, mapping: any DocumentMapping, cursorKey: String,
      now: Instant, mode: Mode = .merge
    ) {
      self.job = job
      self.query = query
      self.parent = parent
      self.pageSize = pageSize
      self.maxDocuments = maxDocuments
      self.table = table
      self.mapping = mapping
      self.cursorKey = cursorKey
      self.now = now
      self.mode = mode
    }

    /// What the cursor is kept under: that of a first load is none of a later one.
    var positionKey: String { watermark?.reached == nil ? cursorKey : cursorKey + " changes" }

    var watermarkKey: String { "\(cursorKey) watermark \(watermark?.field.description ?? "")" }
  }

  package struct Result: Sendable {
    package var counts: RunCounts
    package var readTime: Instant?
    /// Documents that an interrupted pull had stored before; nil when this one began at the beginning.
    package var resumedAfter: Int?
    /// False: the read budget was used up before the last page; the next pull goes on from there.
    package var isComplete: Bool
    /// What the mapping noted about rows that were stored, by reason.
    package var notes: [String: Int]
    /// The fields of the documents that this run fetched, of mappings that count them.
    package var census: FieldCensus
  }
}

extension Pull.Result {
  init(_ progress: PullProgress, start: PullCursor) {
    self.init(
      counts: progress.counts, readTime: progress.plan.cursor.readTime.map(Instant.init),
      resumedAfter: start.documentCount == 0 ? nil : start.documentCount,
      isComplete: progress.plan.next == nil, notes: progress.notes,
      census: progress.census)
  }
}

/// Cutting into parts; see `docs/firestore.md#partitions`.
extension Pull.Order {
  /// The query that Firestore knows to cut: the group of all collections of the same id.
  var cuttable: StructuredQuery? {
    guard query.orderBy == [.init(field: .documentName)], maxDocuments == nil,
      let id = query.from.first?.collectionId
    else { return nil }
    return StructuredQuery(
      from: [.init(collectionId: id, allDescendants: true)], orderBy: query.orderBy)
  }

  /// Whether a name that the group is cut at lies in the collection that is asked.
  func holds(_ name: String) -> Bool {
    guard let selector = query.from.first, !selector.allDescendants else { return true }
    let path = ResourceName.ids(in: name).dropFirst(5)
    let collection = [parent, selector.collectionId].compactMap(\.self).joined(separator: "/")
    return path.dropLast().joined(separator: "/") == collection
  }
}

extension StructuredQuery {
  /// The field that pages are ordered by; nil when it is the name alone.
  var orderField: FieldPath? {
    orderBy.first.flatMap { $0.field == .documentName ? nil : $0.field }
  }
}
