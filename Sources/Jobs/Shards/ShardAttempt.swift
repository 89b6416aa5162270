import Firestore
import Foundation
import Glibc
import Model
package import Store
import Sync
import Workspace

/// An attempt to read a shard, with a database that no other process uses meanwhile.
///
/// Its progress is stored with the rows, in the same transactions.
package struct ShardAttempt: Sendable {
  package let store: Store
  fileprivate let files: ShardFiles
  fileprivate let lock: FileDescriptor

  private var plan: ShardPlan { files.plan.plan }

  /// The progress, including the billed reads of earlier attempts.
  private var progress: PullResult {
    get throws { try store.read { try files.progress(in: $0) } ?? PullResult() }
  }

  /// Writes the manifest of the complete file, then renames the file to the shard's name.
  ///
  /// A crash in between leaves a manifest without a file, and the attempt to continue.
  func finish(_ manifest: ShardManifest) throws {
    let (draft, place) = ("\(files.draft).sqlite", "\(files.place).sqlite")
    // A truncated file may exist, which must not get the manifest.
    try FileContents.remove(place)
    try FileContents.sync(draft)
    try AtomicFile.write(try StoredJSON.file(of: manifest), to: "\(files.place).json")
    guard rename(draft, place) == 0 else { throw WorkspaceError.cannot("write", place) }
    AtomicFile.syncFolder(of: place)
    discard()
  }

  /// Removes the attempt, and lets other processes begin a new one.
  private func discard() {
    RestoredDatabase.remove("\(files.draft).sqlite")
    // A process that still has it open detects that its name is gone.
    unlink("\(files.draft).lock")
  }

  /// Reads the shard, or the rest of it, into the store; see `docs/shards.md#run`.
  ///
  /// It is crash-safe: a later attempt continues this one.
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
      throw WorkspaceError.refused(
        .configuration,
        "The plan is about the project \(plan.root); this workspace asks \(client.root). Name the "
          + "plan's project with --project.")
    }
    context.observer.begin(plan.job, "documents", total: shard.documents)
    defer { context.observer.end() }
    let meter = ReadBudgetMeter()
    let reads = { @Sendable in before.counts.billedReads + meter.spent }
    var pull = sharded.pull
    // No document is read into a shard twice.
    pull.unchanged = nil
    pull.options.range = ShardRange(from: shard.from, to: shard.to, readTime: plan.readTime)
    pull.options.partitions = 1
    pull.options.onCommit = { [files] part in
      let effect = StoreChange.then { reader, _ in
        var progress = try files.progress(in: reader) ?? PullResult()
        progress.add(part)
        progress.counts.billedReads = reads()
        return [try .mark(encoding: progress, named: files.mark)]
      }
      return [effect]
    }
    pull.options.onPage = {
      context.observer.advance(by: $0, reads: reads(), on: meter.edition)
    }
    _ = try await RequestTags.$job.withValue(plan.job) {
      try await Pull(port: client, store: store, reads: meter).run(pull)
    }
  }

  /// Discards the attempt, which cannot be continued without its snapshot.
  private func snapshotGone() -> WorkspaceError {
    discard()
    return .refused(
      .inputGone,
      "The plan's snapshot of \(plan.readTime) is too old: Firestore no longer has it. "
        + "Make a new plan; with point-in-time recovery and --pitr it lives 7 days.")
  }
}

extension ShardFiles {
  /// The name of the shard's progress in its database.
  fileprivate var mark: MarkName { "shard \(number) of \(plan.digest)" }

  /// Returns the progress of the shard; nil in the database of another shard.
  fileprivate func progress(in reader: some Readable) throws -> PullResult? {
    try reader.mark(PullResult.self, named: mark)
  }

  /// Continues an interrupted attempt, or begins a new one.
  ///
  /// - Throws: `WorkspaceError.refused` while another process holds the attempt,
  ///   `WorkspaceError.file`, `StoreError`.
  package func attempt() throws -> ShardAttempt {
    let path = "\(draft).lock"
    try FileContents.makeFolder(folder)
    let lock = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
    // An attempt that has just ended has removed the lock file.
    guard try lock.lock(LOCK_EX | LOCK_NB, at: path), lock.isNamed(path) else {
      throw WorkspaceError.refused(
        .tryLater,
        "Another process reads shard \(number) into \(folder). Wait for it, or give another "
          + "folder.")
    }
    return ShardAttempt(store: try store(), files: self, lock: lock)
  }

  /// Opens the database of an interrupted attempt, or creates a new one.
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
