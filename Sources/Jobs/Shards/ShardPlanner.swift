import Firestore
import Model
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

  /// The upper bound of the planning cost, in a sentence.
  package var bound: String {
    // One read finds the time; counting costs at least one read for each shard.
    let reads =
      1 + SplitPointSearch.mostReads(parts: wanted, documents: 0, on: .standard) + (counts ? wanted : 0)
    // All documents are counted at most 11 times to find split points, and once in their shards.
    let passes = (wanted > 1 ? 11 : 0) + (counts ? 1 : 0)
    return "Planning costs at most \(reads) billed read\(reads == 1 ? "" : "s")"
      + (passes > 0 ? " and one for each \(1_000 / passes) documents." : ".")
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
      case .asked: observer.advance(by: 1, reads: reads.meter.spent)
      }
    }.splitPoints(of: sharded.pull.query, under: sharded.pull.parent, parts: wanted)
    try reads.record()
    return ShardPlan(
      job: job.name, fingerprint: sharded.fingerprint(in: root), project: root.project,
      database: root.database, clock: context.now, readTime: readTime,
      expires: readTime + .seconds(isRecoverable ? 7 * 86_400 : 3_600), owner: owner,
      currency: context.config.cost.price.currency,
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
    if counts { context.observer.begin("counting", "shards", total: shards.count) }
    for index in shards.indices where counts {
      let planned = PlannedQuery(
        query: pull.query.range(from: shards[index].from, to: shards[index].to),
        parent: pull.parent, pageSize: pull.options.pageSize)
      let documents = try await reads.count(
        of: planned.query, under: pull.parent, at: Timestamp(readTime), isAlone: true)
      let cost = planned.billedReads(documents: documents)
      shards[index].reads = cost
      shards[index].price = context.config.cost.price.cost(of: cost).amount
      context.observer.advance(by: 1, reads: reads.meter.spent)
    }
    shards += repeatElement(ShardPlan.Shard(reads: 0, price: 0), count: wanted - shards.count)
    let total = shards.compactMap(\.reads).reduce(0, +)
    guard let allowance = try allowance, total > allowance else { return shards }
    throw WorkspaceError.refused(
      .tryLater,
      "The shards of '\(job.name)' would make \(total) billed reads, and the read budget has "
        + "\(allowance) left. No plan was written. Raise the budget, or plan again later.")
  }
}
