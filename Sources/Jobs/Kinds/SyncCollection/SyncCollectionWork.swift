import CollectionMapping
import Firestore
import Model
import Reports
import Store
import Sync

/// The work of the kind `sync-collection`: copies a collection into a table; see
/// `docs/jobs/sync-collection.md`.
struct SyncCollectionWork: JobWork {
  let options: SyncCollectionOptions
  let job: String
  let context: JobContext

  private var exports: ExportSource { ExportSource(job: job, pattern: options.from, context) }

  func plan() throws -> String {
    if let intention = try exports.intention() { return intention }
    let amount = options.maxDocuments.map { "up to \($0) documents" } ?? "all documents"
    return "Would fetch \(amount) of \(options.source) into the table \(options.table), "
      + "\(options.pageSize) a page."
  }

  func schemaChanges() throws -> [SchemaChange] {
    try context.store.read { try request(of: options.source).migration(in: $0).changes }
  }

  func plannedRequests() async throws -> PlannedRequests {
    guard !exports.isNamed else { return PlannedRequests() }
    let source = try options.source(in: try await context.services.firestore.database().root)
    let request = request(of: source)
    var requests = PlannedRequests(
      queries: [try context.store.read { try request.planned(in: $0) }])
    requests.add(
      options.mirror.plannedRequests(
        of: source.query(selecting: nil), under: source.parent, keys: source.keys))
    return requests
  }

  private func request(of source: CollectionSource) -> CollectionPullRequest {
    var request = CollectionPullRequest(
      source: source, tableName: options.table, columns: options.columns,
      hasDocument: options.hasDocument, exploded: options.exploded,
      keepsDeleted: options.keepsDeleted, keepsHistory: options.keepsHistory,
      historyAge: options.historyAge,
      options: PullOptions(
        job: job, pageSize: options.pageSize, maxDocuments: options.maxDocuments, now: context.now))
    request.options.watermark = options.mirror.watermark(startsOver: context.options.isFull)
    request.options.partitions = options.mirror.partitions
    return request
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    if exports.isNamed {
      return try await exports.load { export in try await load(export, within: budget) }
    }
    let client = try await context.services.firestore.database()
    var request = request(of: try options.source(in: client.root))
    request.options.onPage = context.observePages(
      of: job, total: request.options.maxDocuments, within: budget)
    var result = try await CollectionPull(
      port: client, store: context.store, reads: budget.meter
    ).run(request)
    let checked = try await Reconciler(
      options: options.mirror, client: client, context: context, budget: budget
    ).run(
      job: job, query: request.source.query(selecting: nil), keys: request.source.keys,
      after: request.pull, result.pull)
    result.pull.add(checked.refreshed)
    var ended = ending(of: result, checked)
    if ended.outcome == .blocked { ended.problem = budget.exhaustion }
    let siblings = SiblingCollections(client: client, reads: budget.meter)
    ended.reportEmptiness(
      try await emptiness(of: result.pull, request.source, among: siblings),
      isExpected: options.allowsEmpty)
    return ended
  }

  /// Stores the documents of an export.
  private func load(_ export: ManagedExport, within budget: RunBudget) async throws -> JobResult {
    let root = export.root ?? ResourceName(project: "none")
    var request = request(of: try options.source(in: root))
    request.options.maxDocuments = nil
    request.options.onPage = context.observePages(
      of: job, total: export.documentCount, within: budget)
    var swept: Reconciler.Result?
    let result = try await request.run(in: context.store) { pull in
      let outcome = try await ExportPull(export, into: context.store).run(
        pull, sweep: options.mirror.sweep(of: pull, keys: request.source.keys))
      swept = Reconciler.Result(of: outcome, limit: options.mirror.maxDelete)
      return outcome.pull
    }
    var ended = ending(of: result, swept ?? Reconciler.Result())
    ended.reportEmptiness(
      try await emptiness(of: result.pull, request.source, among: nil),
      isExpected: options.allowsEmpty)
    return ended
  }

  /// Returns the result of a load, with its summary and warnings.
  private func ending(
    of result: CollectionPullResult, _ checked: Reconciler.Result
  ) -> JobResult {
    var counts = result.pull.counts
    counts.deleted += checked.deleted
    var ended = JobResult(
      outcome(of: result.pull, checked), summary(of: counts), counts: counts,
      readTime: result.pull.readTime, warnings: warnings(about: result) + checked.warnings)
    // A wrong path is an alert only when it is new, not after every load.
    if result.isNewAbsence, let absence = Self.absence(in: result),
      let index = ended.warnings.firstIndex(of: RunWarning(absence))
    {
      ended.warnings[index] = .alert(absence)
    }
    return ended
  }

  /// Returns a sentence about a load that stored nothing; nil for other loads.
  ///
  /// `siblings` is nil when no request is allowed.
  private func emptiness(
    of pulled: PullResult, _ source: CollectionSource, among siblings: SiblingCollections?
  ) async throws -> String? {
    guard pulled.storedNothing else { return nil }
    // If emptiness is expected, no billed look-up is made.
    let names =
      options.allowsEmpty ? nil : try await siblings?.collections(under: source.parent)
    // A list of root collections does not show whether a group exists below documents.
    let isThere =
      source.isGroup || siblings == nil || names?.contains(source.collectionId) == true
    if let parents = source.parents {
      return "Nothing was stored: no document was found whose path is like "
        + "\(parents)/\(source.collectionId)/*."
    }
    if isThere, source.filter != nil {
      return "Nothing was stored: no document of \(source) passes 'where'."
    }
    if isThere, !source.isGroup, let order = source.order {
      return "Nothing was stored: no document of \(source) has the field \(order.field), and "
        + "loads sort by it."
    }
    return EmptyLoad.sentence(
      aboutEmpty: source.description, id: source.collectionId, siblings: names,
      of: siblings?.place(under: source.parent) ?? "")
  }

  /// Returns `partial` if a value or a deletion was left out, and `blocked` if the budget ran out.
  private func outcome(of pulled: PullResult, _ checked: Reconciler.Result) -> Run.Outcome {
    guard pulled.isComplete, checked.isComplete else { return .blocked }
    return pulled.notes.isEmpty && !checked.isPartial ? .ok : .partial
  }

  private func summary(of counts: RunCounts) -> String {
    "\(NumberWords.grouped(counts.fetched)) fetched into \(options.table): \(counts.stored)"
      + counts.removed
  }

  private func warnings(about result: CollectionPullResult) -> [String] {
    var warnings = result.pull.remarks(orderedBy: nil)
    if let order = options.source.order, result.mixesTypes {
      warnings.append(
        "\(order.field) has timestamps in some documents and numbers in others. Firestore sorts "
          + "them type by type, so 'max_documents' ended among one type and later times of the "
          + "other may be missing. Write one type in the app, or copy each type by 'where'.")
    }
    if let order = options.source.order, let count = result.lackingCount, count > 0 {
      let (documents, them) =
        count == 1 ? ("document is", "it lacks") : ("documents are", "they lack")
      warnings.append(
        "\(count) \(documents) not in the table: \(them) \(order.field), and the load "
          + "sorts by it. Remove 'order_by' to fetch all.")
    }
    warnings += result.pull.notes.warning("Left empty, because the value does not fit")
    warnings += result.schemaChanges.map(\.warning)
    if result.refilled > 0 {
      warnings.append("Filled the columns of \(result.refilled) rows from the stored documents.")
    }
    return warnings + [Self.absence(in: result)].compactMap(\.self) + result.drift.warnings
  }

  /// Returns a sentence about the columns that no document fills; nil when all are filled.
  private static func absence(in result: CollectionPullResult) -> String? {
    guard !result.absentFields.isEmpty else { return nil }
    return "No document has the field of these columns: "
      + result.absentFields.joined(separator: ", ") + "."
  }
}

/// Loads in shards; see `docs/shards.md`.
extension SyncCollectionWork {
  /// Returns the request of a complete load.
  func shardRequest(in root: ResourceName) throws -> CollectionPullRequest {
    request(of: try options.source(in: root))
  }

  /// Stores the documents of all shards, and everything else that a single-process load stores.
  func gather(_ request: CollectionPullRequest, _ gather: ShardMerge) async throws -> JobResult {
    let result = try await gather.run(request)
    let checked = try gather.reconcile(request.pull, keys: request.source.keys, options.mirror)
    var ended = ending(of: result, checked)
    ended.reportEmptiness(
      try await emptiness(of: result.pull, request.source, among: nil),
      isExpected: options.allowsEmpty)
    return ended
  }
}
