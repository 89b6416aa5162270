import GRDB
package import Model

/// The ids of feedback documents are seconds; these are the ids that are known to be taken.
extension Readable {
  /// The last second of the taken range that contains `second`; nil when `second` is free.
  package func lastTakenSecond(from second: Int64, in collection: String) throws -> Int64? {
    try Int64.fetchOne(
      reader.database,
      sql: """
        SELECT last FROM (
          SELECT last FROM feedback_seconds
          WHERE collection = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1
        ) WHERE last >= ?2
        """,
      arguments: [collection, second])
  }

  /// The delivered feedback whose time and text are those of a payload.
  package func deliveredFeedback(like payload: String) throws -> [OutboxItem] {
    // SQLite reads the wanted text from JSON, too: a NUL would end it as an argument.
    try outboxItems(
      """
      WHERE \(Release020.isDeliveredFeedback)
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
    let row = try Row.fetchOne(
      database, sql: "SELECT min(first) AS first, max(last) AS last \(touched)",
      arguments: arguments)
    let first: Int64? = row?["first"]
    let last: Int64? = row?["last"]
    try run("DELETE \(touched)", arguments)
    try run(
      "INSERT INTO feedback_seconds (collection, first, last) VALUES (?, ?, ?)",
      [
        collection, min(seconds.lowerBound, first ?? .max), max(seconds.upperBound, last ?? .min),
      ])
  }
}
