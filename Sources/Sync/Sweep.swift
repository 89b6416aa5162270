package import Firestore
package import Model
package import Rules
package import Store

/// Finds the rows of a table whose documents are gone, and deletes them; see `docs/rules.md#deletes`.
package struct Sweep: Sendable {
  package struct Order: Sendable {
    /// The job whose cursor is kept.
    package var job: String
    /// The documents that the table holds, all of them, by name.
    package var query: StructuredQuery
    /// The document whose collections are asked; nil for the database's own.
    package var parent: String?
    package var table: SyncTable
    package var keys: KeyMapping
    package var limit: DeleteLimit
    /// Whether to sweep although the count shows no drift; it is then not asked for.
    package var ignoresCount: Bool
    package var now: Instant
    /// How many parts of the list are read side by side.
    package var partitions = 1

    package init(
      job: String, query: StructuredQuery, parent: String? = nil, table: SyncTable,
      keys: KeyMapping, limit: DeleteLimit, ignoresCount: Bool, now: Instant
    ) {
      self.job = job
      self.query = query
      self.parent = parent
      self.table = table
      self.keys = keys
      self.limit = limit
      self.ignoresCount = ignoresCount
      self.now = now
    }
  }

  package struct Result: Hashable, Sendable {
    package var finding: DeleteRule.Finding
    package var verdict: DeleteRule.Verdict
    package var deleted: Int
  }

  package enum Outcome: Hashable, Sendable {
    /// The count shows that nothing is gone.
    case noDrift
    case swept(Result)
    /// The read budget was used up before the list was complete.
    case outOfReads
  }

  /// Names that a request asks for: they are short.
  package static let pageSize = 1_000

  private let store: Store
  private let pull: Pull
  private let pageSize: Int

  package init(port: any FirestorePort, store: Store, reads: ReadAllowance) {
    self.init(
      store: store, pull: Pull(port: port, store: store, reads: reads), pageSize: Self.pageSize)
  }

  init(store: Store, pull: Pull, pageSize: Int) {
    self.store = store
    self.pull = pull
    self.pageSize = pageSize
  }

  /// Deletes what is gone.
  ///
  /// - Parameters:
  ///   - order: what to compare with what.
  ///   - readTime: the snapshot that the table's rows are from; nil for now.
  /// - Returns: what the sweep found and did.
  /// - Throws: what the port throws; no row is deleted then.
  package func run(_ order: Order, loadedAt readTime: Instant?) async throws -> Outcome {
    guard let isNeeded = try await isNeeded(order, readTime) else { return .outOfReads }
    guard isNeeded else { return .noDrift }
    let listing = listing(of: order)
    let listed = try await pull.run(listing) { _ in }
    let snapshot = listed.readTime
    guard listed.isComplete,
      let counted = try await pull.count(
        of: order.query, under: order.parent, readTime: snapshot)
    else { return .outOfReads }
    return .swept(
      try store.write { writer in
        let finding = DeleteRule.Finding(
          counted: counted, listed: listed.counts.fetched + (listed.resumedAfter ?? 0),
          rows: try writer.mirrorCounts(of: order.table).rows,
          missing: try writer.unsweptCount(of: order.table))
        try writer.clearCursor(job: listing.job, key: listing.positionKey)
        return try judge(finding, order, at: snapshot ?? order.now, in: writer)
      })
  }

  private func judge(
    _ finding: DeleteRule.Finding, _ order: Order, at snapshot: Instant, in writer: Writer
  ) throws -> Result {
    let verdict = DeleteRule.verdict(on: finding, limit: order.limit)
    guard verdict == .delete else {
      try writer.clearSweep(of: order.table)
      return Result(finding: finding, verdict: verdict, deleted: 0)
    }
    let deleted = try writer.deleteUnswept(of: order.table, at: snapshot)
    let left = try writer.mirrorCounts(of: order.table)
    try writer.setMark(
      "\(finding.counted - left.rows - left.skipped)", named: Self.mark(of: order.table))
    return Result(finding: finding, verdict: verdict, deleted: deleted)
  }

  /// Whether the count shows a drift; nil when the budget allows no count.
  private func isNeeded(_ order: Order, _ readTime: Instant?) async throws -> Bool? {
    if order.ignoresCount { return true }
    let counted: Int
    do {
      let count = try await pull.count(
        of: order.query, under: order.parent, readTime: readTime)
      guard let count else { return nil }
      counted = count
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      return true
    }
    let (mirror, mark) = try store.read {
      (try $0.mirrorCounts(of: order.table), try $0.mark(named: Self.mark(of: order.table)))
    }
    return DeleteRule.Tally(
      documents: counted, rows: mirror.rows, skipped: mirror.skipped,
      unexplained: mark.flatMap { Int($0) } ?? 0
    ).hasDrifted
  }

  /// Where the number of documents is kept that the last sweep left unexplained.
  private static func mark(of table: SyncTable) -> String { "unexplained in \(table.name)" }

  /// The pull that lists the keys of all documents.
  private func listing(of order: Order) -> Pull.Order {
    var query = order.query
    query.select = order.keys.select
    let key = String(decoding: query.json.serialized(), as: UTF8.self)
    var listing = Pull.Order(
      job: order.job, query: query, parent: order.parent, pageSize: pageSize,
      maxDocuments: nil, table: order.table, mapping: order.keys,
      cursorKey: "\(order.table.sweepPrefix)\(order.parent ?? "") \(key)", now: order.now,
      mode: .sweep)
    listing.partitions = order.partitions
    return listing
  }
}

extension Timestamp {
  init(_ instant: Instant) {
    self.init(microseconds: instant.microseconds)
  }
}
