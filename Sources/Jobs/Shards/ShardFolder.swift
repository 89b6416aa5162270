import Glibc
package import Store
import Sync

/// The folder of a plan's finished shards, and of those that are being read; see
/// `docs/shards.md#files`.
package struct ShardFolder: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// `shard-0003`, to which `.sqlite` and `.json` are added.
  package static func name(of number: Int) -> String {
    let digits = String(number)
    return "shard-\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
  }

  /// The file of a shard that is exported, whose folder is made.
  ///
  /// - Parameters:
  ///   - number: of the shard, from 1.
  ///   - child: a child table, which has a folder of its own; nil for the table of the job.
  ///   - ending: such as `ndjson.gz`.
  ///   - mode: of the folder.
  /// - Returns: the file's path.
  /// - Throws: `JobsError.file`.
  package func export(
    of number: Int, child: String?, ending: String, mode: FileMode
  ) throws(JobsError) -> String {
    let folder = child.map { "\(path)/\($0)" } ?? path
    do {
      try FileContents.makeFolder(path, mode: mode)
      try FileContents.makeFolder(folder, mode: mode)
    } catch {
      throw .file(error)
    }
    return "\(folder)/\(Self.name(of: number)).\(ending)"
  }

  /// The manifest of a finished shard; nil while it is not finished.
  ///
  /// The file is not read: the gathering does that.
  ///
  /// - Throws: `JobsError.shards` for a shard of another plan, `JobsError.file`.
  package func finished(
    _ number: Int, of plan: StoredShardPlan
  ) throws -> ShardManifest? {
    do {
      return try ShardManifest.sound(number, of: plan, in: path)
    } catch ShardFlaw.unusable(let reason) {
      throw JobsError.shards(.unusable([reason]))
    } catch ShardFlaw.unfinished {
      // The file is gone, or cut: `attempt` removes what is left, and it is made anew.
      return nil
    } catch let failure as FileFailure {
      throw JobsError.file(failure)
    }
  }

  /// The beginning of the names of a shard's attempts, which belong to one plan.
  private func prefix(_ number: Int, _ plan: StoredShardPlan) -> String {
    ".\(Self.name(of: number)).\(plan.digest.prefix(8))."
  }

  fileprivate static let lockSuffix = ".lock"

  /// Goes on with what an attempt that died has left, or begins one.
  ///
  /// - Throws: `JobsError.file`, `StoreError`.
  package func attempt(_ number: Int, of plan: StoredShardPlan) throws -> ShardAttempt {
    do {
      try FileContents.makeFolder(path)
      let prefix = prefix(number, plan)
      for name in try FileContents.names(in: path)
      where name.hasPrefix(prefix) && name.hasSuffix(Self.lockSuffix) {
        let draft = "\(path)/\(name.dropLast(Self.lockSuffix.count))"
        if let lock = try ShardLock.take(draft + Self.lockSuffix, waits: false) {
          return try ShardAttempt(draft, lock, of: plan, number)
        }
      }
      while true {
        let draft = "\(path)/\(prefix)\(String(UInt32.random(in: 0...(.max)), radix: 16))"
        if let lock = try ShardLock.take(draft + Self.lockSuffix, waits: false) {
          try adoptUnfinished(number, of: plan, as: draft)
          return try ShardAttempt(draft, lock, of: plan, number)
        }
      }
    } catch let failure as FileFailure {
      throw JobsError.file(failure)
    }
  }

  /// Takes over a file that got its name from an attempt that died before its manifest.
  ///
  /// One that a manifest contradicts was cut since, and is removed together with it.
  private func adoptUnfinished(
    _ number: Int, of plan: StoredShardPlan, as draft: String
  ) throws {
    let file = "\(path)/\(Self.name(of: number)).sqlite"
    guard access(file, F_OK) == 0 else { return }
    let lock = try finishingLock(number)
    defer { lock?.release(removing: finishingLockPath(number)) }
    guard try finished(number, of: plan) == nil, access(file, F_OK) == 0 else { return }
    guard try !removeContradicted(number) else { return }
    guard rename(file, draft) == 0 else { throw FileFailure("write", draft, code: errno) }
  }

  private func finishingLockPath(_ number: Int) -> String {
    "\(path)/.\(Self.name(of: number)).lock"
  }

  private func finishingLock(_ number: Int) throws(FileFailure) -> ShardLock? {
    try ShardLock.take(finishingLockPath(number), waits: true)
  }

  /// Gives a complete attempt the shard's name, and writes its manifest.
  ///
  /// Of two attempts at once the first one wins; the other's file is removed.
  ///
  /// - Returns: the manifest of the shard.
  /// - Throws: `JobsError.file`, or what `manifest` throws.
  func finish(
    _ attempt: ShardAttempt, _ number: Int, of plan: StoredShardPlan, _ manifest: ShardManifest
  ) throws -> ShardManifest {
    let place = "\(path)/\(Self.name(of: number))"
    do {
      let lock = try finishingLock(number)
      // Whoever waits for it, or makes a new one, finds the finished shard.
      defer { lock?.release(removing: finishingLockPath(number)) }
      if let other = try finished(number, of: plan) {
        discard(attempt)
        return other
      }
      try name(attempt, number)
      try AtomicFile.write(try manifest.json, to: "\(place).json")
      discard(attempt)
      try removeAbandoned(number, of: plan)
      return manifest
    } catch let failure as FileFailure {
      throw JobsError.file(failure)
    }
  }

  /// Gives a complete attempt the shard's name, beside which no manifest of an earlier file is left.
  func name(_ attempt: ShardAttempt, _ number: Int) throws(FileFailure) {
    let place = "\(path)/\(Self.name(of: number))"
    _ = try removeContradicted(number)
    let draft = try FileDescriptor.open(attempt.path, O_RDWR, to: "write")
    guard fsync(draft.number) == 0, rename(attempt.path, "\(place).sqlite") == 0 else {
      throw FileFailure("write", "\(place).sqlite", code: errno)
    }
    AtomicFile.syncFolder(of: place)
  }

  /// Removes a file that its manifest contradicts, and the manifest; false when there is none.
  private func removeContradicted(_ number: Int) throws(FileFailure) -> Bool {
    let place = "\(path)/\(Self.name(of: number))"
    guard access("\(place).json", F_OK) == 0 else { return false }
    // In this order: without its manifest the cut file would be taken over.
    try remove("\(place).sqlite")
    try remove("\(place).json")
    return true
  }

  /// Removes a file that may be gone already.
  private func remove(_ file: String) throws(FileFailure) {
    guard unlink(file) != 0, errno != ENOENT else { return }
    throw FileFailure("remove", file, code: errno)
  }

  /// Removes the files of other attempts that died.
  private func removeAbandoned(_ number: Int, of plan: StoredShardPlan) throws {
    for name in try FileContents.names(in: path)
    where name.hasPrefix(prefix(number, plan)) && name.hasSuffix(Self.lockSuffix) {
      let draft = "\(path)/\(name.dropLast(Self.lockSuffix.count))"
      guard let lock = try ShardLock.take(draft + Self.lockSuffix, waits: false) else { continue }
      for suffix in ShardAttempt.suffixes { unlink(draft + suffix) }
      lock.release()
    }
  }

  /// Removes what is left of an attempt.
  func discard(_ attempt: ShardAttempt) {
    for suffix in ShardAttempt.suffixes { unlink(attempt.path + suffix) }
    attempt.lock.release()
  }
}

/// One attempt to read a shard: a database of its own, which no other attempt touches meanwhile.
package struct ShardAttempt: Sendable {
  let path: String
  let lock: ShardLock
  package let store: Store

  /// The files of an attempt, by what their names end with.
  fileprivate static let suffixes = ["", "-wal", "-shm", "-journal", ShardFolder.lockSuffix]

  fileprivate init(
    _ path: String, _ lock: ShardLock, of plan: StoredShardPlan, _ number: Int
  ) throws {
    self.path = path
    self.lock = lock
    if let found = try Self.store(at: path, named: ShardRecorder.name(number, of: plan)) {
      store = found
      return
    }
    for suffix in Self.suffixes where suffix != ShardFolder.lockSuffix { unlink(path + suffix) }
    store = try Store.openShard(path: path)
  }

  /// Opens what an attempt has left, or makes it; nil for what is of no use.
  private static func store(at path: String, named shard: String) throws -> Store? {
    do {
      let found = try Store.openShard(path: path)
      if try ShardRecorder.stored(in: found).shard ?? shard == shard { return found }
      // A file of an earlier plan, whose manifest somebody removed.
      try found.close()
      return nil
    } catch let error as StoreError where error.isCorrupt {
      return nil
    } catch is DecodingError {
      return nil
    }
  }
}

/// A lock that the system keeps while the process lives: flock(2) on a file.
final class ShardLock: Sendable {
  private let file: FileDescriptor

  private init(_ file: FileDescriptor) {
    self.file = file
  }

  /// Takes the lock; nil when another process has it, unless it waits for that.
  static func take(_ path: String, waits: Bool) throws(FileFailure) -> ShardLock? {
    while true {
      let file = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
      guard try file.lock(waits ? LOCK_EX : LOCK_EX | LOCK_NB, at: path) else { return nil }
      // The one before may have removed it.
      if file.isNamed(path) { return ShardLock(file) }
    }
  }

  func release() { flock(file.number, LOCK_UN) }

  /// Removes the lock's file first: who waits for it takes another lock then.
  func release(removing path: String) {
    unlink(path)
    release()
  }
}
