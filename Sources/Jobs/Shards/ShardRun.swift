import Firestore
import Foundation
import Glibc
import Model
package import Store
import Sync

/// The attempt to read a shard: a database that no other process touches meanwhile.
///
/// How far it got is stored with the rows, in their transactions.
package struct ShardAttempt: Sendable {
  package let store: Store
  private let plan: StoredShardPlan
  private let number: Int
  private let folder: ShardFolder
  private let lock: FileDescriptor
  /// What names the shard in the attempt's database.
  private let mark: String
  /// The attempt's files without their endings; `place` is what they are called once it is
  /// finished.
  private let draft: String
  private var place: String { folder.place(of: number) }

  fileprivate init(
    _ number: Int, of plan: StoredShardPlan, in folder: ShardFolder, _ lock: FileDescriptor
  ) throws {
    (self.number, self.plan, self.folder, self.lock) = (number, plan, folder, lock)
    mark = "shard \(number) of \(plan.digest)"
    draft = folder.draft(of: number)
    store = try Self.store(at: "\(draft).sqlite", of: mark)
  }

  /// Opens what an attempt at the same shard has left, or begins anew.
  private static func store(at path: String, of mark: String) throws -> Store {
    if access(path, F_OK) == 0 {
      do {
        let found = try Store.openShard(path: path)
        if try progress(of: mark, in: found) != nil { return found }
        try found.close()
      } catch let error as StoreError where error.isCorrupt {
      } catch is DecodingError {}
      remove(path)
    }
    let store = try Store.openShard(path: path)
    try store.write { try $0.setMetadata(encoding: PullResult(), named: mark) }
    return store
  }

  private static func remove(_ path: String) {
    for suffix in [""] + RestoredDatabase.logSuffixes { unlink(path + suffix) }
  }

  /// What is stored, with the billed reads of earlier attempts as well; nil for another shard.
  private static func progress(of mark: String, in store: Store) throws -> PullResult? {
    try store.read { try $0.metadata(PullResult.self, named: mark) }
  }

  private var progress: PullResult {
    get throws { try Self.progress(of: mark, in: store) ?? PullResult() }
  }

  /// Writes the manifest of the complete file, then gives it the shard's name.
  ///
  /// Whoever dies in between leaves a manifest without a file, and the attempt to go on with.
  ///
  /// - Throws: `JobsError.file`.
  func finish(_ manifest: ShardManifest) throws {
    // A truncated file may be there, to which the manifest must not belong.
    try FileContents.remove("\(place).sqlite")
    try FileContents.sync("\(draft).sqlite")
    try AtomicFile.write(try FileContents.json(of: manifest), to: "\(place).json")
    guard rename("\(draft).sqlite", "\(place).sqlite") == 0 else {
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
  /// - Throws: `JobsError.refused` while another attempt lives, `JobsError.file`, `StoreError`.
  package func attempt(_ number: Int, of plan: StoredShardPlan) throws -> ShardAttempt {
    let lockPath = "\(draft(of: number)).lock"
    try FileContents.makeFolder(path)
    while true {
      let lock = try FileDescriptor.open(lockPath, O_RDWR | O_CREAT, to: "lock")
      guard try lock.lock(LOCK_EX | LOCK_NB, at: lockPath) else {
        throw JobsError.refused(
          .tryLater,
          "Another process reads shard \(number) into \(path). Wait for it, or give another folder."
        )
      }
      // The one before may have removed it.
      if lock.isNamed(lockPath) { return try ShardAttempt(number, of: plan, in: self, lock) }
    }
  }
}

extension ShardAttempt {
  /// Reads the shard, or what is left of it, into the context's store; see `docs/shards.md#run`.
  ///
  /// Dying anywhere leaves an attempt that the next one goes on with.
  ///
  /// - Throws: `JobsError.refused`, and what the server answers.
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
    let progress = try progress
    let rows = try store.read { try $0.rowCounts(of: sharded.pull.table) }
    try store.sealShard()
    let digest = try FileDigest(ofFile: "\(draft).sqlite")
    let manifest = ShardManifest(
      plan: plan.digest, shard: number, shards: plan.plan.shards.count,
      file: "\(ShardFolder.name(of: number)).sqlite", bytes: digest.bytes, sha256: digest.sha256,
      rows: rows, reads: progress.counts.billedReads, requests: traffic.requestCount,
      retries: traffic.retryCount, receivedBytes: traffic.receivedBytes, progress: progress)
    try finish(manifest)
    return manifest
  }

  private func read(_ sharded: ShardedJob, _ context: JobContext) async throws {
    let shard = plan.plan.shards[number - 1]
    if shard.isEmpty { return try sharded.makeTables(store) }
    let before = try progress
    guard !before.isComplete else { return }
    guard plan.plan.expires > context.now else { throw snapshotGone() }
    let client = try await context.services.firestore.database()
    guard client.root == plan.plan.root else {
      throw JobsError.refused(
        .configuration,
        "The plan is about the project \(plan.plan.root); this workspace asks \(client.root). Name "
          + "the plan's project with --project.")
    }
    context.observer.begin(plan.plan.job, "documents", total: shard.reads)
    defer { context.observer.end() }
    let meter = ReadBudgetMeter()
    let reads = { @Sendable in before.counts.billedReads + meter.spent }
    var options = sharded.pull.options
    options.slice = PullSlice(from: shard.from, to: shard.to, readTime: plan.plan.readTime)
    options.partitions = 1
    options.onCommit = { [mark] part in
      let effect = Effect.then { reader, _ in
        var progress = try reader.metadata(PullResult.self, named: mark) ?? PullResult()
        progress.add(part)
        progress.counts.billedReads = reads()
        return [try .metadata(encoding: progress, named: mark)]
      }
      return [effect]
    }
    options.onPage = { context.observer.advance(by: $0, reads: reads()) }
    try await sharded.read(options, client, store, meter)
  }

  /// Discards the attempt, which nobody can go on with.
  private func snapshotGone() -> JobsError {
    discard()
    return .refused(
      .inputGone,
      "The plan's snapshot of \(plan.plan.readTime) is too old: Firestore does not know it any "
        + "more. Make a new plan; with point-in-time recovery and --pitr it lives 7 days.")
  }
}
