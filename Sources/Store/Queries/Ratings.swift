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

  /// The feedback that was written in this workspace, newest first; all of it without a limit.
  package func feedbackEntries(limit: Int? = nil) throws -> [RatingsFacts.FeedbackEntry] {
    try Row.fetchAll(
      reader.database,
      sql: """
        SELECT r.*, o.state, o.remote_name FROM ratings AS r JOIN outbox AS o ON o.id = r.outbox_id
        ORDER BY r.at DESC, r.id DESC LIMIT ?
        """,
      arguments: [limit ?? -1]
    ).map { row in
      RatingsFacts.FeedbackEntry(
        feedback: Feedback(row), state: try row.choice("state", of: "outbox"),
        remoteName: row["remote_name"])
    }
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
