import Firestore
import Foundation
import Glibc
import Model
package import Store
import Sync
import Synchronization

/// The attempt to read a shard: a database that no other process touches meanwhile.
package struct ShardAttempt: Sendable {
  package let store: Store
  private let plan: StoredShardPlan
  private let number: Int
  private let folder: ShardFolder
  private let place: String
  private let draft: String
  private let lock: FileDescriptor

  init(
    _ number: Int, of plan: StoredShardPlan, in folder: ShardFolder, _ lock: FileDescriptor
  ) throws {
    let name = ShardFolder.name(of: number)
    self.folder = folder
    place = "\(folder.path)/\(name)"
    draft = "\(folder.path)/.\(name)"
    self.plan = plan
    self.number = number
    self.lock = lock
    let path = "\(draft).sqlite"
    if let found = try Self.store(at: path, named: ShardRecorder.name(number, of: plan)) {
      store = found
      return
    }
    Self.remove(path)
    store = try Store.openShard(path: path)
  }

  /// Opens what an attempt has left, or makes it; nil for what is of no use.
  private static func store(at path: String, named shard: String) throws -> Store? {
    do {
      let found = try Store.openShard(path: path)
      if try ShardRecorder.stored(in: found).shard ?? shard == shard { return found }
      try found.close()
      return nil
    } catch let error as StoreError where error.isCorrupt {
      return nil
    } catch is DecodingError {
      return nil
    }
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Writes the manifest of the complete file, then gives it the shard's name.
  ///
  /// Whoever dies in between leaves a manifest without a file, and the attempt to go on with.
  ///
  /// - Throws: `FileFailure`.
  func finish(_ manifest: ShardManifest) throws {
    // A file that was cut may be there, to which the manifest must not belong.
    guard unlink("\(place).sqlite") == 0 || errno == ENOENT else {
      throw FileFailure("remove", "\(place).sqlite", code: errno)
    }
    let file = try FileDescriptor.open("\(draft).sqlite", O_RDWR, to: "write")
    let isKept = fsync(file.number) == 0
    if isKept { try AtomicFile.write(try manifest.json, to: "\(place).json") }
    guard isKept, rename("\(draft).sqlite", "\(place).sqlite") == 0 else {
      throw FileFailure("write", "\(place).sqlite", code: errno)
    }
    AtomicFile.syncFolder(of: place)
    discard()
  }

  /// Removes what is left of the attempt, and lets others begin one.
  func discard() {
    Self.remove("\(draft).sqlite")
    // Removed first: whoever takes it now finds that it has lost its name.
    unlink("\(draft).lock")
    release()
  }

  /// Lets others go on with it, as the end of the process does.
  func release() { flock(lock.number, LOCK_UN) }
}

extension ShardAttempt {
  /// Reads the shard, or what is left of it; see `docs/shards.md#run`.
  ///
  /// Dying anywhere leaves an attempt that the next one goes on with.
  ///
  /// - Parameter context: of the workspace; its store is the attempt's.
  /// - Returns: the manifest of the shard, which is finished.
  /// - Throws: `JobsError.shards`, and what the server answers.
  package func perform(_ context: JobContext) async throws -> ShardManifest {
    // Another process may have finished it before this one took the lock.
    if let other = try folder.finished(number, of: plan) {
      try store.close()
      discard()
      return other
    }
    let sharded = try plan.plan.shardedJob(context)
    let before = await context.services.firestore.traffic()
    do {
      try await read(sharded, context)
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      discard()
      throw JobsError.shards(
        .inputGone,
        "The plan's snapshot of \(plan.plan.readTime) is too old: Firestore does not know it any "
          + "more. Make a new plan; with point-in-time recovery and --pitr it lives 7 days.")
    }
    let traffic = await context.services.firestore.traffic() - before
    return try JobsError.ofFiles {
      let manifest = try seal(sharded, traffic)
      try finish(manifest)
      return manifest
    }
  }

  private func read(_ sharded: ShardedJob, _ context: JobContext) async throws {
    if plan.plan.shards[number - 1].isEmpty {
      if case .collection(let request, _) = sharded.load {
        try request.makeTables(in: store)
      }
      return
    }
    let recorder = try ShardRecorder(store, of: ShardRecorder.name(number, of: plan))
    guard !recorder.isComplete else { return }
    guard plan.plan.expires > context.now else {
      throw FirestoreError.snapshotExpired
    }
    let client = try await context.services.firestore.database()
    guard client.root == plan.plan.root else {
      throw JobsError.shards(
        .configuration,
        "The plan is about the project \(plan.plan.root); this workspace asks \(client.root). Name "
          + "the plan's project with --project.")
    }
    try await pull(sharded, client, recorder, context.observer)
  }

  private func pull(
    _ sharded: ShardedJob, _ client: any FirestoreDatabase, _ recorder: ShardRecorder,
    _ observer: WorkObserver
  ) async throws {
    let shard = plan.plan.shards[number - 1]
    observer.begin(plan.plan.job, "documents", total: shard.reads)
    defer { observer.end() }
    func restricted(_ options: PullOptions) -> PullOptions {
      var options = options
      options.slice = PullSlice(from: shard.from, to: shard.to, readTime: plan.plan.readTime)
      options.partitions = 1
      options.onCommit = { try recorder.add($0) }
      options.onPage = { observer.advance(by: $0, reads: recorder.reads) }
      return options
    }
    switch sharded.load {
    case .users(var request, _):
      request.options = restricted(request.options)
      _ = try await Pull(port: client, store: store, reads: recorder.meter).run(request.pull)
    case .collection(var request, _):
      request.options = restricted(request.options)
      _ = try await CollectionPull(port: client, store: store, reads: recorder.meter)
        .run(request)
    }
  }

  private func seal(_ sharded: ShardedJob, _ traffic: Traffic) throws -> ShardManifest {
    let recorded = try ShardRecorder.stored(in: store)
    let rows = try store.read { try $0.rowCounts(of: sharded.pull.table) }
    try store.sealShard()
    let digest = try FileDigest(ofFile: "\(draft).sqlite")
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

  /// What stores the counts with the rows of `progress`.
  func add(_ progress: PullProgress) throws -> [Effect] {
    let text = try recorded.withLock { recorded in
      recorded.progress.add(progress)
      recorded.reads = reads
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(recorded), as: UTF8.self)
    }
    return [.metadata(text, named: Self.name)]
  }
}
