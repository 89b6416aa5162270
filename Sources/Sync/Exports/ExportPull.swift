package import Firestore
import Model
package import Store

/// Stores the documents of a managed export as a pull would, without a request; see
/// `docs/managed-exports.md#loading`.
///
/// The load is one transaction: a damaged export or a killed process leaves nothing behind. A
/// separate thread reads and maps the pages meanwhile.
package struct ExportPull: Sendable {
  /// Documents mapped in one batch.
  package static let documentsPerPage = 500

  private let export: ManagedExport
  private let store: Store
  private let documentsPerPage: Int

  package init(
    _ export: ManagedExport, into store: Store, documentsPerPage: Int = Self.documentsPerPage
  ) {
    self.export = export
    self.store = store
    self.documentsPerPage = documentsPerPage
  }

  /// The result of a load: what was stored, and what the sweep deleted.
  package struct Outcome: Sendable {
    package var pull: PullResult
    /// The result of the sweep; nil when no rows are deleted.
    package var swept: SweepResult?
  }

  /// Stores the request's documents; `finish` joins the transaction.
  ///
  /// Loaded rows are certain as of the export's end. Rows that were already certain when the export
  /// began, or later, are kept unchanged. A later incremental load begins at the time when the
  /// export began. With a `sweep`, rows that are older than the export and whose documents it lacks
  /// are deleted.
  ///
  /// - Throws: `ExportError` for an incomplete export; nothing is stored then.
  package func run(
    _ request: PullRequest, sweep: SweepRequest? = nil, finish: [StoreChange] = []
  ) async throws -> Outcome {
    let pages = try ExportPages(export, request, documentsPerPage: documentsPerPage)
    defer { pages.giveUp() }
    let outcome = try store.write { writer in
      var load = ExportLoad(
        export: export, request: try request.withoutErased(in: writer), sweep: sweep)
      return try load.run(pages, finish, in: writer)
    }
    try await store.buildIndexes(of: request.table)
    return outcome
  }
}

/// The transaction that stores an export.
private struct ExportLoad {
  let export: ManagedExport
  let request: PullRequest
  let sweep: SweepRequest?
  private var result = PullResult()

  private var table: SyncTable { request.table }
  private var begin: Instant { Instant(export.begin) }

  init(export: ManagedExport, request: PullRequest, sweep: SweepRequest?) {
    self.export = export
    self.request = request
    self.sweep = sweep
  }

  mutating func run(
    _ pages: ExportPages, _ finish: [StoreChange], in writer: Writer
  ) throws -> ExportPull.Outcome {
    try request.unchanged?.forgetOtherFields(in: writer)
    let reached = try request.resumed(in: writer).options.watermark
    if export.documentCount > Pull.documentsPerCommit {
      try writer.dropIndexes(of: table, addedRows: 0, isOrdered: false)
    }
    if sweep != nil { try writer.clearSweep(of: table) }
    pages.start(request.mapping)
    while let page = try pages.next() {
      try Task.checkCancellation()
      try store(page, in: writer)
      request.options.onPage?(page.summary.documentCount)
    }
    result.counts.inserted -= try writer.removeRows(goneSince: begin, from: table)
    try writer.clearTombstonesOfRows(in: table)
    try ExportWindow(begin: export.begin.microseconds, end: export.end.microseconds)
      .store(for: table, in: writer)
    result.unknownValues = pages.unknownValues
    result.readTime = Instant(export.end)
    result.isComplete = true
    var ending = request
    ending.options.watermark = reached
    try writer.apply(
      [.cursor(nil, job: request.options.job, key: request.cursorKey)]
        + ending.watermark(upTo: result.highest, readTime: export.begin)
        + (request.unchanged?.effects(
          canSkipUnchanged: result.canSkipUnchanged, after: nil, in: writer) ?? []) + finish)
    return ExportPull.Outcome(pull: result, swept: try judge(in: writer))
  }

  private mutating func store(_ page: PullPage, in writer: Writer) throws {
    let upserted = try writer.upsert(
      page.mapped.rows, with: page.mapped.children, into: table, at: request.options.now,
      keepingSince: begin)
    result.counts.inserted += upserted.inserted
    result.counts.updated += upserted.updated
    result.counts.unchanged += upserted.unchanged
    if request.options.remembersSkipped {
      try writer.noteSkipped(page.mapped.skippedKeys, of: table)
    }
    if sweep != nil {
      try writer.sweep(page.mapped.rows.keys, of: table)
      try writer.sweep(page.mapped.skippedKeys, of: table)
    }
    result.add(page)
  }

  private func judge(in writer: Writer) throws -> SweepResult? {
    guard let sweep else { return nil }
    let listed = try writer.sweepRows(certainSince: begin, of: table)
    return try Sweep.judge(
      sweep, counted: listed, listed: listed, at: Instant(export.end), in: writer)
  }
}

extension PullResult {
  static func sentence(aboutUnknown values: [String: Int]) -> String? {
    guard !values.isEmpty else { return nil }
    let fields = values.sorted { $0.key < $1.key }.prefix(10).map { "\($0.key) \($0.value)" }
    return "Values of unknown kinds, kept in the document as exportedValue: "
      + fields.joined(separator: ", ") + "."
  }

  /// Adds what was read from a page of an export; the counts of stored rows are added separately.
  fileprivate mutating func add(_ page: PullPage) {
    counts.fetched += page.summary.documentCount
    counts.skipped.merge(page.mapped.skipped, uniquingKeysWith: +)
    notes.merge(page.mapped.notes, uniquingKeysWith: +)
    if let counted = page.census { census.merge(counted) }
    met.merge(page.mapped.met)
    if !page.mapped.canSkipUnchanged { canSkipUnchanged = false }
    highest.merge(page.summary.highest)
    orderTypes.formUnion(page.orderTypes)
  }
}

extension TableRows {
  /// The key of each row, which is its first cell.
  fileprivate var keys: TableRows {
    var keys = TableRows(width: 1)
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: cells.count, by: width) {
        guard case .text(let range) = cells[start] else { continue }
        keys.append(text: UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
    return keys
  }
}
