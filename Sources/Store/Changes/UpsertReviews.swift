import GRDB
package import Model

/// What storing reviews came to.
package struct ReviewCounts: Hashable, Sendable {
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0
}

extension Writer {
  /// Stores the reviews by their ids; of those with the same id the last one stays.
  ///
  /// A row that says the same already is not written.
  package func upsert(_ reviews: [AppReview], at now: Instant) throws -> ReviewCounts {
    var counts = ReviewCounts()
    for review in reviews {
      switch try reader.review(withId: review.id) {
      case review: counts.unchanged += 1
      case nil:
        try insert(review, at: now)
        counts.inserted += 1
      default:
        try update(review, at: now)
        counts.updated += 1
      }
    }
    return counts
  }

  private func insert(_ review: AppReview, at now: Instant) throws {
    try run(
      """
      INSERT INTO app_store_reviews (app_id, country, stars, version, author, title, text,
      updated_at, synced_at, found_at, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, cells(of: review, at: now) + [now.microseconds, review.id])
  }

  private func update(_ review: AppReview, at now: Instant) throws {
    try run(
      """
      UPDATE app_store_reviews SET app_id = ?, country = ?, stars = ?, version = ?, author = ?,
      title = ?, text = ?, updated_at = ?, synced_at = ? WHERE id = ?
      """, cells(of: review, at: now) + [review.id])
  }

  private func cells(of review: AppReview, at now: Instant) -> StatementArguments {
    [
      review.appId, review.country, review.stars, review.version, review.author, review.title,
      review.text, review.updatedAt.microseconds, now.microseconds,
    ]
  }
}
