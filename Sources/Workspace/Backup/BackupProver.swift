import Glibc
package import Model
package import Store

/// Restores a backup into a file that is thrown away, to know that it can be restored; see
/// `docs/backup.md#proof`.
package struct BackupProver {
  let workspace: Workspace
  let cipher: BackupCipher
  let now: Instant

  package init(workspace: Workspace, cipher: BackupCipher, now: Instant) {
    self.workspace = workspace
    self.cipher = cipher
    self.now = now
  }

  /// Reads all of a backup, restores it beside the database, and holds it against its manifest and
  /// against the database.
  ///
  /// The `filled` tables had rows before the backup was made and have some now.
  ///
  /// - Throws: `JobsError.file`, `StoreError` or a cancellation, when nothing can be said.
  package func prove(_ backup: String, against filled: Set<String>) throws -> BackupProof {
    try AtomicFile.removeAbandoned(in: workspace.dataFolder)
    let draft = AtomicFile.temporaryPath(for: workspace.databasePath)
    defer { RestoredDatabase.remove(draft) }
    let check = try BackupCheck(backup, expandingTo: draft, cipher: cipher)
    var problems = check.problems
    var files: [BackupFile] = []
    if problems.isEmpty, let inspection = check.inspection {
      problems += filled.sorted().filter { inspection.counts[$0] ?? 0 == 0 }.map {
        "its table \($0) is empty, and the database's is not"
      }
      do {
        files = try RestoredDatabase.prepare(draft, at: now).files
        if !files.contains(where: { $0.path == WorkspaceConfig.fileName }) {
          problems.append("it lacks \(WorkspaceConfig.fileName)")
        }
        problems += WorkspaceFiles.problems(of: files)
      } catch let error as StoreError {
        problems.append(try Self.problem(of: error))
      }
    }
    return BackupProof(
      at: now, file: String(backup.split(separator: "/").last ?? ""),
      rows: check.inspection?.counts.values.reduce(0, +), files: files.count,
      problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
  }

  /// What an error says of the backup that was being opened.
  ///
  /// - Throws: the error, where it is the machine's and says nothing of the backup.
  static func problem(of error: StoreError) throws -> String {
    switch error {
    case .busy, .cannotOpen, .diskFailed, .diskFull, .readOnly, .tooManyFiles: throw error
    default: return "it cannot be opened: \(error)"
    }
  }
}

extension BackupProof {
  private static let name = "backup proof"

  /// The last one that the workspace has.
  ///
  /// - Throws: `StoreError`, or `DecodingError` for one that another version has stored.
  package static func last(_ reader: some Readable) throws -> BackupProof? {
    try reader.metadata(BackupProof.self, named: name)
  }

  package func store(in writer: Writer) throws {
    try writer.setMetadata(encoding: self, named: Self.name)
  }
}

extension BackupStatus {
  /// The whole backups that are not dated in the future, newest first.
  ///
  /// - Throws: `JobsError.file`.
  package static func entries(of workspace: Workspace, at now: Instant) throws -> [BackupEntry] {
    try BackupFolder(workspace.backupsFolder).entries().filter {
      $0.isWhole && $0.createdAt.counts(at: now)
    }
  }

  /// Expects `entries(of:at:)`; a proof that is dated in the future does not count.
  ///
  /// They are read before a snapshot begins: a command that reads needs no more files open at once
  /// than its database has.
  package init(_ entries: [BackupEntry], proof: BackupProof?, at now: Instant) {
    self.init(
      newestAt: entries.first?.createdAt, newestBytes: entries.first?.bytes,
      oldestAt: entries.last?.createdAt,
      proof: proof.flatMap { $0.at.counts(at: now) ? $0 : nil })
  }
}
