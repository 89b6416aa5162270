import Foundation
import Model
import Reports
import Store
import Workspace

/// The work of the kind `maintain`: cleans, checks and backs up the database; see
/// `docs/jobs/maintain.md`.
struct MaintainWork: JobWork {
  let job: String
  let options: MaintainOptions
  let context: JobContext

  func plan() throws -> String {
    "Would remove corrupted users, check the database and keep the backups of \(kept)."
      + (options.retention.intention.map { " Would \($0)." } ?? "")
  }

  /// `7 days, 4 weeks and 6 months`.
  private var kept: String {
    let counts = [
      (options.keep.daily, "day"), (options.keep.weekly, "week"), (options.keep.monthly, "month"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { NumberWords.counted($0.0, $0.1) }
    return words.isEmpty ? "0 days" : words.listed
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let removed = try context.store.write { try $0.removeCorruptedUsers() }
    let (aged, pause) = try removeAged()
    let filled = try context.store.read { try $0.filledTables() }
    let backup = try checkAndBackUp(withoutRun: budget.runId)
    let proof = try proveAndPrune(backup, filled)
    try context.store.optimize()
    var result = JobResult(
      .ok,
      "\(removed) corrupted users removed\(aged.clause), database sound"
        + (backup.map { ", backup \($0.file) (\($0.bytes) bytes)." } ?? ".")
        + (proof.map { " \($0.sentence)" } ?? ""),
      counts: RunCounts(deleted: removed + aged.total))
    if let pause { result.warnings.append(.alert(pause, about: "Nothing was removed by age.")) }
    for entry in try folder.entries() where !entry.isWhole {
      result.warnings.append(
        .alert(
          "The backup \(entry.path) does not have the size that its manifest says. It does not "
            + "count as a kept backup. Check it with `firetally verify`, then remove it."))
    }
    return result
  }

  /// Removes what is too old, unless the clock may be wrong; then returns a warning.
  private func removeAged() throws -> (AgedRows, warning: String?) {
    guard options.retention != RetentionOptions() else { return (AgedRows(), nil) }
    let last = try context.store.read { try RetentionPause($0) }
    let state = last.next(at: context.now)
    try context.store.write { try state.store(in: $0) }
    if let warning = state.warning(after: last) { return (AgedRows(), warning) }
    return (try options.retention.removeAged(from: context.store, at: context.now), nil)
  }

  /// Makes a backup, which checks every page of its copy; without backups, checks the database
  /// itself.
  private func checkAndBackUp(withoutRun runId: Int64) throws -> BackupManifest? {
    guard !options.keep.keepsNone else {
      try context.store.checkIntegrity()
      return nil
    }
    return try BackupMaker(
      in: folder, for: .maintain, at: context.now, of: context.workspace, context.config,
      jobFiles: context.catalog.files, observer: context.observer
    ).backUp(context.store, withoutRun: runId)
  }

  /// Proves the backup if that is due, then removes old ones.
  ///
  /// The proof comes first: if the new backup cannot be restored, the old ones are all that is
  /// left. If the disk is too full for the proof, old backups are removed anyway, except the last
  /// proven one.
  private func proveAndPrune(
    _ backup: BackupManifest?, _ filled: Set<String>
  ) throws -> BackupProof? {
    guard let backup else { return nil }
    func prune(keeping proven: String? = nil) throws {
      try folder.prune(
        keeping: options.keep, and: proven, timeZone: context.config.timeZone, at: context.now)
    }
    do {
      let proof = try prove(backup, filled)
      try prune()
      return proof
    } catch let error where UnrecordedRuns.areCaused(by: error) {
      if let last = try context.store.read({ try BackupProof.last($0) }), last.problem == nil {
        try prune(keeping: last.file)
      }
      throw error
    }
  }

  /// Proves the backup once a week, and when encryption of backups was turned on or off; nil when
  /// not due.
  ///
  /// - Throws: `WorkspaceError.refused` when the backup cannot be restored; that result is stored.
  private func prove(_ backup: BackupManifest, _ filled: Set<String>) throws -> BackupProof? {
    let last = try context.store.read { try BackupProof.last($0) }
    let isEncrypted = BackupCipher.isEncrypted(backup.file)
    let isOfOtherForm = last.map { BackupCipher.isEncrypted($0.file) != isEncrypted } ?? false
    guard
      BackupProofRule.isDue(after: last, isOfOtherForm: isOfOtherForm, at: context.now)
    else { return nil }
    let path = "\(folder.path)/\(backup.file)"
    // This run's own row is not in the backup.
    let still = try context.store.read { try $0.filledTables() }
      .intersection(filled).subtracting(["sync_runs"])
    let proof = try BackupProver(
      workspace: context.workspace, cipher: cipher, now: context.now
    ).prove(path, against: still)
    try context.store.write { try proof.store(in: $0) }
    guard let problem = proof.problem else { return proof }
    throw WorkspaceError.refused(
      .badData,
      "The backup \(path) was made and cannot be restored: \(problem). Look at it with `firetally "
        + "verify \(path)`; `firetally run \(job)` makes and tests another one.")
  }

  private var cipher: BackupCipher { BackupCipher(context.config, in: context.workspace) }

  private var folder: BackupFolder { BackupFolder(context.workspace.backupsFolder) }
}

extension BackupProof {
  /// The run's sentence about a successful proof.
  fileprivate var sentence: String {
    guard let rows else {
      return "Its size and SHA-256 are right; without `backup.decrypt` no restore was tested."
    }
    return "Its restore was tested: \(rows) rows and \(files) files."
  }
}
