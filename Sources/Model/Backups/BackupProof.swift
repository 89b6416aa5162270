/// What the last try to restore a backup, into a file that was thrown away, came to;
/// docs/backup.md#proof.
package struct BackupProof: Codable, Hashable, Sendable {
  package var at: Instant
  package var file: String
  /// Rows of all tables; nil where they could not be read.
  package var rows: Int?
  /// Files of the workspace in it.
  package var files: Int
  /// Why the backup cannot be restored, as the end of a sentence; nil for a sound one.
  package var problem: String?

  package init(
    at: Instant, file: String, rows: Int?, files: Int, problem: String? = nil
  ) {
    self.at = at
    self.file = file
    self.rows = rows
    self.files = files
    self.problem = problem
  }

  /// Whether all of it was read: an encrypted backup that cannot be decrypted here is only held
  /// against its size and SHA-256.
  package var isWhole: Bool { rows != nil }
}

/// When a backup is proven, and how long a proof counts; docs/backup.md#proof.
package enum BackupProofRule {
  /// A week, less half a day: jobs do not begin at the second.
  package static let interval = Duration.seconds(7 * 86_400 - 43_200)
  /// Two weeks and a day, inclusive.
  package static let longestAge = Duration.seconds(15 * 86_400)

  /// Whether a backup that was made just now is proven: `interval` after the last proof, and after
  /// one that failed, that is dated too far in the future, or that was of another form.
  ///
  /// It is of another form when only one of its backup and this one is encrypted.
  package static func isDue(
    after proof: BackupProof?, isOfOtherForm: Bool, at now: Instant
  ) -> Bool {
    guard let proof, proof.problem == nil, proof.at.counts(at: now), !isOfOtherForm else {
      return true
    }
    return now - proof.at >= interval
  }

  /// Whether the last proof, or without one the oldest backup, is too long ago to rely on.
  package static func isOld(_ provenAt: Instant, at now: Instant) -> Bool {
    now - provenAt > longestAge
  }
}

/// How the whole backups of a workspace stand; docs/backup.md#proof.
package struct BackupStatus: Hashable, Sendable {
  /// When the newest one was made; nil without any, as are the next two.
  package var newestAt: Instant?
  package var newestBytes: Int64?
  package var oldestAt: Instant?
  /// The last proof; nil before the first.
  package var proof: BackupProof?

  package init(
    newestAt: Instant?, newestBytes: Int64? = nil, oldestAt: Instant? = nil,
    proof: BackupProof? = nil
  ) {
    self.newestAt = newestAt
    self.newestBytes = newestBytes
    self.oldestAt = oldestAt
    self.proof = proof
  }

  /// What the last proof came to, as a clause: `restore tested 3 days ago`; `when` says its time.
  package func proofWords(_ when: (Instant) throws -> String) rethrows -> String {
    guard let proof else { return "no restore tested yet" }
    guard proof.problem == nil else { return "the last one tried cannot be restored" }
    let what = proof.isWhole ? "restore tested" : "size and SHA-256 checked"
    return "\(what) \(try when(proof.at))"
  }
}
