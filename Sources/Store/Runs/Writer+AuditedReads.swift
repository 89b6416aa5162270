import GRDB
package import Model

/// The reads in imported audit logs: the table `audit_reads`.
extension Writer {
  /// Adds those that are not stored yet.
  ///
  /// - Returns: how many were added.
  package func add(_ reads: [AuditedRead]) throws -> Int {
    try reads.reduce(0) { count, read in
      let before = reader.database.totalChangesCount
      try run(
        """
        INSERT OR IGNORE INTO audit_reads
          (id, at, collection, method, caller, tags, job, documents)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          read.id, read.at.microseconds, read.collection, read.method, read.caller,
          read.tags.joined(separator: ", "), read.job, read.documentCount,
        ])
      return count + reader.database.totalChangesCount - before
    }
  }
}
