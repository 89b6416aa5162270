import Firestore
import Foundation
import Glibc
import Model
package import Store
import Sync

/// The attempt to read a shard: a database that no other process touches meanwhile.
package struct ShardAttempt: Sendable {
  package let store: Store
  private let plan: StoredShardPlan
  private let number: Int
  private let folder: ShardFolder
  private let lock: FileDescriptor

  /// The shard's files without their endings: as they are called once it is finished, and before.
  private var place: String { "\(folder.path)/\(ShardFolder.name(of: number))" }
  private var draft: String { "\(folder.path)/.\(ShardFolder.name(of: number))" }

  fileprivate init(
    _ number: Int, of plan: StoredShardPlan, in folder: ShardFolder, _ lock: FileDescriptor
  ) throws {
    (self.number, self.plan, self.folder, self.lock) = (number, plan, folder, lock)
    let path = "\(folder.path)/.\(ShardFolder.name(of: number)).sqlite"
    if let found = try Self.store(at: path, of: ShardProgress.name(number, of: plan)) {
      store = found
    } else {
      Self.remove(path)
      store = try Store.openShard(path: path)
    }
  }

  /// Opens what an attempt has left, or makes it; nil for what is of no use.
  private static func store(at path: String, of shard: String) throws -> Store? {
    do {
      let found = try Store.openShard(path: path)
      if try ShardProgress.stored(in: found).shard ?? shard == shard { return found }
      try found.close()
      return nil
    } catch let error as StoreError where error.isCorrupt {
      return nil
    } catch is DecodingError {
      return nil
    }
  }

  private static func remove(_ path: String) {
    for suffix in [""] + RestoredDatabase.logSuffixes { unlink(path + suffix) }
  }

  /// Writes the manifest of the complete file, then gives it the shard's name.
  ///
  /// Whoever dies in between leaves a manifest without a file, and the attempt to go on with.
  ///
  /// - Throws: `JobsError.file`.
  func finish(_ manifest: ShardManifest) throws {
    // A truncated file may be there, to which the manifest must not belong.
    guard unlink("\(place).sqlite") == 0 || errno == ENOENT else {
      throw JobsError.cannot("remove", "\(place).sqlite")
    }
    let file = try FileDescriptor.open("\(draft).sqlite", O_RDWR, to: "write")
    let isKept = fsync(file.number) == 0
    if isKept { try AtomicFile.write(try FileContents.json(of: manifest), to: "\(place).json") }
    guard isKept, rename("\(draft).sqlite", "\(place).sqlite") == 0 else {
      throw JobsError.cannot("write", "\(place).sqlite")
    }
    AtomicFile.syncFolder(of: place)
    discard()
  }

  /// Removes what is left of the attempt, and lets others begin one.
  private func discard() {
    Self.remove("\(draft).sqlite")
    // Removed first: whoever takes it now finds that it has lost its name.
    unlink("\(draft).lock")
    release()
  }

  /// Lets others go on with it, as the end of the process does.
  func release() { flock(lock.number, LOCK_UN) }
}

extension ShardFolder {
  /// Goes on with what an attempt that died has left, or begins one.
  ///
  /// - Throws: `JobsError.shards` while another attempt lives, `JobsError.file`, `StoreError`.
  package func attempt(_ number: Int, of plan: StoredShardPlan) throws -> ShardAttempt {
    let path = "\(path)/.\(Self.name(of: number)).lock"
    try FileContents.makeFolder(self.path)
    while true {
      let lock = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
      guard try lock.lock(LOCK_EX | LOCK_NB, at: path) else {
        throw JobsError.shards(
          .tryLater,
          "Another process reads shard \(number) into \(self.path). Wait for it, or give another "
            + "folder.")
      }
      // The one before may have removed it.
      if lock.isNamed(path) { return try ShardAttempt(number, of: plan, in: self, lock) }
    }
  }
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
      throw snapshotGone()
    }
    let traffic = await context.services.firestore.traffic() - before
    let manifest = try seal(sharded, traffic)
    try finish(manifest)
    return manifest
  }

  private func read(_ sharded: ShardedJob, _ context: JobContext) async throws {
    let shard = plan.plan.shards[number - 1]
    if shard.isEmpty { return try sharded.makeTables(store) }
    let before = try ShardProgress.stored(in: store)
    guard !before.progress.isComplete else { return }
    guard plan.plan.expires > context.now else { throw snapshotGone() }
    let client = try await context.services.firestore.database()
    guard client.root == plan.plan.root else {
      throw JobsError.shards(
        .configuration,
        "The plan is about the project \(plan.plan.root); this workspace asks \(client.root). Name "
          + "the plan's project with --project.")
    }
    context.observer.begin(plan.plan.job, "documents", total: shard.reads)
    defer { context.observer.end() }
    let (meter, name) = (ReadBudgetMeter(), ShardProgress.name(number, of: plan))
    let reads = { @Sendable in before.reads + meter.spent }
    var options = sharded.pull.options
    options.slice = PullSlice(from: shard.from, to: shard.to, readTime: plan.plan.readTime)
    options.partitions = 1
    options.onCommit = { [ShardProgress.adding($0, of: name, reads: reads())] }
    options.onPage = { context.observer.advance(by: $0, reads: reads()) }
    try await sharded.read(options, client, store, meter)
  }

  /// Discards the attempt, which nobody can go on with.
  private func snapshotGone() -> JobsError {
    discard()
    return .shards(
      .inputGone,
      "The plan's snapshot of \(plan.plan.readTime) is too old: Firestore does not know it any "
        + "more. Make a new plan; with point-in-time recovery and --pitr it lives 7 days.")
  }

  private func seal(_ sharded: ShardedJob, _ traffic: Traffic) throws -> ShardManifest {
    let stored = try ShardProgress.stored(in: store)
    let rows = try store.read { try $0.rowCounts(of: sharded.pull.table) }
    try store.sealShard()
    let digest = try FileDigest(ofFile: "\(draft).sqlite")
    return ShardManifest(
      plan: plan.digest, shard: number, shards: plan.plan.shards.count,
      file: "\(ShardFolder.name(of: number)).sqlite", bytes: digest.bytes, sha256: digest.sha256,
      schema: Store.schemaVersion, firetally: ProgramVersion.current, rows: rows,
      reads: stored.reads, requests: traffic.requestCount, retries: traffic.retryCount,
      receivedBytes: traffic.receivedBytes, progress: stored.progress)
  }
}

/// What a shard has read, stored in its database in the transactions that store its rows.
struct ShardProgress: Codable, Hashable, Sendable {
  /// The plan and the number of the shard; nil before the first rows.
  var shard: String?
  var progress = PullProgress()
  /// Billed reads, of earlier attempts as well.
  var reads = 0

  private static let mark = "shard progress"

  static func name(_ number: Int, of plan: StoredShardPlan) -> String {
    "\(number) of \(plan.digest)"
  }

  static func stored(in store: Store) throws -> ShardProgress {
    try store.read { try $0.metadata(ShardProgress.self, named: mark) } ?? ShardProgress()
  }

  /// Adds what a transaction stores, and takes over the billed reads of all attempts.
  static func adding(_ added: PullProgress, of shard: String, reads: Int) -> Effect {
    .then { reader, _ in
      let stored = try reader.metadata(ShardProgress.self, named: mark)?.progress ?? PullProgress()
      let progress = ShardProgress(shard: shard, progress: stored.adding(added), reads: reads)
      return [try .metadata(encoding: progress, named: mark)]
    }
  }
}
