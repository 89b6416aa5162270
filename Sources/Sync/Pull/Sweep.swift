package import Firestore
package import Model
package import Store

/// The rows of a table, and the documents to compare them with.
package struct SweepRequest: Sendable {
  /// The query for all documents that the table represents, by name.
  package var query: StructuredQuery
  /// The document whose collections are queried; nil for root collections.
  package var parent: String?
  package var table: SyncTable
  package var keys: KeyMapping
  package var limit: DeleteLimit
  /// Whether to sweep without counting first; otherwise a sweep follows only a drift.
  package var ignoresCount: Bool
  package var options: PullOptions
  /// The check of the list for silent changes; nil after a load that read everything.
  package var silentChanges: SilentChanges?

  package init(
    query: StructuredQuery, parent: String? = nil, table: SyncTable, keys: KeyMapping,
    limit: DeleteLimit, ignoresCount: Bool, options: PullOptions
  ) {
    self.query = query
    self.parent = parent
    self.table = table
    self.keys = keys
    self.limit = limit
    self.ignoresCount = ignoresCount
    self.options = options
  }

  /// The pull that lists the keys of all documents.
  fileprivate var listing: PullRequest {
    var query = query
    query.select = keys.select
    let key = String(decoding: query.json.serialized(), as: UTF8.self)
    var options = options
    options.mode = .sweep
    var listing = PullRequest(
      query: query, parent: parent, table: table, mapping: keys,
      cursorKey: "\(table.sweepPrefix)\(parent ?? "") \(key)", options: options)
    listing.silentChanges = silentChanges
    return listing
  }
}

/// The finding and the verdict of a sweep, and the changes that it made.
package struct SweepResult: Hashable, Sendable {
  package var finding: DeleteRule.Finding
  package var verdict: DeleteDecision
  package var deleted: Int
  package var refreshed = RefreshedRows()
}

/// Rows that were fetched because their documents had changed silently.
package struct RefreshedRows: Hashable, Sendable {
  package var count = 0
  /// See `MappedRows.notes`.
  package var notes: [String: Int] = [:]
  /// Changed documents that can no longer become a row, counted by reason.
  package var skipped: [String: Int] = [:]

  package init() {}

  fileprivate init(_ listed: PullResult) {
    count = listed.counts.updated
    notes = listed.notes
    // Erased people are already left out of the list.
    skipped = listed.counts.skipped.filter { $0.key != ErasedPeople.countedAs }
  }
}

package enum SweepOutcome: Hashable, Sendable {
  /// The count shows that nothing is gone.
  case noDrift
  case swept(SweepResult)
  /// The read budget was used up before the list was complete.
  case outOfReads(RefreshedRows)
}

/// The deletion of rows whose documents are gone; see `docs/loads.md#deletes`.
package struct Sweep: Sendable {
  /// The number of keys in one request, which is large because keys are short.
  package static let pageSize = 1_000

  private let store: Store
  private let pull: Pull

  package init(port: any FirestorePort, store: Store, reads: ReadBudgetMeter) {
    self.init(store: store, pull: Pull(port: port, store: store, reads: reads))
  }

  init(store: Store, pull: Pull) {
    self.store = store
    self.pull = pull
  }

  /// Deletes the rows whose documents are gone; `loadedAt` is the snapshot of the rows, nil for
  /// now.
  ///
  /// - Throws: the port's error; no row is deleted then.
  package func run(
    _ request: SweepRequest, loadedAt readTime: Instant?
  ) async throws -> SweepOutcome {
    guard let isNeeded = try await isNeeded(request, readTime) else {
      return .outOfReads(RefreshedRows())
    }
    guard isNeeded else { return .noDrift }
    let listing = request.listing
    let listed = try await pull.run(listing)
    let snapshot = listed.readTime
    guard listed.isComplete,
      let counted = try await pull.count(
        of: request.query, under: request.parent, readTime: snapshot)
    else { return .outOfReads(RefreshedRows(listed)) }
    return .swept(
      try store.write { writer in
        try writer.clearCursor(job: listing.options.job, key: listing.positionKey)
        var result = try Self.judge(
          request, counted: counted, listed: listed.counts.fetched + (listed.resumedAfter ?? 0),
          at: snapshot ?? request.options.now, in: writer)
        result.refreshed = RefreshedRows(listed)
        return result
      })
  }

  static func judge(
    _ request: SweepRequest, counted: Int, listed: Int, at snapshot: Instant, in writer: Writer
  ) throws -> SweepResult {
    let finding = DeleteRule.Finding(
      counted: counted, listed: listed, rows: try writer.mirrorCounts(of: request.table).rows,
      missing: try writer.unsweptCount(of: request.table))
    let verdict = DeleteRule.decide(finding, limit: request.limit)
    guard verdict == .delete else {
      try writer.clearSweep(of: request.table)
      return SweepResult(finding: finding, verdict: verdict, deleted: 0)
    }
    let deleted = try writer.deleteUnswept(of: request.table, at: snapshot)
    let left = try writer.mirrorCounts(of: request.table)
    try writer.setMark(
      "\(finding.counted - left.rows - left.skipped)", named: .unexplained(in: request.table.name))
    return SweepResult(finding: finding, verdict: verdict, deleted: deleted)
  }

  /// Returns whether the documents have to be listed; nil when the budget allows no count.
  ///
  /// They are listed if the count shows a drift, is ignored, or its snapshot is too old.
  private func isNeeded(_ request: SweepRequest, _ readTime: Instant?) async throws -> Bool? {
    if request.ignoresCount { return true }
    let counted: Int
    do {
      let count = try await pull.count(of: request.query, under: request.parent, readTime: readTime)
      guard let count else { return nil }
      counted = count
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      return true
    }
    return try store.read { try Self.hasDrifted(request.table, from: counted, in: $0) }
  }

  fileprivate static func hasDrifted(
    _ table: SyncTable, from counted: Int, in reader: some Readable
  ) throws -> Bool {
    let mirror = try reader.mirrorCounts(of: table)
    let unexplained = try reader.mark(named: .unexplained(in: table.name))
    return DeleteRule.hasDrifted(
      documents: counted, rows: mirror.rows, skipped: mirror.skipped,
      unexplained: unexplained.flatMap { Int($0) } ?? 0)
  }

  /// Deletes the rows whose documents are gone, by the keys that shards have read, without a
  /// request.
  ///
  /// `counted` is the number of documents that the shards have read together at `snapshot`, which
  /// is all of them. `list` collects the keys of all documents with `Writer.sweepShard`.
  ///
  /// - Throws: the errors of `list` and of the database.
  static func run(
    _ request: SweepRequest, counted: Int, at snapshot: Instant, in store: Store,
    listing list: () throws -> Void
  ) throws -> SweepOutcome {
    let isNeeded = try store.read {
      try request.ignoresCount || hasDrifted(request.table, from: counted, in: $0)
    }
    guard isNeeded else { return .noDrift }
    try store.write { try $0.clearSweep(of: request.table) }
    try list()
    return .swept(
      try store.write {
        try judge(request, counted: counted, listed: counted, at: snapshot, in: $0)
      })
  }
}
