import Foundation
package import Model
import Store

/// One backup of a folder, judged by its name, its size and its manifest.
package struct BackupEntry: Hashable, Sendable {
  /// How the file and its manifest agree.
  package enum Manifest: String, Codable, Sendable {
    /// The size is the manifest's.
    case matches
    /// The size is another one.
    case differs
    /// The file beside it is no manifest.
    case unreadable
    /// An earlier version made the backup.
    case none
  }

  package var name: String
  package var path: String
  package var createdAt: Instant
  package var bytes: Int64
  /// Nil where neither manifest nor file says it.
  package var schema: Int?
  /// Of the database inside; nil when the manifest cannot be read.
  package var databaseBytes: Int64?
  /// Nil where no manifest says it.
  package var reason: BackupManifest.Reason?
  package var manifest: Manifest

  /// Whether it can be trusted as far as sizes tell.
  package var isWhole: Bool { manifest == .matches || manifest == .none }
}

/// A folder of backups; see `docs/backup.md`.
package struct BackupFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The backups that were finished, newest first; none for a folder that is missing.
  package func entries() throws(JobsError) -> [BackupEntry] {
    var entries: [BackupEntry] = []
    do {
      for name in try FileContents.names(in: path) {
        guard let parsed = BackupName(fileName: name), let entry = try entry(name, parsed) else {
          continue
        }
        entries.append(entry)
      }
    } catch let error where error.systemCode == ENOENT {
      return []
    }
    return entries.sorted { ($0.createdAt, $0.name) > ($1.createdAt, $1.name) }
  }

  /// The backups that are newer than the newest whole one, and are not whole.
  package func brokenSinceLatest() throws(JobsError) -> [BackupEntry] {
    Array(try entries().prefix { !$0.isWhole })
  }

  /// The file that a command means by `latest`, which is the newest whole one, by a path, or by a
  /// name in this folder.
  ///
  /// One that is dated too far after `now` is the latest only where there is no other.
  ///
  /// - Throws: `JobsError.refused` when there is none, `JobsError.file`.
  package func file(named word: String, at now: Instant) throws(JobsError) -> String {
    guard word == "latest" else {
      for candidate in [word, "\(path)/\(word)"] where access(candidate, F_OK) == 0 {
        return candidate
      }
      throw .refused(
        .usage, "There is no backup \(word). `firetally backup list` lists those of the workspace.")
    }
    let whole = try entries().filter(\.isWhole)
    guard let latest = whole.first(where: { $0.createdAt.counts(at: now) }) ?? whole.first else {
      throw .refused(
        .usage,
        "There is no backup in \(path). Make one with `firetally backup`, or name another folder "
          + "with --from.")
    }
    return latest.path
  }

  /// Nil for a compressed file without a manifest, which was never finished, and for a file that
  /// another process has just removed.
  private func entry(_ name: String, _ parsed: BackupName) throws(JobsError) -> BackupEntry? {
    let file = "\(path)/\(name)"
    var status = stat()
    guard stat(file, &status) == 0 else {
      guard errno == ENOENT else { throw .cannot("read", file) }
      return nil
    }
    var entry = BackupEntry(
      name: name, path: file, createdAt: parsed.createdAt, bytes: Int64(status.st_size),
      manifest: .none)
    guard parsed.isCompressed else {
      let headerBytes = 100
      entry.schema = DatabaseInspection.schema(
        inHeader: try FileContents.bytes(of: file, limit: headerBytes))
      entry.databaseBytes = entry.bytes
      return entry
    }
    do {
      guard let manifest = try BackupManifest.read(beside: file) else { return nil }
      entry.schema = manifest.schema
      entry.databaseBytes = manifest.databaseBytes
      entry.reason = manifest.reason
      entry.manifest = manifest.bytes == entry.bytes ? .matches : .differs
    } catch let error as JobsError where error.systemCode != EISDIR {
      throw error
    } catch {
      entry.manifest = .unreadable
    }
    return entry
  }

  /// Removes the copies that a policy does not keep, and what backups that died have left.
  ///
  /// With a policy of nil, or one that keeps none, only copies from before migrations are removed.
  /// The proven backup stays whatever the policy says. Copies whose size is wrong, or that are
  /// dated too far after `now`, stay and count for nothing. While another process makes a backup in
  /// the folder nothing is removed.
  package func prune(
    keeping policy: RetentionPolicy?, and proven: String? = nil, timeZone: String, at now: Instant
  ) throws(JobsError) {
    guard let lock = try BackupFolderLock(path, isExclusive: true) else { return }
    defer { lock.release() }
    try removeUnfinished()
    try ErasureList.prune(self, at: now)
    let entries = try entries().filter { $0.isWhole && $0.createdAt.counts(at: now) }
    let migrations = entries.filter { BackupName(fileName: $0.name)?.schemaAhead != nil }
    var removed = migrations.dropFirst(RetentionRule.migrationCopies).map(\.name)
    if let policy, !policy.keepsNone {
      let others = entries.filter { BackupName(fileName: $0.name)?.schemaAhead == nil }
      let kept = RetentionRule.kept(others.map(\.createdAt), by: policy, timeZone: timeZone)
      removed += others.filter { kept[$0.createdAt] == nil }.map(\.name)
    }
    for name in removed.reversed() where name != proven { try remove(name) }
  }

  /// The manifest first: without it, a file that is still there counts as never finished.
  private func remove(_ name: String) throws(JobsError) {
    try FileContents.remove("\(path)/\(name)\(BackupManifest.suffix)")
    try FileContents.remove("\(path)/\(name)")
  }

  /// Drafts, backups without a manifest, and manifests without a backup.
  private func removeUnfinished() throws(JobsError) {
    let names = Set(try FileContents.names(in: path))
    for name in names.sorted() {
      let isOldDraft = name.hasPrefix("firetally-") && name.contains(".sqlite.part")
      let isLoneManifest =
        name.hasSuffix(BackupManifest.suffix)
        && BackupName(fileName: String(name.dropLast(BackupManifest.suffix.count))) != nil
        && !names.contains(String(name.dropLast(BackupManifest.suffix.count)))
      let isLoneBackup =
        BackupName(fileName: name)?.isCompressed == true
        && !names.contains(name + BackupManifest.suffix)
      if isOldDraft || isLoneManifest || isLoneBackup { try remove(name) }
    }
    try AtomicFile.removeAbandoned(in: path)
  }
}

/// Keeps the removal of old backups away from backups that are being made.
///
/// Whoever makes one shares the lock; whoever removes has it alone. It is flock(2) on the folder
/// itself, so nothing stays in it.
struct BackupFolderLock {
  private let folder: FileDescriptor

  /// Nil when it is wanted alone and others have it; a shared one waits for the removal.
  init?(_ path: String, isExclusive: Bool) throws(JobsError) {
    folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY, to: "lock")
    while flock(folder.number, isExclusive ? LOCK_EX | LOCK_NB : LOCK_SH) != 0 {
      if errno == EWOULDBLOCK { return nil }
      // Some network file systems have no locks.
      if errno == ENOLCK || errno == ENOTSUP || errno == EINVAL || errno == EBADF { return }
      guard errno == EINTR else { throw .cannot("lock", path) }
    }
  }

  /// Gives it back; so does the end of the process.
  func release() { flock(folder.number, LOCK_UN) }
}
