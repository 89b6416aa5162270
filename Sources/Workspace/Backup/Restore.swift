import Foundation
package import Model
import Store

/// A restore of a backup in place of a workspace's database; see `docs/backup.md#restore`.
package struct Restore: Sendable {
  /// The result of a restore.
  package struct Outcome: Sendable {
    package let check: BackupCheck
    /// The name under which the previous database is kept; nil when there was none.
    package let kept: String?
    /// Whether the erased people were known, from the replaced database or a list beside the
    /// backup, so that they stay erased.
    package let knowsErasures: Bool
    /// The number of people in the backup who were erased after it was made, and are erased again.
    package let erasedAgain: Int
    /// The number of outbox items that must be checked with the server before they are sent again.
    package let pendingItems: Int
    /// The missing files of the workspace that were restored, by their paths in it.
    package let writtenFiles: [String]
  }

  private let target: Workspace
  private let now: Instant
  private let cipher: BackupCipher
  private let sleep: @Sendable (Duration) async throws -> Void
  private let reached: @Sendable (BackupStep) -> Void

  /// The pauses while other processes have the database open.
  static let patience = (pause: Duration.milliseconds(100), count: 100)

  /// `now` is in the name of the previous database; `reached` is called after each step.
  package init(
    into target: Workspace, at now: Instant, cipher: BackupCipher = .none,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    reached: @escaping @Sendable (BackupStep) -> Void = { _ in }
  ) {
    self.target = target
    self.now = now
    self.cipher = cipher
    self.sleep = sleep
    self.reached = reached
  }

  /// Verifies the backup, and replaces the database if the whole backup is sound.
  ///
  /// - Precondition: the caller holds the target's lock.
  /// - Throws: `WorkspaceError`, `StoreError`, or a cancellation; then the database is unchanged.
  package func perform(_ backup: String, project: String? = nil) async throws -> Outcome {
    try AtomicFile.removeAbandoned(in: target.dataFolder)
    let draft = AtomicFile.temporaryPath(for: target.databasePath)
    defer { RestoredDatabase.remove(draft) }
    let check = try BackupCheck(backup, expandingTo: draft, cipher: cipher)
    try accept(check, project: project)
    reached(.unpacked)
    let present = try presentErasures()
    let listed = try ErasureList.all(
      in: backup.lastIndex(of: "/").map { String(backup[..<$0]) } ?? ".", cipher,
      draft: AtomicFile.temporaryPath(for: draft))
    let erasures = [present.erasures].compactMap(\.self) + listed
    let changes = try RestoredDatabase.prepare(draft, at: now, with: erasures) { writer in
      try erasures.reduce(0) { try $0 + $1.repeatErasure(at: now, in: writer) }
    }
    try FileContents.sync(draft)
    reached(.prepared)
    let written = try WorkspaceFiles.write(changes.files, of: backup, to: target)
    let kept = try await replace(with: draft)
    return Outcome(
      check: check, kept: kept, knowsErasures: present.areKnown || !listed.isEmpty,
      erasedAgain: changes.erasedAgain, pendingItems: changes.markedItems, writtenFiles: written)
  }

  /// Returns the tombstones of the present database, and whether they could be read.
  private func presentErasures() throws -> (erasures: Erasures?, areKnown: Bool) {
    do {
      return (try Store.erasures(ofFile: target.databasePath), true)
    } catch let error as StoreError where !error.isTransient {
      // The database is missing or damaged, which is the reason for the restore.
      return (nil, false)
    }
  }

  private func accept(_ check: BackupCheck, project: String?) throws(WorkspaceError) {
    if let refusal = check.refusal { throw refusal }
    guard let inspection = check.inspection else { throw .encryptedBackup(check.path) }
    let schema = "The backup \(check.path) has schema \(inspection.schema)"
    guard inspection.schema <= Store.schemaVersion else {
      throw .refused(
        .configuration,
        "\(schema), and this firetally knows schemas up to \(Store.schemaVersion). Nothing was "
          + "changed. Install \(ProgramVersion.words(for: check.manifest?.firetally)). Then restore "
          + "again.")
    }
    guard Store.canOpen(schema: inspection.schema) else {
      throw .refused(
        .configuration,
        "\(schema), of an early development build, which cannot be brought up to "
          + "date. Nothing was changed. Restore it with the firetally that made it, or take "
          + "another one from `firetally backup list`.")
    }
    if let stored = inspection.project, let project, stored != project {
      throw .refused(
        .configuration,
        "The backup \(check.path) holds data of the project '\(stored)', and this workspace "
          + "belongs to '\(project)'. Nothing was changed. Restore it into another workspace with "
          + "--into.")
    }
  }

  /// Replaces the database; returns the new name of the previous one.
  private func replace(with draft: String) async throws -> String? {
    let present = target.databasePath
    guard access(present, F_OK) == 0 else {
      try place(draft)
      return nil
    }
    // SQLite would remove the log of a file that is not a database.
    let header = try FileContents.bytes(of: present, limit: 100)
    guard DatabaseInspection.isDatabase(header: header) else {
      return try replaceDamaged(present, with: draft)
    }
    var pauses = 0
    while true {
      do {
        return try replaceSealed(present, with: draft)
      } catch let error as StoreError where error.isCorrupt {
        return try replaceDamaged(present, with: draft)
      } catch let error as StoreError where error.isTransient {
        guard pauses < Self.patience.count else {
          throw WorkspaceError.refused(
            .tryLater,
            "Another process has the database \(present) open, so it was not replaced. Wait until "
              + "it ends, then restore again.")
        }
        pauses += 1
        try await sleep(Self.patience.pause)
      }
    }
  }

  /// Replaces a readable database: at any time the name belongs to a whole database without a log.
  private func replaceSealed(_ present: String, with draft: String) throws -> String {
    var kept = ""
    try RestoredDatabase.withSealed(present) {
      reached(.logEmptied)
      kept = try keep(present)
      reached(.presentKept)
      try place(draft)
    }
    return kept
  }

  /// Replaces a database that SQLite cannot open, and keeps its log beside it.
  ///
  /// A crash before the new one is in place leaves the damaged database without its log; both are
  /// kept under the other name.
  private func replaceDamaged(_ present: String, with draft: String) throws -> String {
    let kept = try keep(present)
    for suffix in RestoredDatabase.logSuffixes where access(present + suffix, F_OK) == 0 {
      try copyName(of: present + suffix, to: kept + suffix)
    }
    AtomicFile.syncFolder(of: present)
    reached(.presentKept)
    try place(draft)
    return kept
  }

  private func place(_ draft: String) throws(WorkspaceError) {
    try removeLog()
    reached(.logRemoved)
    guard rename(draft, target.databasePath) == 0 else {
      throw .cannot("write", target.databasePath)
    }
    AtomicFile.syncFolder(of: target.databasePath)
    reached(.replaced)
  }

  /// Removes the log: SQLite would apply it to a database that it does not belong to.
  private func removeLog() throws(WorkspaceError) {
    for suffix in RestoredDatabase.logSuffixes {
      try FileContents.remove(target.databasePath + suffix)
    }
    AtomicFile.syncFolder(of: target.databasePath)
  }

  /// Gives the present database a second name, and returns that name.
  private func keep(_ present: String) throws(WorkspaceError) -> String {
    let stamp = now.iso8601.replacing(":", with: "")
    var kept = "\(present).before-restore-\(stamp)"
    var number = 2
    while access(kept, F_OK) == 0 {
      // A restore that died here has left a second name of the present one.
      if Self.isSameFile(kept, present) { return kept }
      kept = "\(present).before-restore-\(stamp)-\(number)"
      number += 1
    }
    try copyName(of: present, to: kept)
    AtomicFile.syncFolder(of: present)
    return kept
  }

  private func copyName(of file: String, to other: String) throws(WorkspaceError) {
    if link(file, other) == 0 { return }
    guard errno == EPERM || errno == ENOTSUP || errno == EMLINK else {
      throw .cannot("write", other)
    }
    // Some file systems have no links.
    do {
      try FileManager.default.copyItem(atPath: file, toPath: other)
      try FileContents.sync(other)
    } catch let error as WorkspaceError {
      throw error
    } catch {
      throw .cannot("write", other, code: EIO)
    }
  }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_ino == second.st_ino && first.st_dev == second.st_dev
  }
}
