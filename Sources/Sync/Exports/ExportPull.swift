package import Firestore
import Model
package import Store

/// Stores the documents of a managed export as a pull would, without a request; see
/// `docs/managed-exports.md#loading`.
///
/// All of it is one transaction: an export that turns out damaged, and a process that dies, leave
/// nothing. The pages of the export are read and mapped on a thread of their own meanwhile.
package struct ExportPull: Sendable {
  /// Documents that are mapped together.
  package static let documentsPerPage = 1_000

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

  /// What an export stored, and what it proved to be gone.
  package struct Outcome: Sendable {
    package var pull: PullResult
    /// Nil when no rows are deleted.
    package var swept: SweepResult?
  }

  /// Stores the request's documents; `finish` joins the transaction.
  ///
  /// Rows are certain at the export's end. Those that were certain when it began, or later, stay as
  /// they are. A following incremental load begins where the export began. With a `sweep`, rows
  /// older than the export are deleted when it lacks their documents.
  ///
  /// - Throws: `ExportError` for an export that is not whole; nothing was stored then.
  package func run(
    _ request: PullRequest, sweep: SweepRequest? = nil, finish: [Effect] = []
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
    _ pages: ExportPages, _ finish: [Effect], in writer: Writer
  ) throws -> ExportPull.Outcome {
    try request.unchanged?.forgetOtherFields(in: writer)
    let reached = try request.resumed(in: writer).options.watermark
    if export.documentCount > Pull.documentsPerCommit {
      try writer.dropIndexes(of: table, addedRows: 0)
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

  /// Adds what a page of an export holds, but not what of it was stored.
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
  /// The first cell of each row.
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
