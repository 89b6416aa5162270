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
    let position = try context.store.read { try Pull.position(of: pull, $0) }
    return PlannedRequests(queries: [PlannedQuery(pull, from: position)])
  }

  private func order(of source: CollectionSource) -> CollectionPull.Order {
    CollectionPull.Order(
      job: job, source: source, table: options.table, columns: options.columns,
      hasDocument: options.hasDocument, pageSize: options.pageSize,
      maxDocuments: options.maxDocuments, now: context.now)
  }

  func perform() async throws -> JobResult {
    let reads = context.runReads
    let client = try await context.firestore()
    let order = order(of: try options.source(in: client.endpoint.root))
    let result = try await CollectionPull(
      port: client, store: context.store, reads: reads.allowance
    ).run(order)
    let counts = result.pull.counts
    return JobResult(
      outcome(of: result.pull), summary(of: counts), counts: counts,
      readTime: result.pull.readTime, warnings: warnings(about: result),
      problem: result.pull.isComplete ? nil : reads.exhaustion)
  }

  /// A value that was left out makes a run partial, a budget that was used up stops it.
  private func outcome(of pulled: Pull.Result) -> Run.Outcome {
    guard pulled.isComplete else { return .blocked }
    return pulled.notes.isEmpty ? .ok : .partial
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
