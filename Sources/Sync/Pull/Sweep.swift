package import Firestore
package import Model
package import Store

/// The rows of a table, and the documents with which they are compared.
package struct SweepRequest: Sendable {
  /// The documents that the table holds, all of them, by name.
  package var query: StructuredQuery
  /// The document whose collections are asked; nil for the database's own.
  package var parent: String?
  package var table: SyncTable
  package var keys: KeyMapping
  package var limit: DeleteLimit
  /// Whether to sweep without asking whether the count shows a drift.
  package var ignoresCount: Bool
  package var options: PullOptions
  /// What else is looked for in the list; nil where the load before it read everything.
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

/// What a sweep found, and the rows that it deleted.
package struct SweepResult: Hashable, Sendable {
  package var finding: DeleteRule.Finding
  package var verdict: DeleteDecision
  package var deleted: Int
  package var refreshed = RefreshedRows()
}

/// Rows whose documents had changed unseen, and were fetched.
package struct RefreshedRows: Hashable, Sendable {
  package var count = 0
  /// See `MappedRows.notes`.
  package var notes: [String: Int] = [:]
  /// Documents that changed so that no row can be made of them, by reason.
  package var skipped: [String: Int] = [:]

  package init() {}

  fileprivate init(_ listed: PullResult) {
    count = listed.counts.updated
    notes = listed.notes
    // Erased people are left out of the list itself.
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

/// Finds the rows of a table whose documents are gone, and deletes them; see
/// `docs/loads.md#deletes`.
package struct Sweep: Sendable {
  /// Keys that one request asks for: they are short.
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

  /// Deletes the rows whose documents are gone; the table's rows are from the snapshot, nil for
  /// now.
  ///
  /// - Throws: what the port throws; no row is deleted then.
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
    try writer.setMetadata(
      "\(finding.counted - left.rows - left.skipped)", named: unexplained(request.table))
    return SweepResult(finding: finding, verdict: verdict, deleted: deleted)
  }

  /// Whether the count shows a drift; nil when the budget allows no count.
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
    let unexplained = try reader.metadata(named: unexplained(table))
    return DeleteRule.hasDrifted(
      documents: counted, rows: mirror.rows, skipped: mirror.skipped,
      unexplained: unexplained.flatMap { Int($0) } ?? 0)
  }

  /// The metadata with the number of documents that the last sweep left unexplained.
  private static func unexplained(_ table: SyncTable) -> String { "unexplained in \(table.name)" }

  /// Deletes the rows whose documents are gone, by the keys that shards have read; makes no
  /// request.
  ///
  /// `counted` are the documents that the shards have read together, which is all of them, at
  /// `snapshot`. `list` collects the keys of all documents with `Writer.sweepShard`.
  ///
  /// - Throws: what `list` and the database throw.
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
