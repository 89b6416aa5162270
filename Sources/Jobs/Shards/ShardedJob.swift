import CollectionMapping
import Crypto
import Firestore
import Model
import Store
import Sync
import Workspace

/// A job whose collection can be read in shards: all documents, ordered by name.
package struct ShardedJob: Sendable {
  let job: Job
  /// The complete load; each shard reads a range of its names.
  let pull: PullRequest
  let mirror: MirrorOptions
  /// Creates the tables of a shard.
  var makeTables: @Sendable (Store) throws -> Void = { _ in }
  /// Stores the rows of all shards, with the result of a single-process load.
  let gathered: @Sendable (ShardMerge) async throws -> JobResult

  /// Returns a job of kind sync-users or sync-collection in its sharded form.
  ///
  /// The context's instant is the time of the rows. The document of `owner`, the app user, is left
  /// out.
  ///
  /// - Throws: `WorkspaceError.refused` when the job's documents cannot be split by name.
  static func of(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob {
    guard let sharded = try job.definition.sharded(job, in: root, owner: owner, context) else {
      throw refusal(
        of: job,
        "only jobs of kind sync-users and sync-collection can, and this is of kind \(job.kind)")
    }
    guard sharded.pull.canBeSplit else {
      throw refusal(
        of: job,
        "names must order its pages, and it must copy all documents: leave out 'order_by', "
          + "'max_documents', and comparisons by order under 'where'")
    }
    return sharded
  }

  /// Returns the error for a job that cannot be divided; the reason ends its sentence.
  static func refusal(of job: Job, _ reason: String) -> WorkspaceError {
    .refused(.badData, "The job '\(job.name)' cannot be loaded in shards: \(reason).")
  }

  /// Returns the SHA-256 of everything that determines the rows and which rows are deleted.
  func fingerprint(in root: ResourceName) -> String {
    let parts = [
      job.name, job.kind.rawValue, root.description, pull.parent ?? "", pull.cursorKey,
      mirror.deletes.rawValue, mirror.incremental.map { "\($0.field)" } ?? "",
      "\(pull.table.keepsDeleted)",
    ]
    return SHA256.text(of: Array(parts.joined(separator: "\n").utf8))
  }
}

extension ShardPlan {
  /// Returns the plan's job as the workspace declares it now.
  ///
  /// - Throws: `WorkspaceError.unknownJob`, `.jobFiles` for a wrong file, and `.refused` when the
  ///   job would store other rows.
  func shardedJob(_ context: JobContext) throws -> ShardedJob {
    let job = try context.catalog.job(named: job)
    let sharded = try ShardedJob.of(job, in: root, owner: owner, context.at(clock))
    guard sharded.fingerprint(in: root) == fingerprint else {
      throw WorkspaceError.refused(
        .badData,
        "The job '\(job.name)' of this workspace would store other rows than the plan's. Use the "
          + "job file that the plan was made with, or make a new plan.")
    }
    return sharded
  }
}

extension JobContext {
  /// Returns the context at another instant, with a clock that stands still.
  func at(_ instant: Instant) -> JobContext {
    var context = self
    context.clock = WorkspaceClock(
      start: instant, elapsed: { .zero }, sleep: clock.sleep, random: clock.random)
    context.options = RunOptions(profileName: options.profileName, isForced: true, isFull: true)
    return context
  }
}
