import CollectionMapping
import Firestore
import Model
import Store
import Sync

/// The check after a complete load, which deletes rows of deleted documents and counts documents
/// that later loads would miss; see `docs/loads.md#deletes`.
struct Reconciler: Sendable {
  struct Result: Sendable {
    var deleted = 0
    /// Whether rows were kept that may have to be deleted.
    var isPartial = false
    /// Whether the read budget was sufficient for the check.
    var isComplete = true
    /// The rows that the load had left unchanged and the check updated.
    var refreshed = RefreshedRows()
    var warnings: [String] = []
  }

  let options: MirrorOptions
  let client: any FirestorePort
  let context: JobContext
  let budget: RunBudget

  /// Checks the table against the documents of `query`, which `load` has read.
  ///
  /// It does nothing after an incomplete load.
  func run(
    job: String, query: StructuredQuery, keys: KeyMapping, after load: PullRequest,
    _ pulled: PullResult
  ) async throws -> Result {
    guard pulled.isComplete else { return Result() }
    let (parent, table, readTime) = (load.parent, load.table, pulled.readTime)
    var result = Result()
    let reads = budget.meter
    if let watermark = options.watermark() {
      let count = try await Pull(port: client, store: context.store, reads: reads)
        .unseenCount(by: watermark, of: query, under: parent, readTime: readTime)
      if let count, count > 0 { result.warnings.append(Self.unseen(count, watermark)) }
    }
    guard
      var sweep = options.sweep(
        of: query, under: parent, table: table, keys: keys, job: job, at: context.now)
    else { return result }
    if pulled.isIncremental {
      sweep.silentChanges = SilentChanges(missedBy: load, keys: keys, loadedAt: readTime)
      sweep.silentChanges?.exported = try context.store.read {
        try ExportWindow.stored(of: table, in: $0)
      }
    }
    let outcome = try await Sweep(port: client, store: context.store, reads: reads)
      .run(sweep, loadedAt: readTime)
    switch outcome {
    case .noDrift: break
    case .swept(let swept):
      result.add(swept, limit: options.maxDelete)
      result.refreshed = swept.refreshed
    case .outOfReads(let refreshed):
      result.isComplete = false
      result.refreshed = refreshed
    }
    if let field = load.options.watermark?.field, result.refreshed.count > 0 {
      result.warnings.append(unmoved(result.refreshed.count, field))
    }
    return result
  }

  private func unmoved(_ count: Int, _ field: FieldPath) -> String {
    "\(count) \(count == 1 ? "document" : "documents") had changed without a new \(field), so "
      + "incremental loads missed that. The list of names showed it, and they were fetched."
      + (options.incremental == nil
        ? "" : " Name a field that every change moves, or remove 'incremental'.")
  }

  private static func unseen(_ count: Int, _ watermark: Watermark) -> String {
    let kind = watermark.forms == [.timestamp] ? "timestamp" : "time"
    return "Documents without a \(kind) in \(watermark.field) (incremental loads miss their "
      + "changes): \(count) documents."
  }
}

extension ShardMerge {
  /// Deletes the rows whose documents are in no shard.
  func reconcile(
    _ pull: PullRequest, keys: KeyMapping, _ options: MirrorOptions
  ) throws -> Reconciler.Result {
    var result = Reconciler.Result()
    if let request = options.sweep(of: pull, keys: keys),
      case .swept(let swept) = try sweep(request)
    {
      result.add(swept, limit: options.maxDelete)
    }
    return result
  }
}

extension Reconciler.Result {
  /// Creates the result of an export's load, which lists all documents and so finds deleted ones.
  init(of outcome: ExportPull.Outcome, limit: DeleteLimit) {
    self.init()
    if let swept = outcome.swept { add(swept, limit: limit) }
  }

  fileprivate mutating func add(_ swept: SweepResult, limit: DeleteLimit) {
    deleted = swept.deleted
    let finding = swept.finding
    switch swept.verdict {
    case .delete: return
    case .incomplete:
      warnings.append(
        "Firestore counts \(finding.counted) documents but lists \(finding.listed), so the list "
          + "cannot prove deletions: nothing was deleted. If this repeats, the collection changes "
          + "faster than its snapshot can be read.")
    case .tooMany(let allowed):
      warnings.append(limit.refusal(of: finding, "document", allowed: allowed))
    }
    isPartial = true
  }
}

extension DeleteLimit {
  /// The reason why rows without their original, a document or an account, were kept.
  func refusal(of finding: DeleteRule.Finding, _ original: String, allowed: Int) -> String {
    "\(finding.missing) of \(finding.rows) rows have lost their \(original), but max_delete "
      + "(\(text)) allows \(allowed): nothing was deleted. If that many are gone, raise max_delete "
      + "and run the job again."
  }
}

extension MirrorOptions {
  /// Returns the request to compare a table with a query's documents; nil when no rows are deleted.
  func sweep(
    of query: StructuredQuery, under parent: String?, table: SyncTable, keys: KeyMapping,
    job: String, at now: Instant
  ) -> SweepRequest? {
    guard deletes != .never else { return nil }
    var pages = PullOptions(job: job, pageSize: Sweep.pageSize, now: now)
    pages.partitions = partitions
    return SweepRequest(
      query: query, parent: parent, table: table, keys: keys, limit: maxDelete,
      ignoresCount: deletes == .sweep, options: pages)
  }

  /// Returns the request to compare a load's table with its documents.
  func sweep(of load: PullRequest, keys: KeyMapping) -> SweepRequest? {
    sweep(
      of: load.query, under: load.parent, table: load.table, keys: keys, job: load.options.job,
      at: load.options.now)
  }

  /// Returns the requests of the check after a load that changes nothing.
  func plannedRequests(
    of query: StructuredQuery, under parent: String? = nil, keys: KeyMapping
  ) -> PlannedRequests {
    var requests = PlannedRequests()
    func add(_ purpose: PlannedQuery.Purpose, _ query: StructuredQuery) {
      requests.queries.append(
        PlannedQuery(purpose, query: query, parent: parent, pageSize: Sweep.pageSize))
    }
    if let watermark = watermark() {
      add(.count, query)
      add(.count, watermark.visible(of: query))
    }
    if partitions > 1 {
      requests.unknown.append(.partitions(partitions, isFiltered: query.filter != nil))
    }
    guard deletes != .never else { return requests }
    if let field = incremental?.field {
      requests.unknown.append(.silentChanges(of: "\(field)"))
    }
    add(.count, query)
    guard deletes == .sweep else {
      requests.unknown.append(.namesAfterCount)
      return requests
    }
    var names = query
    names.select = keys.select
    add(.list, names)
    return requests
  }
}
