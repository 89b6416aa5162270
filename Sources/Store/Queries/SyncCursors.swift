import GRDB
package import Model

/// Where an unfinished job goes on.
package struct SyncCursor: Hashable, Sendable {
  /// JSON, meant for the job alone.
  package var value: String
  /// When the run began that the cursor belongs to.
  package var startedAt: Instant

  package init(value: String, startedAt: Instant) {
    self.value = value
    self.startedAt = startedAt
  }
}

extension SyncCursor {
  /// What the keys of loads into `OnlineUsers` begin with.
  package static let usersKeyPrefix = "users "
}

extension Readable {
  /// The job's cursor of this key; nil when its last run came to its end.
  package func cursor(job: String, key: String) throws -> SyncCursor? {
    try Row.fetchOne(
      reader.database,
      sql: "SELECT value, started_at FROM sync_cursors WHERE job = ? AND key = ?",
      arguments: [job, key]
    ).map { SyncCursor(value: $0["value"], startedAt: $0.requiredInstant("started_at")) }
  }
}
