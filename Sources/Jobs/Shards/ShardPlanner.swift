import Firestore
package import Model
import Store
import Sync
import Workspace

/// A planner that divides one load of a job; see `docs/shards.md#plan`.
package struct ShardPlanner: Sendable {
  private let job: Job
  private let wanted: Int
  private let isRecoverable: Bool
  private let counts: Bool
  private let context: JobContext

  /// A recoverable snapshot is at a whole minute, which point-in-time recovery keeps for 7 days.
  ///
  /// - Throws: `WorkspaceError.refused` for an unknown or wrong job, and for a plan without counts,
  ///   which could not be compared with a read budget.
  package init(
    job: String, shards: Int, isRecoverable: Bool, counts: Bool, _ context: JobContext
  ) throws {
    self.job = try context.catalog.job(named: job)
    (wanted, self.isRecoverable, self.counts) = (shards, isRecoverable, counts)
    self.context = context
    guard !counts, try allowance != nil else { return }
    throw WorkspaceError.refused(
      .usage,
      "A read budget is in force, and --no-count leaves open how many reads the shards of "
        + "'\(job)' make. Leave --no-count out, or remove the budget.")
  }

  /// The reads that a run of the job may make from now on; nil without a budget.
  private var allowance: Int? {
    get throws {
      try context.store.read {
        try context.readBudget(maxPerRun: job.definition.maxReads, $0).allowance
      }
    }
  }

  /// Returns the upper bound of the planning cost, in a sentence.
  package func bound(on edition: FirestoreEdition) -> String {
    let rules = edition.rules
    let sample = counts && edition == .enterprise ? CollectionSample.size : 0
    // One read finds the time; counting costs at least one read for each shard.
    let reads =
      1 + SplitPointSearch.mostReads(parts: wanted, documents: 0, on: edition)
      + (counts ? wanted : 0) + sample
    // All documents are counted to find split points, and once in their shards.
    let passes = (wanted > 1 ? SplitPointSearch.mostPasses : 0) + (counts ? 1 : 0)
    let documents = passes > 0 ? rules.documentsPerCountedRead / passes : nil
    let filters = job.definition.queries.contains { $0.filter != nil }
    return "Planning costs at most \(edition.billed(reads))"
      + (documents.map { " and one for each \($0) documents." } ?? ".")
      + (edition == .enterprise && filters
        ? " A filter without an index also scans the collection once." : "")
  }

  /// Returns sentences about data newer than a whole-minute snapshot; nil for the present one.
  package func note(on plan: ShardPlan) throws -> String? {
    guard isRecoverable else { return nil }
    let isLoaded = try context.store.read { try $0.hasLoaded(job: job.name, at: plan.readTime) }
    return "The snapshot is the whole minute \(plan.readTime): what changed since is not in it. "
      + (isLoaded ? "'\(job.name)' was already loaded from it. " : "")
      + "A plan made at \(plan.readTime + .seconds(60)) or later reads a newer one."
  }

  /// Returns the plan; bills the reads to `reads`, and passes messages about long steps to `tell`.
  package func plan(
    _ reads: AdHocReads, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> ShardPlan {
    let owner = try context.store.read { try context.profile($0).userId }
    let root = reads.database.root
    let sharded = try ShardedJob.of(job, in: root, owner: owner, context.at(context.now))
    let present =
      try await reads.spend(upTo: 1) { _ in
        (try await reads.database.presentTime(of: sharded.pull), 1)
      } ?? context.now
    // Firestore recovers whole minutes only, for 7 days; other snapshots live for an hour: see
    // docs/firestore.md#paging.
    let readTime =
      isRecoverable ? present - .microseconds(present.microseconds % 60_000_000) : present
    defer { context.observer.end() }
    let splitPoints = try await SplitPointSearch(
      port: reads.database, reads: reads.meter, readTime: Timestamp(readTime)
    ) { [observer = context.observer] step in
      switch step {
      case .began(let offered, let wanted):
        tell(
          "The server offers \(offered) of \(wanted) cuts, so the plan searches for even ones. Each "
            + "step reads one name and counts documents. Google's emulator reads the whole "
            + "collection at each step: a large one takes minutes there.")
        observer.begin("looking for cuts", "requests")
      case .asked:
        observer.advance(by: 1, reads: reads.meter.spent, on: reads.meter.edition)
      }
    }.splitPoints(of: sharded.pull.query, under: sharded.pull.parent, parts: wanted)
    try reads.record()
    return ShardPlan(
      job: job.name, fingerprint: sharded.fingerprint(in: root), project: root.project,
      database: root.database, clock: context.now, readTime: readTime,
      expires: readTime + .seconds(isRecoverable ? 7 * 86_400 : 3_600), owner: owner,
      currency: context.config.cost.price.currency, edition: reads.database.edition,
      shards: try await shards(of: sharded.pull, at: splitPoints, readTime, reads))
  }

  /// Returns the ranges between the names, counted if requested, and empty ranges up to the wanted
  /// number.
  private func shards(
    of pull: PullRequest, at splitPoints: [String], _ readTime: Instant, _ reads: AdHocReads
  ) async throws -> [ShardPlan.Shard] {
    var shards = zip([nil] + splitPoints, splitPoints + [nil]).map {
      ShardPlan.Shard(from: $0, to: $1)
    }
    if counts { try await count(&shards, of: pull, readTime, reads) }
    shards += repeatElement(
      ShardPlan.Shard(documents: 0, reads: 0, price: 0), count: wanted - shards.count)
    let total = shards.compactMap(\.reads).reduce(0, +)
    guard let allowance = try allowance, total > allowance else { return shards }
    let needed = reads.database.edition.billed(total)
    throw WorkspaceError.refused(
      .tryLater,
      "The shards of '\(job.name)' would use \(needed), and the read budget has \(allowance) left. "
        + "No plan was written. Raise the budget, or plan again later.")
  }

  /// Counts and prices the documents of each shard, as the edition of the database bills them.
  private func count(
    _ shards: inout [ShardPlan.Shard], of pull: PullRequest, _ readTime: Instant,
    _ reads: AdHocReads
  ) async throws {
    context.observer.begin("counting", "shards", total: shards.count)
    let cost = try await reads.partCost(
      of: pull.query, under: pull.parent, parts: shards.count)
    let price = context.config.cost.price(on: reads.database.edition)
    for index in shards.indices {
      let planned = PlannedQuery(
        query: pull.query.range(from: shards[index].from, to: shards[index].to),
        parent: pull.parent, pageSize: pull.options.pageSize)
      let documents = try await reads.count(
        of: planned.query, under: pull.parent, at: Timestamp(readTime), isAlone: true)
      let billed = cost.billedReads(of: planned, documents: documents)
      shards[index].documents = documents
      (shards[index].reads, shards[index].price) = (billed, price.cost(of: billed).amount)
      context.observer.advance(by: 1, reads: reads.meter.spent, on: reads.meter.edition)
    }
  }
}
