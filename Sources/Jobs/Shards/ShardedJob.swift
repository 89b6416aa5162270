import Crypto
import Firestore
import Model
import Store
import Sync

/// A job whose collection shards can read: all documents, in the order of their names.
struct ShardedJob: Sendable {
  enum Load: Sendable {
    case users(SyncUsersRequest, UsersSync)
    case collection(CollectionPullRequest, SyncCollectionWork)
  }

  let job: Job
  let load: Load
  let mirror: MirrorOptions
  private let root: ResourceName

  /// - Parameters:
  ///   - job: of kind sync-users or sync-collection.
  ///   - root: the database that is read.
  ///   - owner: the app user whose own document is left out.
  ///   - context: its instant is the time of the rows.
  /// - Throws: `JobsError.shards` when names do not cut the job's documents.
  init(_ job: Job, in root: ResourceName, owner: String?, _ context: JobContext) throws {
    self.job = job
    self.root = root
    switch job.definition {
    case let options as SyncUsersOptions:
      mirror = options.mirror
      guard mirror.needsAll, options.maxDocuments == nil else {
        throw Self.refusal(
          job, "it does not copy every user; set 'max_documents: all' and 'deletes: drift'")
      }
      let work = UsersSync(options: options, job: job.name, context: context)
      load = .users(work.shardRequest(owner: owner), work)
    case let options as SyncCollectionOptions:
      mirror = options.mirror
      let work = SyncCollectionWork(options, job: job.name, context)
      load = .collection(try work.shardRequest(in: root), work)
    default:
      throw Self.refusal(
        job, "only jobs of kind sync-users and sync-collection can, and this is of kind \(job.kind)"
      )
    }
    guard pull.canBeCut else {
      throw Self.refusal(
        job,
        "names must order its pages, and it must copy all documents: leave out 'order_by', "
          + "'max_documents', and comparisons by order under 'where'")
    }
  }

  private static func refusal(_ job: Job, _ reason: String) -> JobsError {
    .shards(.badData, "The job '\(job.name)' cannot be loaded in shards: \(reason).")
  }

  var pull: PullRequest {
    switch load {
    case .users(let request, _): request.pull
    case .collection(let request, _): request.pull
    }
  }

  /// What is copied, in words.
  var source: String {
    switch load {
    case .users(let request, _): "the collection \(request.collection)"
    case .collection(let request, _): request.source.description
    }
  }

  /// The SHA-256 of what decides which rows the documents become, and which rows are deleted.
  func fingerprint() throws(JobsError) -> String {
    let pull = pull
    let parts = [
      job.name, job.kind.rawValue, root.description, pull.parent ?? "", pull.cursorKey,
      mirror.deletes.rawValue, mirror.incremental.map { "\($0.field)" } ?? "",
      "\(pull.table.keepsDeleted)",
    ]
    return SHA256.text(of: Array(parts.joined(separator: "\n").utf8))
  }

  /// What a sweep by the keys of the shards compares; nil when no rows are deleted.
  func sweep(at now: Instant) -> SweepRequest? {
    let keys: KeyMapping
    switch load {
    case .users(let request, _): keys = KeyMapping(fields: request.fields.names[.userId] ?? [])
    case .collection(let request, _): keys = request.source.keys
    }
    return mirror.sweep(
      of: pull.query, under: pull.parent, table: pull.table, keys: keys, job: job.name, at: now)
  }
}

extension ShardPlan {
  /// The database of the plan.
  var root: ResourceName { ResourceName(project: project, database: database) }

  /// The job of the plan, as the workspace declares it now.
  ///
  /// - Throws: `JobsError.unknownJob`, `.jobFiles` for a file that is wrong, and `.shards` when it
  ///   would store other rows.
  func shardedJob(_ context: JobContext) throws -> ShardedJob {
    let job = try context.catalog.job(named: job)
    let sharded = try ShardedJob(job, in: root, owner: owner, context.at(clock))
    guard try sharded.fingerprint() == fingerprint else {
      throw JobsError.shards(
        .badData,
        "The job '\(job.name)' of this workspace would store other rows than the plan's. Use the "
          + "job file that the plan was made with, or make a new plan.")
    }
    return sharded
  }
}

extension JobContext {
  /// The same at another instant, at which no time passes.
  func at(_ instant: Instant) -> JobContext {
    JobContext(
      workspace: workspace, services: services,
      clock: JobClock(
        start: instant, elapsed: { .zero }, sleep: clock.sleep, random: clock.random),
      options: RunOptions(profileName: options.profileName, isForced: true, isFull: true),
      exitStatus: exitStatus, observer: observer)
  }
}
