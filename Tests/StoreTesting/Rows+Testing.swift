import GRDB
package import Model

@testable package import Store

/// Single rows, which only tests ask for.
extension Readable {
  package func outboxItem(id: Int64) throws -> OutboxItem? {
    try outboxItems(limit: .max).first { $0.id == id }
  }

  /// The state of a feature's limit; `.initial` when it was never used.
  package func limitState(profile: String, feature: Feature) throws -> LimitState {
    try limitStates(profile: profile)[feature] ?? .initial
  }

  /// The snapshots, in microseconds, that showed documents of the table to be gone, by key.
  package func tombstones(of table: SyncTable) throws -> [String: Int64] {
    let rows = try Row.fetchAll(
      reader.database, sql: "SELECT key, deleted_at FROM tombstones WHERE table_name = ?",
      arguments: [table.name])
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
  }
}
