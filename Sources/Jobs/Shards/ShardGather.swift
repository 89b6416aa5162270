import Firestore
import Glibc
package import Model
import Store
import Sync

/// All shards of a plan, each found in one of some folders and read to its end.
package struct CheckedShards: Sendable {
  /// In the order of the plan.
  package let shards: [(path: String, manifest: ShardManifest)]

  /// Finds every shard, and compares each file with its manifest.
  ///
  /// - Parameters:
  ///   - plan: whose shards are wanted.
  ///   - folders: where they are; a folder may hold any of them.
  /// - Throws: `JobsError.shards` with all that is missing or wrong, `JobsError.file`.
  package init(_ plan: StoredShardPlan, in folders: [String]) throws {
    var shards: [(path: String, manifest: ShardManifest)] = []
    var flaws: [ShardFlaw] = []
    for number in 1...plan.plan.shards.count {
      do {
        shards.append(try JobsError.ofFiles { try Self.shard(number, of: plan, in: folders) })
      } catch let flaw as ShardFlaw {
        flaws.append(flaw)
      }
    }
    guard flaws.isEmpty else { throw JobsError.flawed(flaws) }
    self.shards = shards
  }

  private static func shard(
    _ number: Int, of plan: StoredShardPlan, in folders: [String]
  ) throws -> (path: String, manifest: ShardManifest) {
    var found: [(folder: String, manifest: ShardManifest)] = []
    for folder in folders {
      if let manifest = try ShardManifest.sound(number, of: plan, in: folder) {
        found.append((folder, manifest))
      }
    }
    guard let (folder, manifest) = found.first else {
      throw ShardFlaw.unfinished("shard \(number) is missing")
    }
    guard found.count == 1 else {
      throw ShardFlaw.unusable(
        "shard \(number) is given twice, in \(found.map(\.folder).joined(separator: " and ")): "
          + "leave one out")
    }
    let path = "\(folder)/\(ShardFolder.name(of: number)).sqlite"
    guard try FileDigest(ofFile: path).sha256 == manifest.sha256 else {
      throw ShardFlaw.unusable(
        "\(path) does not have the SHA-256 of its manifest: remove both, then run the shard again")
    }
    return (path, manifest)
  }
}

/// The run that merges all shards of a plan into the workspace's database; see
/// `docs/shards.md#gather`.
package struct ShardGather: Sendable {
  private let stored: StoredShardPlan
  private let checked: CheckedShards
  private let context: JobContext
  private let sharded: ShardedJob

  /// - Throws: `JobsError.shards` when the workspace declares the job otherwise, or was loaded
  ///   after the plan's snapshot; `JobsError.otherProject`.
  package init(_ plan: StoredShardPlan, _ checked: CheckedShards, _ context: JobContext) throws {
    stored = plan
    self.checked = checked
    self.context = context
    sharded = try plan.plan.shardedJob(context)
    try WorkspaceOrigin(project: stored.plan.project)
      .check(context.store, at: context.folder.databasePath)
    try checkOrder()
  }

  package var job: Job { sharded.job }

  /// Whether a run that gathered this very plan is recorded.
  ///
  /// One that died before its record is done again, which changes no row. Another plan of the same
  /// snapshot, as whole minutes have, is not this one: its job may have had other columns.
  private var isDone: Bool {
    get throws {
      try context.store.read { reader in
        guard let id = try reader.metadata(named: doneMark).flatMap({ Int64($0) }),
          let run = try reader.run(id: id)
        else { return false }
        return run.outcome == .ok || run.outcome == .partial
      }
    }
  }

  /// Names the run that gathered the plan to its end, whether or not its record was reached.
  private var doneMark: String { "gather of \(job.name), plan \(stored.digest)" }

  /// Older rows must not replace newer ones.
  private func checkOrder() throws {
    guard try !isDone else { return }
    let last = try context.store.read { try $0.newestReadTime(ofJob: job.name) }
    guard let last, last > stored.plan.readTime else { return }
    throw JobsError.shards(
      .badData,
      "Nothing was gathered: '\(job.name)' was loaded as of \(last), after the plan's snapshot of "
        + "\(stored.plan.readTime). Make a new plan.")
  }
}

extension ShardGather: JobWork {
  package var trigger: Run.Trigger { .manual }

  package func plan() throws -> String {
    "Would gather \(checked.shards.count) shards of \(stored.plan.source)."
  }

  package func perform(within budget: RunBudget) async throws -> JobResult {
    if try isDone {
      return JobResult(.fresh, "All \(checked.shards.count) shards were gathered before.")
    }
    try WorkspaceOrigin(project: stored.plan.project)
      .claim(context.store, at: context.folder.databasePath)
    let gather = Gather(
      checked.shards.map {
        GatheredShard(path: $0.path, bytes: $0.manifest.bytes, progress: $0.manifest.progress)
      },
      of: stored.digest, at: stored.plan.readTime, into: context.store)
    let sweep = sharded.sweep(at: stored.plan.clock)
    var result: JobResult
    switch sharded.load {
    case .users(let request, let load):
      result = try await load.gather(request, gather, sweep: sweep)
    case .collection(let request, let work):
      result = try await work.gather(request, gather, sweep: sweep)
    }
    add(to: &result.counts)
    try context.store.write { try $0.setMetadata(String(budget.runId), named: doneMark) }
    return result
  }

  /// Adds what the shards have cost.
  private func add(to counts: inout RunCounts) {
    for (_, manifest) in checked.shards {
      counts.billedReads += manifest.reads
      counts.requests += manifest.requests
      counts.retries += manifest.retries
      counts.bytes += manifest.receivedBytes
    }
  }
}
