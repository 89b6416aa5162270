package import CollectionMapping
package import Firestore
package import Model
import Reports
import Store
import Sync
package import Workspace

/// How a job of kind `sync-feedback` works; see `docs/jobs/sync-feedback.md`.
package struct SyncFeedbackOptions: JobKind {
  package static let kind = JobKindName("sync-feedback")
  package static let loadsExports = true

  /// The number of documents per request; 1 to 1,000.
  package var pageSize = 300
  /// The longest delay until a text becomes visible that requires no complete load.
  package var overlap = Duration.seconds(3_600)
  /// The limit of rows of deleted documents that a run may remove.
  package var maxDelete = DeleteLimit.default
  /// The limit of a run's billed reads; nil for none.
  package var maxReads: Int?
  /// A pattern of folders with managed exports, of which the newest is loaded; nil for Firestore.
  package var from: String?
  /// The actions of masked copies by field, in addition to those that the kind declares.
  package var declaredMasks: [FieldPath: MaskAction] = [:]

  package static let options = OptionKeys(
    SyncFeedbackOptions(),
    [
      .key("page_size", \.pageSize, .integer(SyncUsersOptions.pageSizes)),
      .key("overlap", \.overlap, .time(longest: MirrorOptions.longestOverlap)),
      .key("max_delete", \.maxDelete, .deleteLimit),
      .key("max_reads", \.maxReads, .integer(CostConfig.readCounts)),
      .key("from", \.from, .text),
      .masks(\.declaredMasks),
    ])

  package var tables: [(key: String, name: String)] { [("kind", SyncTable.feedback.name)] }

  /// The user's id is personal, and so may be the text.
  package var masks: CollectionMasks? {
    let own: [FieldPath: MaskAction] = [
      FieldPath(segments: ["userId"]): .mask, FieldPath(segments: ["feedback"]): .mask,
    ]
    return CollectionMasks(
      collectionId: FeedbackPullRequest.collectionId,
      actions: own.merging(declaredMasks) { $1 })
  }

  package func reads(_ collection: InspectedCollection) -> Bool {
    collection.places == ["Feedback/*/Rating_Feedback"]
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    SyncFeedbackWork(options: self, job: job, context: context)
  }
}

/// The work of the kind `sync-feedback`: pulls the feedback that the app itself sent;
/// docs/jobs/sync-feedback.md.
struct SyncFeedbackWork: JobWork {
  let options: SyncFeedbackOptions
  let job: String
  let context: JobContext

  private var request: FeedbackPullRequest {
    FeedbackPullRequest(
      bundleId: context.config.app.bundleId, overlap: options.overlap,
      startsOver: context.options.isFull,
      options: PullOptions(job: job, pageSize: options.pageSize, now: context.now))
  }

  private var mirror: MirrorOptions {
    MirrorOptions(deletes: .drift, maxDelete: options.maxDelete)
  }

  private var source: ExportSource { ExportSource(job: job, pattern: options.from, context) }

  func plan() throws -> String {
    if let intention = try source.intention() { return intention }
    let isFirst = try context.store.read {
      try !request.pull.resumed(in: $0).isIncremental
    }
    return "Would fetch \(isFirst ? "all" : "the new") documents of \(request.collection), "
      + "\(options.pageSize) a page."
  }

  func plannedRequests() throws -> PlannedRequests {
    guard !source.isNamed else { return PlannedRequests() }
    var requests = PlannedRequests(
      queries: [try context.store.read { try PlannedQuery(request.pull, $0) }])
    requests.add(
      mirror.plannedRequests(of: request.query, under: request.parent, keys: request.keys))
    return requests
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    if source.isNamed {
      return try await source.load { export in try await load(export, within: budget) }
    }
    let client = try await context.services.firestore.database()
    var request = request
    request.options.onPage = context.observePages(of: job, total: nil, within: budget)
    var result = try await FeedbackPull(
      port: client, store: context.store, reads: budget.meter
    ).run(request)
    let pulled = result.pull
    let checked = try await Reconciler(
      options: mirror, client: client, context: context, budget: budget
    ).run(
      job: job, query: request.query, keys: request.keys, after: request.pull, pulled)
    result.pull.add(checked.refreshed)
    var counts = result.pull.counts
    counts.deleted += checked.deleted
    let isComplete = pulled.isComplete && checked.isComplete
    let isWhole = counts.skippedTotal == 0 && !checked.isPartial
    return JobResult(
      isComplete ? (isWhole ? .ok : .partial) : .blocked, summary(of: counts), counts: counts,
      readTime: pulled.readTime, warnings: warnings(about: result) + checked.warnings,
      problem: isComplete ? nil : budget.exhaustion)
  }

  /// Stores the feedback of an export.
  private func load(_ export: ManagedExport, within budget: RunBudget) async throws -> JobResult {
    var request = request
    request.options.onPage = context.observePages(
      of: job, total: export.documentCount, within: budget)
    try context.store.write { try $0.forgetFeedback(outside: request.collection) }
    let pull = request.pull
    let outcome = try await ExportPull(export, into: context.store).run(
      pull, sweep: mirror.sweep(of: pull, keys: request.keys))
    let checked = Reconciler.Result(of: outcome, limit: mirror.maxDelete)
    var counts = outcome.pull.counts
    counts.deleted += checked.deleted
    return JobResult(
      counts.skippedTotal == 0 && !checked.isPartial ? .ok : .partial, summary(of: counts),
      counts: counts, readTime: outcome.pull.readTime,
      warnings: warnings(about: FeedbackPullResult(pull: outcome.pull)) + checked.warnings)
  }

  private func summary(of counts: RunCounts) -> String {
    "\(NumberWords.counted(counts.fetched, "text")) fetched from \(request.collection): "
      + "\(counts.stored), \(NumberWords.grouped(counts.skippedTotal)) skipped\(counts.removed)"
  }

  private func warnings(about result: FeedbackPullResult) -> [String] {
    var warnings = result.pull.remarks(orderedBy: FeedbackMapping.timeField)
    if result.lateCount > 0 {
      let late = NumberWords.counted(
        result.lateCount, "document arrived later than its timestamp says",
        "documents arrived later than their timestamps say")
      warnings.append("\(late), so everything was read again.")
    }
    return warnings + result.pull.notes.warning("Left empty, because it is not text")
  }
}
