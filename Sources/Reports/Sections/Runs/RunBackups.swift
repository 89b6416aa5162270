import Model

/// The section with the age of the newest backup and of the last proof: docs/backup.md#proof.
enum RunBackups {
  /// Nil where nothing is told of backups.
  static func section(_ backup: BackupStanding?, _ time: TimeWords) -> Section? {
    backup.map { backup in
      Section(
        id: "backups", title: "Backups", lead: sentence(backup, time),
        blocks: [
          .figures([
            Figure(
              id: "backup-age", label: "Age of the newest backup",
              value: age(backup.newestAt, time)),
            Figure(
              id: "proof-age", label: "Since the last proof",
              value: backup.proof?.problem == nil
                ? age(backup.proof?.at, time) : .text("not restorable"),
              note: backup.proof?.isWhole == false
                ? "size and SHA-256 alone" : "restored into a file that is thrown away"),
          ])
        ])
    }
  }

  /// When the newest backup was made, and when one was last proven.
  static func sentence(_ backup: BackupStanding, _ time: TimeWords) -> String {
    guard let newest = backup.newestAt else { return "There is no backup yet." }
    return "Backup \(time.distance(to: newest)), \(backup.proofWords(time.distance(to:)))."
  }

  private static func age(_ instant: Instant?, _ time: TimeWords) -> Cell {
    instant.map { .seconds(max(0, (time.now - $0).fractionalSeconds)) } ?? .missing
  }
}
