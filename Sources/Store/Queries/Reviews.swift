import GRDB
package import Model

extension Readable {
  /// The newest reviews, newest first.
  package func reviews(limit: Int) throws -> [AppReview] {
    try Row.fetchAll(
      reader.database,
      sql: "SELECT * FROM app_store_reviews ORDER BY updated_at DESC, id DESC LIMIT ?",
      arguments: [limit]
    ).map { AppReview($0) }
  }

  package func review(withId id: String) throws -> AppReview? {
    try Row.fetchOne(
      reader.database, sql: "SELECT * FROM app_store_reviews WHERE id = ?", arguments: [id]
    ).map { AppReview($0) }
  }

  /// Whether the table says of every one of the reviews what it says itself.
  package func holds(_ reviews: [AppReview]) throws -> Bool {
    try reviews.allSatisfy { try review(withId: $0.id) == $0 }
  }

  /// When reviews were last read with success, also when there were none; nil when never.
  package func reviewsFetchedAt() throws -> Instant? {
    try Int64.fetchOne(
      reader.database,
      sql: """
        SELECT max(ended_at) FROM sync_runs
        WHERE kind = 'sync-reviews' AND outcome IN ('ok', 'partial')
        """
    ).map(Instant.init(microseconds:))
  }
}

extension AppReview {
  fileprivate init(_ row: Row) {
    self.init(
      id: row["id"], appId: row["app_id"], country: row["country"], stars: row["stars"],
      version: row["version"], author: row["author"],
      title: row["title"], text: row["text"],
      updatedAt: row.requiredInstant("updated_at"))
  }
}
