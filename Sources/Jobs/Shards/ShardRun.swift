import Firestore
import Foundation
import Model
import Store
import Sync
import Synchronization

/// Reads one shard of a plan into a database of its own; see `docs/shards.md#run`.
///
/// Dying anywhere leaves an attempt that the next one goes on with.
package struct ShardRun: Sendable {
  private let plan: StoredShardPlan
  private let number: Int
  private let folder: ShardFolder
  private let attempt: ShardAttempt
  private let context: JobContext

  /// - Parameters:
  ///   - plan: the plan.
  ///   - number: of the shard, from 1.
  ///   - folder: where the shard is to be.
  ///   - attempt: of this shard.
  ///   - context: its store is the attempt's.
  package init(
    _ plan: StoredShardPlan, _ number: Int, in folder: ShardFolder, _ attempt: ShardAttempt,
    _ context: JobContext
  ) {
    self.plan = plan
    self.number = number
    self.folder = folder
    self.attempt = attempt
    self.context = context
  }

  private var shard: ShardPlan.Shard { plan.plan.shards[number - 1] }

  /// - Returns: the manifest of the shard, which is finished.
  /// - Throws: `JobsError.shards`, and what the server answers.
  package func perform() async throws -> ShardManifest {
    let sharded = try plan.plan.shardedJob(context)
    let before = await context.services.firestore.traffic()
    do {
      try await read(sharded)
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      folder.discard(attempt)
      throw JobsError.shards(.snapshotTooOld(readTime: plan.plan.readTime))
    }
    let traffic = await context.services.firestore.traffic() - before
    let manifest = try seal(sharded, traffic)
    return try folder.finish(attempt, number, of: plan, manifest)
  }

  private func read(_ sharded: ShardedJob) async throws {
    if shard.isEmpty {
      if case .collection(let request, _) = sharded.load {
        try request.makeTables(in: attempt.store)
      }
      return
    }
    let recorder = try ShardRecorder(
      attempt.store, of: ShardRecorder.name(number, of: plan))
    guard !recorder.isComplete else { return }
    guard plan.plan.expires > context.now else {
      throw FirestoreError.snapshotExpired
    }
    let client = try await context.services.firestore.database()
    guard client.root == plan.plan.root else {
      throw JobsError.shards(
        .otherProject(planned: plan.plan.root.description, asked: client.root.description))
    }
    try await pull(sharded, client, recorder)
  }

  private func pull(
    _ sharded: ShardedJob, _ client: any FirestoreDatabase, _ recorder: ShardRecorder
  ) async throws {
    context.observer.begin(plan.plan.job, "documents", total: shard.reads)
    defer { context.observer.end() }
    func restricted(_ options: PullOptions) -> PullOptions {
      var options = options
      options.slice = PullSlice(from: shard.from, to: shard.to, readTime: plan.plan.readTime)
      options.partitions = 1
      options.onCommit = { try recorder.add($1, in: $0) }
      options.onPage = { [observer = context.observer] in
        observer.advance(by: $0, reads: recorder.reads)
      }
      return options
    }
    switch sharded.load {
    case .users(var request, _):
      request.options = restricted(request.options)
      _ = try await UserPull(port: client, store: attempt.store, reads: recorder.meter)
        .run(request) { _ in }
    case .collection(var request, _):
      request.options = restricted(request.options)
      _ = try await CollectionPull(port: client, store: attempt.store, reads: recorder.meter)
        .run(request)
    }
  }

  private func seal(_ sharded: ShardedJob, _ traffic: Traffic) throws -> ShardManifest {
    let recorded = try ShardRecorder.stored(in: attempt.store)
    let rows = try attempt.store.read { try $0.rowCounts(of: sharded.pull.table) }
    try attempt.store.sealShard()
    let digest: FileDigest
    do {
      digest = try FileDigest(ofFile: attempt.path)
    } catch let failure as FileFailure {
      throw JobsError.file(failure)
    }
    return ShardManifest(
      plan: plan.digest, shard: number, shards: plan.plan.shards.count,
      file: "\(ShardFolder.name(of: number)).sqlite", bytes: digest.bytes, sha256: digest.sha256,
      schema: Store.schemaVersion, firetally: ProgramVersion.current, rows: rows,
      reads: recorded.reads, requests: traffic.requestCount, retries: traffic.retryCount,
      receivedBytes: traffic.receivedBytes, progress: recorded.progress)
  }
}

extension FirestoreError {
  /// What Firestore would answer, without asking.
  fileprivate static var snapshotExpired: FirestoreError {
    .refused(
      Refusal(
        ErrorEnvelope(
          status: .failedPrecondition, message: "The requested read_time is too old"),
        httpStatus: 400, request: "the snapshot of the plan"))
  }
}

/// Keeps the counts of a shard in its database, in the transactions that store its rows.
final class ShardRecorder: Sendable {
  struct Recorded: Codable, Hashable, Sendable {
    /// The plan and the number of the shard; nil before the first rows.
    var shard: String?
    var progress = PullProgress()
    /// Billed reads, of earlier attempts as well.
    var reads = 0
  }

  private static let name = "shard progress"

  static func name(_ number: Int, of plan: StoredShardPlan) -> String {
    "\(number) of \(plan.digest)"
  }

  let meter = ReadBudgetMeter()
  private let recorded: Mutex<Recorded>
  private let readsBefore: Int

  init(_ store: Store, of shard: String) throws {
    var stored = try Self.stored(in: store)
    stored.shard = shard
    recorded = Mutex(stored)
    readsBefore = stored.reads
  }

  var isComplete: Bool { recorded.withLock(\.progress.isComplete) }
  var reads: Int { readsBefore + meter.spent }

  static func stored(in store: Store) throws -> Recorded {
    guard let text = try store.read({ try $0.metadata(named: name) }) else { return Recorded() }
    return try JSONDecoder().decode(Recorded.self, from: Data(text.utf8))
  }

  func add(_ progress: PullProgress, in writer: Writer) throws {
    let text = try recorded.withLock { recorded in
      recorded.progress.add(progress)
      recorded.reads = reads
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(recorded), as: UTF8.self)
    }
    try writer.setMetadata(text, named: Self.name)
  }
}
