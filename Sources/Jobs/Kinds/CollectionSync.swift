import Firestore
import Model
import Store
import Sync

/// The kind `sync-collection`: copies a collection into a table; see `docs/jobs.md#sync-collection`.
struct CollectionSync: JobWork {
  private let options: SyncCollectionOptions
  private let job: String
  private let context: JobContext

  init(_ options: SyncCollectionOptions, job: String, _ context: JobContext) {
    self.options = options
    self.job = job
    self.context = context
  }

  func plan() throws -> String {
    let amount = options.maxDocuments.map { "up to \($0) documents" } ?? "all documents"
    return "Would fetch \(amount) of \(options.source) into the table \(options.table), "
      + "\(options.pageSize) a page."
  }

  func plannedRequests() throws -> PlannedRequests {
    guard try options.source(in: ResourceName(project: "any")) == options.source else {
      return PlannedRequests(
        unknown: ["The job '\(job)' compares with references, which a plan does not know whole."])
    }
    let pull = order(of: options.source).pull
    var requests = PlannedRequests(
      queries: [try context.store.read { try PlannedQuery(pull, $0) }])
    requests.add(
      options.mirror.plannedRequests(
        of: options.source.query(selecting: nil), under: pull.parent, keys: options.source.keys))
    return requests
  }

  private func order(of source: CollectionSource) -> CollectionPull.Order {
    var order = CollectionPull.Order(
      job: job, source: source, table: options.table, columns: options.columns,
      hasDocument: options.hasDocument, pageSize: options.pageSize,
      maxDocuments: options.maxDocuments, now: context.now)
    order.watermark = options.mirror.watermark(startsOver: context.isFull)
    order.partitions = options.mirror.partitions
    return order
  }

  func perform() async throws -> JobResult {
    let reads = context.runReads
    let client = try await context.firestore()
    let order = order(of: try options.source(in: client.endpoint.root))
    ProgramPages.giveBack()
    let result = try await CollectionPull(
      port: client, store: context.store, reads: reads.allowance
    ).run(order)
    let checked = try await check(after: result.pull, of: order, client)
    var counts = result.pull.counts
    counts.deleted += checked.deleted
    let outcome = outcome(of: result.pull, checked)
    return JobResult(
      outcome, summary(of: counts), counts: counts, readTime: result.pull.readTime,
      warnings: warnings(about: result) + checked.warnings,
      problem: outcome == .blocked ? reads.exhaustion : nil)
  }

  private func check(
    after pulled: Pull.Result, of order: CollectionPull.Order, _ client: FirestoreClient
  ) async throws -> MirrorCheck.Result {
    guard pulled.isComplete else { return MirrorCheck.Result() }
    return try await MirrorCheck(options.mirror, client, context).run(
      job: job, query: order.source.query(selecting: nil), under: order.source.parent,
      table: order.syncTable, keys: order.source.keys, loadedAt: pulled.readTime)
  }

  /// A value or a deletion that was left out makes a run partial, a budget that was used up stops it.
  private func outcome(of pulled: Pull.Result, _ checked: MirrorCheck.Result) -> Run.Outcome {
    guard pulled.isComplete, checked.isComplete else { return .blocked }
    return pulled.notes.isEmpty && !checked.isPartial ? .ok : .partial
  }

  private func summary(of counts: RunCounts) -> String {
    "\(counts.fetched) fetched into \(options.table): \(counts.inserted) new, "
      + "\(counts.updated) changed, \(counts.unchanged) unchanged"
      + (counts.deleted > 0 ? ", \(counts.deleted) removed." : ".")
  }

  private func warnings(about result: CollectionPull.Result) -> [String] {
    var warnings: [String] = []
    if let count = result.pull.resumedAfter {
      warnings.append("Went on where an interrupted load had stopped, after \(count) documents.")
    }
    if let order = options.source.order, let count = result.lackingCount, count > 0 {
      warnings.append(
        "\(count) documents are not in the table, since they lack \(order.field), by which the "
          + "pages are ordered. Leave 'order_by' out to fetch them, too.")
    }
    let misfits = result.pull.notes.sorted { $0.key < $1.key }
    if !misfits.isEmpty {
      warnings.append(
        "Stored as NULL, because the value does not fit its column: "
          + misfits.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ".")
    }
    warnings += result.undeclaredColumns.map { column in
      "The column \(column) is not declared any more and was emptied; ALTER TABLE "
        + "\"\(options.table)\" DROP COLUMN \"\(column)\" removes it."
    }
    return warnings + result.drift.warnings
  }
}
