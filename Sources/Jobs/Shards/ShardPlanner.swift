import Firestore
import Model
import Rules
import Store
import Sync

/// Divides one load of a job, and changes nothing, here or there; see `docs/shards.md#plan`.
package struct ShardPlanner: Sendable {
  private let context: JobContext

  package init(_ context: JobContext) {
    self.context = context
  }

  /// What is asked for.
  package struct Request: Hashable, Sendable {
    package var job: String
    package var shards: Int
    /// Whether the snapshot is a whole minute, which point-in-time recovery keeps for 7 days.
    package var isRecoverable: Bool
    /// Whether the documents of each shard are counted, for one billed read a thousand.
    package var counts: Bool

    package init(job: String, shards: Int, isRecoverable: Bool, counts: Bool) {
      self.job = job
      self.shards = shards
      self.isRecoverable = isRecoverable
      self.counts = counts
    }
  }

  /// - Throws: `JobsError.unknownJob`, `.shards`, and what the server answers.
  package func plan(_ request: Request) async throws -> ShardPlan {
    let selection = try JobSelection(named: [request.job], of: context.catalog)
    guard let job = selection.jobs.first else {
      throw selection.broken.first?.problem ?? JobsError.noUsersJob
    }
    let owner = try context.store.read { try context.profile($0).userId }
    let client = try await context.services.firestore.database()
    let sharded = try ShardedJob(job, in: client.root, owner: owner, context.at(context.now))
    let present = try await client.presentTime(of: sharded.pull) ?? context.now
    let minute = Int64(60_000_000)
    let readTime =
      request.isRecoverable
      ? Instant(microseconds: present.microseconds / minute * minute) : present
    let shards = try await shards(request, sharded.pull, at: readTime, client)
    try check(shards, of: job)
    let price = context.config.cost.price
    return ShardPlan(
      job: job.name, kind: job.kind.rawValue, fingerprint: try sharded.fingerprint(),
      project: client.root.project, database: client.root.database, source: sharded.source,
      firetally: ProgramVersion.current, clock: context.now, readTime: readTime,
      expires: readTime
        + (request.isRecoverable ? ShardPlan.recoveryLife : ShardPlan.snapshotLife),
      owner: owner, currency: price.currency, shards: shards)
  }

  private func shards(
    _ request: Request, _ pull: PullRequest, at readTime: Instant, _ client: any FirestoreDatabase
  ) async throws -> [ShardPlan.Shard] {
    let cuts = try await CutSearch(
      port: client, reads: ReadBudgetMeter(),
      readTime: Timestamp(microseconds: readTime.microseconds)
    ).cuts(of: pull.query, under: pull.parent, parts: request.shards)
    var shards: [ShardPlan.Shard] = []
    for (from, to) in zip([nil] + cuts, cuts + [nil]) {
      var shard = ShardPlan.Shard(from: from, to: to, isEmpty: false)
      if request.counts {
        let slice = PullSlice(from: from, to: to, readTime: readTime)
        let planned = PlannedQuery(
          query: pull.query(of: slice), parent: pull.parent, pageSize: pull.options.pageSize)
        let documents = try await client.count(
          of: planned.query, under: pull.parent, readTime: slice.time)
        let reads = planned.billedReads(documents: documents)
        shard.reads = reads
        shard.price = context.config.cost.price.cost(of: reads).amount
      }
      shards.append(shard)
    }
    while shards.count < request.shards {
      shards.append(ShardPlan.Shard(from: nil, to: nil, isEmpty: true, reads: 0, price: 0))
    }
    return shards
  }

  /// - Throws: `ShardProblem.budget` when a run of that many reads would stop.
  private func check(_ shards: [ShardPlan.Shard], of job: Job) throws {
    let reads = shards.compactMap(\.reads).reduce(0, +)
    let budget = try context.store.read {
      try context.readBudget(maxPerRun: job.definition.maxReads, $0)
    }
    guard let allowance = budget.allowance, reads > allowance else { return }
    throw JobsError.shards(.budget(job: job.name, reads: reads, allowance: allowance))
  }
}
