import Model
import Store

/// Whether there is a backup, and whether one was restored to prove it; see
/// `docs/doctor.md#backups`.
struct BackupsCheck: DoctorCheck {
  static let name = "backups"

  /// A younger workspace needs none yet.
  static let firstDays = Duration.seconds(2 * 86_400)
  /// An older newest backup is a warning: a week, and a day for the job that makes them.
  static let longestAge = Duration.seconds(8 * 86_400)

  func findings(in context: DoctorContext) throws -> [DoctorFinding] {
    guard let store = try context.readableStore() else { return ok("Nothing is stored yet.") }
    let now = context.clock.now
    let backups = try BackupState.entries(of: context.folder, at: now)
    let (state, first) = try store.read { reader in
      (BackupState(backups, proof: try BackupProof.last(reader)), try reader.firstRunStartedAt())
    }
    guard let newest = state.newest else {
      guard let first, now - first > Self.firstDays else { return ok("There is no backup yet.") }
      return warn(
        "There is no backup in \(context.folder.backupsFolder).",
        "Schedule a job of kind maintain, or run `firetally backup`.")
    }
    let made = "The newest backup was made \(try context.words(newest.createdAt))"
    if let proof = state.proof, let problem = proof.problem {
      return fail(
        "The backup \(proof.file) cannot be restored: \(problem).",
        "`firetally run \(job(in: context))` makes and proves another one.")
    }
    guard now - newest.createdAt <= Self.longestAge else {
      return warn(
        "\(made).", "See `firetally runs \(job(in: context))`, and whether cron has a line for it.")
    }
    return try proven(state, made, context)
  }

  private func proven(
    _ state: BackupState, _ made: String, _ context: DoctorContext
  ) throws -> [DoctorFinding] {
    let now = context.clock.now
    let advice = "A job of kind maintain proves one a week: `firetally run \(job(in: context))`."
    guard let proof = state.proof, proof.at.counts(at: now) else {
      let isNew = state.oldest.map { now - $0.createdAt <= BackupProofRule.longestAge } ?? true
      let sentence = "\(made); none was restored to prove it yet."
      return isNew ? ok(sentence) : warn(sentence, advice)
    }
    let what = proof.isWhole ? "restored to prove it" : "held against its size and SHA-256"
    let sentence = "\(made); one was last \(what) \(try context.words(proof.at))."
    return BackupProofRule.isOld(proof, at: now) ? warn(sentence, advice) : ok(sentence)
  }

  /// The first job that makes backups; without one, that of `firetally init`.
  private func job(in context: DoctorContext) -> String {
    let kind = MaintainOptions.kind
    guard case .success(let catalog) = context.catalog else { return kind.rawValue }
    return catalog.jobs.first { $0.kind == kind }?.name ?? kind.rawValue
  }
}
