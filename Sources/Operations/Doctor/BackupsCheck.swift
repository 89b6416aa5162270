import Jobs
import Model
import Store
import Workspace

/// Checks whether there is a backup, and whether a backup was proven by a restore; see
/// `docs/doctor.md#backups`.
struct BackupsCheck: DoctorCheck {
  static let name = "backups"

  /// The age up to which a workspace needs no backup.
  static let firstDays = Duration.seconds(2 * 86_400)
  /// The age of the newest backup above which there is a warning: a week, and a day for the job
  /// that makes backups.
  static let longestAge = Duration.seconds(8 * 86_400)

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    guard let store = try context.readableStore() else { return ok("Nothing is stored yet.") }
    let now = context.clock.now
    let backups = try BackupStatus.entries(of: context.workspace.folder, at: now)
    let (status, first) = try store.read { reader in
      (
        BackupStatus(backups, proof: try BackupProof.last(reader), at: now),
        try reader.firstRunStartedAt()
      )
    }
    guard let newestAt = status.newestAt else {
      guard let first, now - first > Self.firstDays else { return ok("There is no backup yet.") }
      return warn(
        "There is no backup in \(context.workspace.folder.backupsFolder).",
        "Schedule a job of kind maintain, or run `firetally backup`.")
    }
    let made = "The newest backup was made \(try context.words(newestAt))"
    if let proof = status.proof, let problem = proof.problem {
      return fail(
        "The backup \(proof.file) cannot be restored: \(problem).",
        "`firetally run \(job(in: context))` makes and tests another one.")
    }
    guard now - newestAt <= Self.longestAge else {
      return warn(
        "\(made).", "See `firetally runs \(job(in: context))`, and whether cron has a line for it.")
    }
    let sentence = "\(made); \(try status.proofWords(context.words))."
    let provenAt = status.proof?.at ?? status.oldestAt
    guard let provenAt, BackupProofRule.isOld(provenAt, at: now) else { return ok(sentence) }
    return warn(
      sentence, "A job of kind maintain tests one a week: `firetally run \(job(in: context))`.")
  }

  /// Returns the first job that makes backups; without one, that of `firetally init`.
  private func job(in context: DoctorContext) -> String {
    let kind = MaintainOptions.kind
    guard case .success(let catalog) = context.workspace.catalog else { return kind.rawValue }
    return catalog.jobs.first { $0.kind == kind }?.name ?? kind.rawValue
  }
}
