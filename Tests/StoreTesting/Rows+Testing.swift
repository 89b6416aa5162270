package import Model
package import Store

/// Single rows, which only tests ask for.
extension Readable {
  package func outboxItem(id: Int64) throws -> OutboxItem? {
    try outboxItems(limit: .max).first { $0.id == id }
  }

  /// The state of a feature's limit; `.initial` when it was never used.
  package func limitState(profile: String, feature: Feature) throws -> LimitState {
    try limitStates(profile: profile)[feature] ?? .initial
  }
}
