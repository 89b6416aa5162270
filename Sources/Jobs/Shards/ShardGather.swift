package import Model
import Store
import Sync
import Workspace

/// The run that merges all shards of a plan into the workspace's database; see
/// `docs/shards.md#gather`.
package struct ShardGather: JobWork {
  private let stored: StoredShardPlan
  private let shards: [StoredShardPlan.Shard]
  private let context: JobContext
  private let sharded: ShardedJob

  /// `shards` are all shards of the plan, already compared with their manifests.
  ///
  /// - Throws: `WorkspaceError.refused` when the workspace declares the job differently, or was
  ///   loaded after the plan's snapshot; `WorkspaceError.otherProject`.
  package init(
    _ plan: StoredShardPlan, _ shards: [StoredShardPlan.Shard], _ context: JobContext
  ) throws {
    (stored, self.shards, self.context) = (plan, shards, context)
    sharded = try plan.plan.shardedJob(context)
    try WorkspaceOrigin(project: plan.plan.project)
      .check(context.store, at: context.workspace.databasePath)
    // Older rows must not replace newer ones.
    guard let last = try context.store.read({ try $0.newestReadTime(ofJob: job.name) }),
      try last > plan.plan.readTime && !isDone()
    else { return }
    throw WorkspaceError.refused(
      .badData,
      "Nothing was gathered: '\(job.name)' was loaded at \(last), after the plan's snapshot of "
        + "\(plan.plan.readTime). Make a new plan.")
  }

  package var job: Job { sharded.job }

  /// The name of the mark with the run that gathered the plan completely, even if it was not
  /// recorded.
  private var doneMark: MarkName { .gather(of: job.name, plan: stored.digest) }

  /// Whether a run that gathered exactly this plan is recorded.
  ///
  /// A run that died before its record is repeated, which changes no row. Another plan with the
  /// same snapshot, as whole minutes allow, does not count: its job may have had other columns.
  private func isDone() throws -> Bool {
    try context.store.read { reader in
      let id = try reader.mark(named: doneMark).flatMap { Int64($0) }
      return [.ok, .partial].contains(try id.flatMap { try reader.run(id: $0)?.outcome })
    }
  }

  package var trigger: Run.Trigger { .manual }
  package func plan() -> String { "Would gather \(shards.count) shards." }

  package func perform(within budget: RunBudget) async throws -> JobResult {
    if try isDone() {
      return JobResult(.fresh, "All \(shards.count) shards were gathered before.")
    }
    try WorkspaceOrigin(project: stored.plan.project)
      .claim(context.store, at: context.workspace.databasePath)
    var result = try await sharded.gathered(
      ShardMerge(
        shards.map { ($0.path, $0.manifest.progress) }, of: stored.digest,
        at: stored.plan.readTime, into: context.store))
    for (_, manifest) in shards { result.counts.add(manifest.traffic) }
    try context.store.write { try $0.setMark(String(budget.runId), named: doneMark) }
    return result
  }
}
