/// How the backups of a workspace stand, for the reports; docs/backup.md#proof.
package struct BackupStanding: Hashable, Sendable {
  /// When the newest whole backup was made; nil without one.
  package var newestAt: Instant?
  /// The last proof; nil before the first.
  package var proof: BackupProof?

  package init(newestAt: Instant?, proof: BackupProof? = nil) {
    self.newestAt = newestAt
    self.proof = proof
  }
}
