import Glibc
package import Model
package import Store

/// A test restore of a backup into a temporary file; see `docs/backup.md#proof`.
package struct BackupProver {
  let workspace: Workspace
  let cipher: BackupCipher
  let now: Instant

  package init(workspace: Workspace, cipher: BackupCipher, now: Instant) {
    self.workspace = workspace
    self.cipher = cipher
    self.now = now
  }

  /// Reads a whole backup, restores it beside the database, and compares it with its manifest and
  /// the database.
  ///
  /// The `filled` tables had rows before the backup was made and have some now.
  ///
  /// - Throws: `WorkspaceError.file`, `StoreError` or a cancellation, when there is no result.
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

  /// Returns the fault of a backup that an error shows.
  ///
  /// - Throws: the error, if it comes from the machine and shows nothing about the backup.
  static func problem(of error: StoreError) throws -> String {
    switch error {
    case .busy, .cannotOpen, .diskFailed, .diskFull, .readOnly, .tooManyFiles: throw error
    default: return "it cannot be opened: \(error)"
    }
  }
}

extension BackupProof {
  private static let name: MarkName = "backup proof"

  /// Returns the last proof of the workspace.
  ///
  /// - Throws: `StoreError`, or `DecodingError` for a proof that another version has stored.
  package static func last(_ reader: some Readable) throws -> BackupProof? {
    try reader.mark(BackupProof.self, named: name)
  }

  package func store(in writer: Writer) throws {
    try writer.setMark(encoding: self, named: Self.name)
  }
}

extension BackupStatus {
  /// Returns the usable backups that are not dated in the future, newest first.
  ///
  /// - Throws: `WorkspaceError.file`.
  package static func entries(of workspace: Workspace, at now: Instant) throws -> [BackupEntry] {
    try BackupFolder(workspace.backupsFolder).entries().filter {
      $0.isWhole && $0.createdAt.counts(at: now)
    }
  }

  /// Takes the result of `entries(of:at:)`; a proof that is dated in the future does not count.
  ///
  /// The entries are read before a snapshot begins, so that a reading command never needs more open
  /// files than its database does.
  package init(_ entries: [BackupEntry], proof: BackupProof?, at now: Instant) {
    self.init(
      newestAt: entries.first?.createdAt, newestBytes: entries.first?.bytes,
      oldestAt: entries.last?.createdAt,
      proof: proof.flatMap { $0.at.counts(at: now) ? $0 : nil })
  }
}
