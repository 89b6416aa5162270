import Foundation
package import Model
import Store

/// A backup in a folder, judged by its name, its size and its manifest.
package struct BackupEntry: Hashable, Sendable {
  /// The agreement of a file with its manifest.
  package enum Manifest: String, Codable, Sendable {
    /// The file has the manifest's size.
    case matches
    /// The file has another size.
    case differs
    /// The file beside it is not a manifest.
    case unreadable
    /// There is no manifest, because an earlier version made the backup.
    case none
  }

  package var name: String
  package var path: String
  package var createdAt: Instant
  package var bytes: Int64
  /// Nil when it is in neither the manifest nor the header of an uncompressed database.
  package var schema: Int?
  /// The size of the database inside; nil when the manifest cannot be read.
  package var databaseBytes: Int64?
  /// Nil without a readable manifest.
  package var reason: BackupManifest.Reason?
  package var manifest: Manifest

  /// Whether the backup is usable, as far as sizes show.
  package var isWhole: Bool { manifest == .matches || manifest == .none }
}

/// A folder of backups; see `docs/backup.md`.
package struct BackupFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Returns the finished backups, newest first; none if the folder is missing.
  package func entries() throws(WorkspaceError) -> [BackupEntry] {
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

  /// Returns the faulty backups that are newer than the newest usable one.
  package func brokenSinceLatest() throws(WorkspaceError) -> [BackupEntry] {
    Array(try entries().prefix { !$0.isWhole })
  }

  /// Returns the file that a command names by `latest`, the newest usable one, by a path, or by a
  /// name in this folder.
  ///
  /// A backup dated too far after `now` is the latest only if there is no other.
  ///
  /// - Throws: `WorkspaceError.refused` when there is none, `WorkspaceError.file`.
  package func file(named word: String, at now: Instant) throws(WorkspaceError) -> String {
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

  /// Returns nil for a compressed file without a manifest, which was never finished, and for a file
  /// that another process has just removed.
  private func entry(_ name: String, _ parsed: BackupName) throws(WorkspaceError) -> BackupEntry? {
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
    } catch let error as WorkspaceError where error.systemCode != EISDIR {
      throw error
    } catch {
      entry.manifest = .unreadable
    }
    return entry
  }

  /// Removes the copies that a policy does not keep, and the drafts of dead processes.
  ///
  /// For a nil policy, or one that keeps none, only copies from before migrations are removed. The
  /// proven backup always stays. Copies with a wrong size, or dated too far after `now`, stay and
  /// do not count. While another process makes a backup in the folder, nothing is removed.
  package func prune(
    keeping policy: RetentionPolicy?, and proven: String? = nil, timeZone: String, at now: Instant
  ) throws(WorkspaceError) {
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

  /// Removes a backup, its manifest first: a file without one counts as never finished.
  private func remove(_ name: String) throws(WorkspaceError) {
    try FileContents.remove("\(path)/\(name)\(BackupManifest.suffix)")
    try FileContents.remove("\(path)/\(name)")
  }

  /// Removes drafts, backups without a manifest, and manifests without a backup.
  private func removeUnfinished() throws(WorkspaceError) {
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

/// A lock that separates the removal of old backups from the making of new ones.
///
/// Processes that make a backup share the lock; removal takes it exclusively. It is flock(2) on the
/// folder itself, so no lock file is left.
struct BackupFolderLock {
  private let folder: FileDescriptor

  /// Nil when an exclusive lock is not available; a shared one waits for the removal to end.
  init?(_ path: String, isExclusive: Bool) throws(WorkspaceError) {
    folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY, to: "lock")
    while flock(folder.number, isExclusive ? LOCK_EX | LOCK_NB : LOCK_SH) != 0 {
      if errno == EWOULDBLOCK { return nil }
      // Some network file systems have no locks.
      if errno == ENOLCK || errno == ENOTSUP || errno == EINVAL || errno == EBADF { return }
      guard errno == EINTR else { throw .cannot("lock", path) }
    }
  }

  /// Releases the lock; the end of the process does, too.
  func release() { flock(folder.number, LOCK_UN) }
}
