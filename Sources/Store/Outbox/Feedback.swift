import GRDB
import Model

extension Readable {
  /// The feedback of this workspace and of the app, newest first; see `docs/ratings.md#feedback`.
  ///
  /// Feedback that was delivered from here and read back is one entry. Nil selects all. A `state`
  /// excludes foreign feedback, which has none; `isOpen` is false for what is done.
  package func feedbackEntries(
    stars: Int? = nil, state: OutboxItem.State? = nil,
    origin: RatingsData.FeedbackEntry.Origin? = nil, isOpen: Bool? = nil, limit: Int? = nil
  ) throws -> [RatingsData.FeedbackEntry] {
    try reader.rows(
      """
      \(Self.selectMarkedFeedback)
      WHERE (?1 IS NULL OR stars = ?1) AND (?2 IS NULL OR state = ?2)
        AND (?3 IS NULL OR origin = ?3) AND (?5 IS NULL OR (done_at IS NULL) = ?5)
      ORDER BY at DESC, origin, id DESC LIMIT ?4
      """, [stars, state?.rawValue, origin?.rawValue, limit ?? -1, isOpen]
    ) { try RatingsData.FeedbackEntry($0) }
  }

  /// Calls `body` with all feedback, oldest first, one entry in memory at a time.
  package func forEachFeedback(
    _ body: (RatingsData.FeedbackEntry) throws -> Void
  ) throws {
    try reader.forEachRow("\(Self.selectMarkedFeedback) ORDER BY at, origin, id") { row in
      try body(try RatingsData.FeedbackEntry(row))
    }
  }

  private static var selectMarkedFeedback: String {
    """
    SELECT text.*, mark.theme, mark.done_at FROM (\(selectFeedback)) AS text
    LEFT JOIN feedback_marks AS mark ON mark.key = text.key
    """
  }

  /// The workspace's feedback, and the documents that are none of it.
  ///
  /// A document is the item that was delivered under its path. A document with the content of an
  /// undelivered item is that item, too: the server's response was lost, as its next delivery will
  /// find.
  static var selectFeedback: String {
    """
    SELECT 'own' AS origin, 'own/' || r.id AS key, r.profile, r.id, r.at, r.user_id, r.gender,
      r.country, r.app_version, r.stars, r.feedback, o.state, coalesce(o.remote_name, (
        SELECT d.document_path FROM app_rating_feedback AS d WHERE \(isSameText)
        ORDER BY d.document_path LIMIT 1)) AS document
    FROM ratings AS r JOIN outbox AS o ON o.id = r.outbox_id
    UNION ALL
    SELECT 'foreign', d.document_path, NULL, d.rowid, d.timestamp * 1000000, d.user_id, d.gender,
      d.country, d.app_version, d.stars, d.feedback, NULL, d.document_path
    FROM app_rating_feedback AS d
    WHERE NOT EXISTS (
      SELECT 1 FROM outbox AS o WHERE o.remote_name = d.document_path AND o.kind = 'feedback')
    AND NOT EXISTS (
      SELECT 1 FROM ratings AS r JOIN outbox AS o ON o.id = r.outbox_id
      WHERE o.remote_name IS NULL AND \(isSameText))
    """
  }

  /// Whether the rating `r` and the document `d` have the same content.
  private static var isSameText: String {
    """
    r.at >= d.timestamp * 1000000 AND r.at < (d.timestamp + 1) * 1000000
    AND d.timestamp >= r.at / 1000000 AND d.timestamp <= r.at / 1000000
    AND r.user_id = d.user_id AND r.gender = d.gender AND r.country = d.country
    AND r.app_version = d.app_version AND r.stars = d.stars AND r.feedback = d.feedback
    """
  }
}

extension RatingsData.FeedbackEntry {
  fileprivate init(_ row: Row) throws {
    let state: String? = row["state"]
    self.init(
      feedback: Feedback(row), origin: try row.choice("origin", of: "ratings"),
      profile: row["profile"],
      state: state == nil ? nil : try row.choice("state", of: "outbox"),
      remoteName: row["document"], key: row["key"], mark: FeedbackMark(row))
  }
}

extension FeedbackMark {
  /// Of a row without a mark, too: every column is NULL then.
  fileprivate init(_ row: Row) {
    let theme: String? = row["theme"]
    let doneAt: Int64? = row["done_at"]
    self.init(
      theme: theme.map { $0.isEmpty ? .none : .chosen($0) } ?? .byWords,
      doneAt: doneAt.map(Instant.init(microseconds:)))
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

extension SyncTable {
  /// The feedback that the app itself sent; a row's cells are in this order.
  package static let feedback = SyncTable(
    name: "app_rating_feedback",
    columns: [
      Column("document_path", .text), Column("document_id", .text), Column("user_id", .text),
      Column("gender", .text), Column("country", .text), Column("app_version", .text),
      Column("feedback", .text), Column("timestamp", .integer), Column("stars", .integer),
      Column("update_time", .integer),
    ],
    cursorPrefix: "feedback ")
}

extension Writer {
  /// Deletes the feedback of other collections, which belong to earlier bundle ids.
  package func forgetFeedback(outside collection: String) throws {
    let prefix = collection + "/"
    for (table, key) in [("app_rating_feedback", "document_path"), ("skipped_documents", "key")] {
      let ofTable = table == "skipped_documents" ? "table_name = 'app_rating_feedback' AND " : ""
      try run("DELETE FROM \(table) WHERE \(ofTable)substr(\(key), 1, length(?1)) <> ?1", [prefix])
    }
  }
}

/// The ids of feedback documents are seconds; these are the ids that are known to be taken.
extension Readable {
  /// The last second of the taken range that contains `second`; nil when `second` is free.
  package func lastTakenSecond(from second: Int64, in collection: String) throws -> Int64? {
    try reader.value(
      """
      SELECT last FROM (
        SELECT last FROM feedback_seconds
        WHERE collection = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1
      ) WHERE last >= ?2
      """, [collection, second])
  }

  /// The delivered feedback whose time and text are those of a payload.
  package func deliveredFeedback(like payload: String) throws -> [OutboxItem] {
    // SQLite reads the wanted text from JSON, too: a NUL would end it as an argument. The condition
    // is that of the index `outbox_delivered_feedback`.
    try outboxItems(
      """
      WHERE kind = 'feedback' AND state = 'delivered' AND json_valid(payload)
        AND payload ->> '$.timestamp' = ?1 ->> '$.timestamp'
        AND payload ->> '$.text' = ?1 ->> '$.text' ORDER BY id
      """,
      [payload])
  }
}

extension Writer {
  /// Stores that these ids of a feedback collection are taken; adjacent ranges become one.
  package func noteTaken(_ seconds: ClosedRange<Int64>, in collection: String) throws {
    // Ranges do not overlap, so at most one that begins before these seconds touches them.
    let touched = """
      FROM feedback_seconds WHERE collection = ?1 AND last >= ?2 - 1 AND first <= ?3 + 1
        AND first >= coalesce((
          SELECT max(first) FROM feedback_seconds WHERE collection = ?1 AND first < ?2), ?2)
      """
    let arguments: StatementArguments = [collection, seconds.lowerBound, seconds.upperBound]
    let held: (first: Int64?, last: Int64?)? = try reader.first(
      "SELECT min(first), max(last) \(touched)", arguments
    ) { ($0[0], $0[1]) }
    try run("DELETE \(touched)", arguments)
    try run(
      "INSERT INTO feedback_seconds (collection, first, last) VALUES (?, ?, ?)",
      [
        collection, min(seconds.lowerBound, held?.first ?? .max),
        max(seconds.upperBound, held?.last ?? .min),
      ])
  }
}
