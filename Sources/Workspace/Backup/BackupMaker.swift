import Foundation
package import Model
package import Store

/// The points between the disk changes of a backup or a restore, for tests.
package enum BackupStep: String, CaseIterable, Sendable {
  // Steps of a backup.
  case copied, compressed, placed, finished
  // Steps of a restore.
  case unpacked, prepared, logEmptied, presentKept, logRemoved, replaced
}

/// A maker of backups: it copies the database, compresses the copy, and writes the manifest last.
///
/// An interrupted backup leaves no file that `BackupFolder.entries` would list.
package struct BackupMaker: Sendable {
  /// The folder, which is created if it is missing.
  let folder: BackupFolder
  let reason: BackupManifest.Reason
  /// The time in the backup's name.
  let now: Instant
  var files: [BackupFile] = []
  var cipher = BackupCipher.none
  /// Receives the progress of the compression, which takes longest, in thousands of bytes.
  var observer = WorkObserver.none
  /// Called after each step.
  var reached: @Sendable (BackupStep) -> Void = { _ in }

  /// Backs up a store while other processes use it, without the unfinished row of `run`.
  ///
  /// - Throws: `StoreError`, also for a damaged database, `WorkspaceError.file` or a cancellation.
  package func backUp(_ store: Store, withoutRun run: Int64? = nil) throws -> BackupManifest {
    let manifest = try make(of: store.path) {
      try store.backUp(to: $0, withoutRun: run, files: files)
    }
    guard let manifest else { preconditionFailure("only a migration gives a backup up") }
    return manifest
  }

  /// Backs up a database before its schema changes.
  ///
  /// - Returns: nil when another process has already migrated it.
  /// - Throws: as `backUp(_:)`.
  package func backUp(before migration: PendingMigration, of path: String) throws
    -> BackupManifest?
  {
    try make(of: path, before: migration) { try migration.backUp(to: $0) }
  }

  private func make(
    of database: String, before migration: PendingMigration? = nil,
    copying copy: (String) throws -> Void
  ) throws -> BackupManifest? {
    do {
      try FileContents.makeFolder(folder.path)
      let lock = try BackupFolderLock(folder.path, isExclusive: false)
      defer { lock?.release() }
      for place in [folder.path, drafts].unique { try AtomicFile.removeAbandoned(in: place) }
      let draft = AtomicFile.temporaryPath(for: "\(drafts)/firetally.sqlite")
      defer { unlink(draft) }
      try copy(draft)
      reached(.copied)
      let inspection = try inspect(draft, of: database)
      guard migration == nil || inspection.schema == migration?.schema else { return nil }
      return try compress(draft, inspection, before: migration)
    } catch StoreError.corrupt(_, let reason) {
      throw StoreError.corrupt(path: database, reason: reason)
    }
  }

  private var drafts: String { cipher.draftFolder(for: folder.path) }

  /// Inspects a copy: it has every page of the database, so its faults are those of the database.
  private func inspect(_ draft: String, of database: String) throws -> DatabaseInspection {
    let inspection = try DatabaseInspection(ofFile: draft)
    guard let problem = inspection.problems.first else { return inspection }
    throw StoreError.corrupt(path: database, reason: problem)
  }

  private func compress(
    _ draft: String, _ inspection: DatabaseInspection, before migration: PendingMigration?
  ) throws -> BackupManifest {
    var status = stat()
    guard stat(draft, &status) == 0 else { throw WorkspaceError.cannot("read", draft) }
    let compressed = AtomicFile.temporaryPath(for: "\(drafts)/firetally.sqlite.gz")
    defer { unlink(compressed) }
    let file = try FileDescriptor.open(compressed, O_WRONLY | O_CREAT | O_EXCL, to: "write")
    try compress(draft, bytes: Int(status.st_size), into: file, at: compressed)
    unlink(draft)
    var finished = compressed
    defer { unlink(finished) }
    if cipher.encryption != nil {
      finished = AtomicFile.temporaryPath(for: "\(folder.path)/firetally.sqlite.gz.enc")
      try cipher.encrypt(compressed, to: finished, named: "The backup for \(folder.path)")
      unlink(compressed)
    }
    let digest = try FileDigest(ofFile: finished)
    reached(.compressed)
    let name = try place(finished, schemaAhead: migration?.target)
    reached(.placed)
    let manifest = BackupManifest(
      file: name.fileName, createdAt: name.createdAt, reason: reason,
      firetally: ProgramVersion.current, schema: inspection.schema, project: inspection.project,
      bytes: digest.bytes, sha256: digest.sha256, databaseBytes: Int64(status.st_size),
      counts: inspection.counts)
    let path = "\(folder.path)/\(name.fileName)"
    do {
      try AtomicFile.write(try StoredJSON.file(of: manifest), to: path + BackupManifest.suffix)
    } catch {
      unlink(path)
      throw error
    }
    reached(.finished)
    return manifest
  }

  private func compress(
    _ draft: String, bytes: Int, into file: FileDescriptor, at path: String
  ) throws {
    let unit = 1_000
    observer.begin("backup", "kB", total: bytes / unit)
    defer { observer.end() }
    var read = 0
    try Gzip.compress(draft, into: file.number, at: path) { count in
      observer.advance(by: (read + count) / unit - read / unit)
      read += count
    }
    try file.sync(path)
  }

  /// Gives the file the first free name for the time's second, and returns that name.
  private func place(_ draft: String, schemaAhead: Int?) throws(WorkspaceError) -> BackupName {
    var instant = Instant(unixSeconds: now.unixSeconds)
    while true {
      let name = BackupName(
        instant, schemaAhead: schemaAhead, isEncrypted: cipher.encryption != nil)
      let path = "\(folder.path)/\(name.fileName)"
      if try isPlaced(draft, at: path) {
        AtomicFile.syncFolder(of: path)
        return name
      }
      instant = instant + .microseconds(1)
    }
  }

  /// Returns false when the name is taken.
  private func isPlaced(_ draft: String, at path: String) throws(WorkspaceError) -> Bool {
    if link(draft, path) == 0 { return true }
    if errno == EEXIST { return false }
    // Some file systems have no links.
    guard errno == EPERM || errno == ENOTSUP else { throw .cannot("write", path) }
    guard access(path, F_OK) != 0 else { return false }
    guard rename(draft, path) == 0 else { throw .cannot("write", path) }
    return true
  }
}

extension BackupMaker {
  /// Creates a maker for a workspace's database, with its configuration and the files of its jobs.
  package init(
    in folder: BackupFolder, for reason: BackupManifest.Reason, at now: Instant,
    of workspace: Workspace, _ config: WorkspaceConfig, jobFiles: [String],
    observer: WorkObserver
  ) throws(WorkspaceError) {
    self.init(
      folder: folder, reason: reason, now: now,
      files: try WorkspaceFiles.read(in: workspace, config, ofJobs: jobFiles),
      cipher: BackupCipher(config, in: workspace), observer: observer)
  }
}
