import Firestore
import Foundation
import Glibc
import Model
package import Store
import Sync
import Workspace

/// The attempt to read a shard: a database that no other process touches meanwhile.
///
/// How far it got is stored with the rows, in their transactions.
package struct ShardAttempt: Sendable {
  package let store: Store
  fileprivate let files: ShardFiles
  fileprivate let lock: FileDescriptor

  private var plan: ShardPlan { files.plan.plan }

  /// With the billed reads of earlier attempts as well.
  private var progress: PullResult {
    get throws { try store.read { try files.progress(in: $0) } ?? PullResult() }
  }

  /// Writes the manifest of the complete file, then gives it the shard's name.
  ///
  /// Whoever dies in between leaves a manifest without a file, and the attempt to go on with.
  func finish(_ manifest: ShardManifest) throws {
    let (draft, place) = ("\(files.draft).sqlite", "\(files.place).sqlite")
    // A truncated file may be there, to which the manifest must not belong.
    try FileContents.remove(place)
    try FileContents.sync(draft)
    try AtomicFile.write(try FileContents.json(of: manifest), to: "\(files.place).json")
    guard rename(draft, place) == 0 else { throw JobsError.cannot("write", place) }
    AtomicFile.syncFolder(of: place)
    discard()
  }

  /// Removes what is left of the attempt, and lets others begin one.
  private func discard() {
    RestoredDatabase.remove("\(files.draft).sqlite")
    // Whoever has it open finds that it has lost its name.
    unlink("\(files.draft).lock")
  }

  /// Reads the shard, or what is left of it, into the context's store; see `docs/shards.md#run`.
  ///
  /// Dying anywhere leaves an attempt that the next one goes on with.
  package func perform(_ context: JobContext) async throws -> ShardManifest {
    // Another process may have finished it before this one took the lock.
    if let other = try files.finished() {
      try store.close()
      discard()
      return other
    }
    let sharded = try plan.shardedJob(context)
    let before = await context.services.firestore.traffic()
    do {
      try await read(sharded, context)
    } catch let error as FirestoreError where error.reason == .readTimeTooOld {
      throw snapshotGone()
    }
    var traffic = await context.services.firestore.traffic() - before
    let progress = try progress
    traffic.billedReadCount = progress.counts.billedReads
    let rows = try store.read { try $0.rowCounts(of: sharded.pull.table) }
    try store.seal()
    let digest = try FileDigest(ofFile: "\(files.draft).sqlite")
    let manifest = ShardManifest(
      plan: files.plan.digest, shard: files.number, file: "\(files.name).sqlite",
      bytes: digest.bytes, sha256: digest.sha256, rows: rows, traffic: traffic, progress: progress)
    try finish(manifest)
    return manifest
  }

  private func read(_ sharded: ShardedJob, _ context: JobContext) async throws {
    let shard = plan.shards[files.number - 1]
    try sharded.makeTables(store)
    let before = try progress
    guard !shard.isEmpty, !before.isComplete else { return }
    guard plan.expires > context.now else { throw snapshotGone() }
    let client = try await context.services.firestore.database()
    guard client.root == plan.root else {
      throw JobsError.refused(
        .configuration,
        "The plan is about the project \(plan.root); this workspace asks \(client.root). Name the "
          + "plan's project with --project.")
    }
    context.observer.begin(plan.job, "documents", total: shard.reads)
    defer { context.observer.end() }
    let meter = ReadBudgetMeter()
    let reads = { @Sendable in before.counts.billedReads + meter.spent }
    var pull = sharded.pull
    // Nobody reads a document into a shard twice.
    pull.unchanged = nil
    pull.options.slice = PullSlice(from: shard.from, to: shard.to, readTime: plan.readTime)
    pull.options.partitions = 1
    pull.options.onCommit = { [files] part in
      let effect = Effect.then { reader, _ in
        var progress = try files.progress(in: reader) ?? PullResult()
        progress.add(part)
        progress.counts.billedReads = reads()
        return [try .metadata(encoding: progress, named: files.mark)]
      }
      return [effect]
    }
    pull.options.onPage = { context.observer.advance(by: $0, reads: reads()) }
    _ = try await RequestTags.$job.withValue(plan.job) {
      try await Pull(port: client, store: store, reads: meter).run(pull)
    }
  }

  /// Discards the attempt, which nobody can go on with.
  private func snapshotGone() -> JobsError {
    discard()
    return .refused(
      .inputGone,
      "The plan's snapshot of \(plan.readTime) is too old: Firestore no longer has it. "
        + "Make a new plan; with point-in-time recovery and --pitr it lives 7 days.")
  }
}

extension ShardFiles {
  /// Names the progress of the shard in its database.
  fileprivate var mark: String { "shard \(number) of \(plan.digest)" }

  /// How far the shard was read; nil in the database of another one.
  fileprivate func progress(in reader: some Readable) throws -> PullResult? {
    try reader.metadata(PullResult.self, named: mark)
  }

  /// Goes on with what an attempt that died has left, or begins one.
  ///
  /// - Throws: `JobsError.refused` while another attempt lives, `JobsError.file`, `StoreError`.
  package func attempt() throws -> ShardAttempt {
    let path = "\(draft).lock"
    try FileContents.makeFolder(folder)
    let lock = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
    // One that ends now has removed it.
    guard try lock.lock(LOCK_EX | LOCK_NB, at: path), lock.isNamed(path) else {
      throw JobsError.refused(
        .tryLater,
        "Another process reads shard \(number) into \(folder). Wait for it, or give another "
          + "folder.")
    }
    return ShardAttempt(store: try store(), files: self, lock: lock)
  }

  /// Opens what an attempt has stored of the shard, or begins anew.
  private func store() throws -> Store {
    let path = "\(draft).sqlite"
    do {
      let found = try Store.open(path: path, buildsIndexes: false)
      if try found.read({ try progress(in: $0) }) != nil { return found }
      try found.close()
    } catch let error as StoreError where error.isCorrupt {
    } catch is DecodingError {}
    RestoredDatabase.remove(path)
    return try Store.open(path: path, buildsIndexes: false)
  }
}
