import Firestore
import Model
import Store
import Sync

/// Divides one load of a job; see `docs/shards.md#plan`.
package struct ShardPlanner: Sendable {
  private let job: Job
  private let wanted: Int
  private let isRecoverable: Bool
  private let counts: Bool
  private let context: JobContext

  /// - Parameters:
  ///   - job: the name of the job.
  ///   - shards: how many shards are made.
  ///   - isRecoverable: whether the snapshot is a whole minute, which point-in-time recovery keeps
  ///     for 7 days.
  ///   - counts: whether the documents of each shard are counted, for one billed read a thousand.
  ///   - context: of the workspace.
  /// - Throws: `JobsError.unknownJob`, `.jobFiles` for a file that is wrong, and `.shards` for a plan
  ///   without counts that a read budget could not be held against.
  package init(
    job: String, shards: Int, isRecoverable: Bool, counts: Bool, _ context: JobContext
  ) throws {
    self.job = try context.catalog.job(named: job)
    wanted = shards
    self.isRecoverable = isRecoverable
    self.counts = counts
    self.context = context
    guard !counts, try budget.allowance != nil else { return }
    throw JobsError.shards(
      .usage,
      "A read budget is in force, and --no-count leaves open how many reads the shards of "
        + "'\(job)' make. Leave --no-count out, or remove the budget.")
  }

  /// What a run of the job may read that begins now.
  private var budget: ReadBudget {
    get throws {
      try context.store.read { try context.readBudget(maxPerRun: job.definition.maxReads, $0) }
    }
  }

  /// What planning costs at most, in a sentence.
  package var bound: String {
    // One read finds the time; counting the shards costs each of them one at least.
    let reads =
      1 + SplitPointSearch.mostReads(parts: wanted, documents: 0) + (counts ? wanted : 0)
    // All documents are counted 11 times at most to find cuts, and once in their shards.
    let passes = (wanted > 1 ? 11 : 0) + (counts ? 1 : 0)
    return "Planning costs at most \(reads) billed read\(reads == 1 ? "" : "s")"
      + (passes > 0 ? " and one for each \(1_000 / passes) documents." : ".")
  }

  /// What a snapshot of a whole minute leaves out, in sentences; nil for the present one.
  package func note(on plan: ShardPlan) throws -> String? {
    guard isRecoverable else { return nil }
    let isLoaded = try context.store.read { try $0.hasLoaded(job: job.name, at: plan.readTime) }
    return "The snapshot is the whole minute \(plan.readTime): what changed since is not in it. "
      + (isLoaded ? "'\(job.name)' was loaded as of then before. " : "")
      + "A plan from \(plan.readTime + Instant.minute) on reads a later one."
  }

  /// - Parameters:
  ///   - reads: what the plan's own reads are billed to.
  ///   - tell: receives sentences about what takes long.
  /// - Returns: the plan.
  /// - Throws: `JobsError.shards`, `.oneOffBudget`, and what the server answers.
  package func plan(
    _ reads: OneOffReads, tell: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> ShardPlan {
    let owner = try context.store.read { try context.profile($0).userId }
    let root = reads.database.root
    let sharded = try ShardedJob(job, in: root, owner: owner, context.at(context.now))
    let present =
      try await reads.spend(upTo: 1) { _ in
        (try await reads.database.presentTime(of: sharded.pull), 1)
      } ?? context.now
    let readTime = isRecoverable ? present.minute : present
    defer { context.observer.end() }
    let shards = try await shards(of: sharded.pull, at: readTime, reads, tell)
    try check(shards)
    let price = context.config.cost.price
    return ShardPlan(
      job: job.name, kind: job.kind.rawValue, fingerprint: try sharded.fingerprint(),
      project: root.project, database: root.database, source: sharded.source,
      firetally: ProgramVersion.current, clock: context.now, readTime: readTime,
      expires: readTime
        + (isRecoverable ? ShardPlan.recoveryLife : ShardPlan.snapshotLife),
      owner: owner, currency: price.currency, shards: shards)
  }

  private func shards(
    of pull: PullRequest, at readTime: Instant, _ reads: OneOffReads,
    _ tell: @escaping @Sendable (String) -> Void
  ) async throws -> [ShardPlan.Shard] {
    let cuts = try await SplitPointSearch(
      port: reads.database, reads: reads.meter,
      readTime: Timestamp(microseconds: readTime.microseconds)
    ) { [observer = context.observer] in
      observer.observe($0, reads: reads.meter.spent, tell)
    }.splitPoints(of: pull.query, under: pull.parent, parts: wanted)
    try reads.record()
    if counts { context.observer.begin("counting", "shards", total: cuts.count + 1) }
    var shards: [ShardPlan.Shard] = []
    for (from, to) in zip([nil] + cuts, cuts + [nil]) {
      var shard = ShardPlan.Shard(from: from, to: to, isEmpty: false)
      if counts {
        let slice = PullSlice(from: from, to: to, readTime: readTime)
        let planned = PlannedQuery(
          query: pull.query(of: slice), parent: pull.parent, pageSize: pull.options.pageSize)
        let cost = planned.billedReads(
          documents: try await documents(of: planned.query, pull.parent, at: slice.time, reads))
        shard.reads = cost
        shard.price = context.config.cost.price.cost(of: cost).amount
        context.observer.advance(by: 1, reads: reads.meter.spent)
      }
      shards.append(shard)
    }
    while shards.count < wanted {
      shards.append(ShardPlan.Shard(from: nil, to: nil, isEmpty: true, reads: 0, price: 0))
    }
    return shards
  }

  /// How many documents a shard has.
  private func documents(
    of query: StructuredQuery, _ parent: String?, at readTime: Timestamp?, _ reads: OneOffReads
  ) async throws -> Int {
    let count = try await reads.database.count(
      of: query, under: parent, readTime: readTime, within: reads.meter)
    try reads.record()
    guard let count else { throw reads.exhaustion }
    return count
  }

  /// - Throws: `JobsError.shards` when a run of that many reads would stop.
  private func check(_ shards: [ShardPlan.Shard]) throws {
    let reads = shards.compactMap(\.reads).reduce(0, +)
    guard let allowance = try budget.allowance, reads > allowance else { return }
    throw JobsError.shards(
      .tryLater,
      "The shards of '\(job.name)' would make \(reads) billed reads, and the read budget has "
        + "\(allowance) left. No plan was written. Raise the budget, or plan again later.")
  }
}

extension WorkObserver {
  /// Tells how the search for cuts goes.
  fileprivate func observe(
    _ step: SplitPointSearch.Step, reads: Int, _ tell: (String) -> Void
  ) {
    switch step {
    case .began(let offered, let wanted):
      tell(
        "The server offers \(offered) of \(wanted) cuts, so that even ones are looked for: each "
          + "look reads one name, and counts documents. Google's emulator reads the whole "
          + "collection for each, so that large ones take minutes there.")
      begin("looking for cuts", "requests")
    case .asked: advance(by: 1, reads: reads)
    }
  }
}

extension Instant {
  /// The whole minute that it is in: Firestore recovers no other times.
  fileprivate var minute: Instant {
    Instant(microseconds: microseconds / Self.minute.microseconds * Self.minute.microseconds)
  }

  fileprivate static let minute = Duration.seconds(60)
}
