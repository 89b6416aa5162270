import GRDB
package import Model

extension Readable {
  package func reviews(limit: Int) throws -> [AppReview] {
    try reader.rows(
      "SELECT * FROM app_store_reviews ORDER BY updated_at DESC, id DESC LIMIT ?", [limit]
    ) { AppReview($0) }
  }

  package func review(withId id: String) throws -> AppReview? {
    try reader.first("SELECT * FROM app_store_reviews WHERE id = ?", [id]) { AppReview($0) }
  }

  package func holds(_ reviews: [AppReview]) throws -> Bool {
    try reviews.allSatisfy { try review(withId: $0.id) == $0 }
  }

  /// Apple's ids of the stored reviews of one country.
  package func reviewIds(ofApp appId: Int, in country: String) throws -> Set<String> {
    Set(
      try reader.rows(
        "SELECT id FROM app_store_reviews WHERE app_id = ? AND country = ?", [appId, country]
      ) { $0.wholeText(0) })
  }

  /// Whether the last listing of the country's reviews that was read whole had no gap.
  package func reviewsAreWhole(ofApp appId: Int, in country: String) throws -> Bool {
    try mark(named: wholeReviewsName(appId, country)) != nil
  }

  /// The last successful run that read reviews, even if there were none; nil when never.
  package func reviewsFetchedAt() throws -> Instant? {
    try reader.instant(
      """
      SELECT max(ended_at) FROM sync_runs
      WHERE kind = '\(JobKindName.syncReviews.rawValue)' AND outcome IN ('ok', 'partial')
      """)
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

private func wholeReviewsName(_ appId: Int, _ country: String) -> MarkName {
  "reviews of \(appId) in \(country) are whole"
}

extension Writer {
  /// Remembers whether the next run may end where nothing is new.
  package func setReviewsAreWhole(_ areWhole: Bool, ofApp appId: Int, in country: String) throws {
    try setMark(areWhole ? "yes" : nil, named: wholeReviewsName(appId, country))
  }

  /// Inserts new reviews and overwrites changed ones; of equal ids the last one stays.
  package func upsert(_ reviews: [AppReview], at now: Instant) throws -> UpsertCounts {
    var counts = UpsertCounts()
    for review in reviews {
      switch try reader.review(withId: review.id) {
      case review: counts.unchanged += 1
      case nil:
        try store(review, at: now)
        counts.inserted += 1
      default:
        try store(review, at: now)
        counts.updated += 1
      }
    }
    return counts
  }

  /// A changed review keeps the time when it was found.
  private func store(_ review: AppReview, at now: Instant) throws {
    try run(
      """
      INSERT INTO app_store_reviews (id, app_id, country, stars, version, author, title, text,
        updated_at, found_at, synced_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)
      ON CONFLICT (id) DO UPDATE SET app_id = ?2, country = ?3, stars = ?4, version = ?5,
        author = ?6, title = ?7, text = ?8, updated_at = ?9, synced_at = ?10
      """,
      [
        review.id, review.appId, review.country, review.stars, review.version, review.author,
        review.title, review.text, review.updatedAt.microseconds, now.microseconds,
      ])
  }
}
