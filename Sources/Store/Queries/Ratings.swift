import GRDB
package import Model

extension Readable {
  /// The ratings in the ledger from `start` (inclusive) to `end` (exclusive), oldest first.
  package func ratings(
    from start: Instant, to end: Instant
  ) throws -> [RatingsFacts.Rating] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT at, stars, user_id, country, app_version FROM events
        WHERE stars IS NOT NULL AND at >= ? AND at < ? ORDER BY at, id
        """,
      arguments: [start.microseconds, end.microseconds])
    return try Array(
      rows.map { row in
        RatingsFacts.Rating(
          at: Instant(microseconds: row[0]), stars: row[1], userId: row[2], country: row[3],
          appVersion: row[4])
      })
  }

  /// Visits to the App Store after ratings, from `start` (inclusive) to `end` (exclusive), oldest first.
  ///
  /// Of one user alone when an id is given.
  package func ratingVisits(
    from start: Instant, to end: Instant, of userId: String? = nil
  ) throws -> [RatingVisit] {
    let rows = try Row.fetchCursor(
      reader.database, sql: Self.selectVisits,
      arguments: [start.microseconds, end.microseconds, userId])
    return try Array(
      rows.compactMap { row in
        RatingVisit.stars(inParameters: row.wholeText(1)).map {
          RatingVisit(at: Instant(microseconds: row[0]), stars: $0)
        }
      })
  }

  /// The feedback that was written in this workspace, newest first; all of it without a limit.
  ///
  /// Of these stars and in this state alone, where they are given.
  package func feedbackEntries(
    stars: Int? = nil, state: OutboxItem.State? = nil, limit: Int? = nil
  ) throws -> [RatingsFacts.FeedbackEntry] {
    try Row.fetchAll(
      reader.database,
      sql: """
        \(Self.selectFeedback)
        WHERE (?1 IS NULL OR r.stars = ?1) AND (?2 IS NULL OR o.state = ?2)
        ORDER BY r.at DESC, r.id DESC LIMIT ?3
        """,
      arguments: [stars, state?.rawValue, limit ?? -1]
    ).map { try RatingsFacts.FeedbackEntry($0) }
  }

  /// Hands over all feedback, oldest first; one entry at a time is in memory.
  package func forEachFeedback(
    _ body: (RatingsFacts.FeedbackEntry) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      reader.database, sql: "\(Self.selectFeedback) ORDER BY r.at, r.id")
    while let row = try rows.next() { try body(try RatingsFacts.FeedbackEntry(row)) }
  }

  static var selectVisits: String {
    """
    SELECT at, parameters FROM events
    WHERE \(M014RatingVisits.condition) AND at >= ?1 AND at < ?2 AND (?3 IS NULL OR user_id = ?3)
    ORDER BY at, id
    """
  }

  private static var selectFeedback: String {
    "SELECT r.*, o.state, o.remote_name FROM ratings AS r JOIN outbox AS o ON o.id = r.outbox_id"
  }
}

extension RatingsFacts.FeedbackEntry {
  fileprivate init(_ row: Row) throws {
    self.init(
      feedback: Feedback(row), state: try row.choice("state", of: "outbox"),
      remoteName: row["remote_name"])
  }
}

extension Feedback {
  fileprivate init(_ row: Row) {
    self.init(
      userId: row["user_id"], gender: row["gender"], country: row["country"],
      appVersion: row["app_version"], text: row["feedback"] ?? "",
      timestamp: row.requiredInstant("at").unixSeconds, stars: row["stars"])
  }
}
