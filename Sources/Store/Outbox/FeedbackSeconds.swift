import GRDB
package import Model

/// The ids of feedback documents are seconds; these are the ids that are known to be taken.
extension Readable {
  /// The last second of the taken range that contains `second`; nil when `second` is free.
  package func lastTakenSecond(from second: Int64, in collection: String) throws -> Int64? {
    try Int64.fetchOne(
      reader.database,
      sql: """
        SELECT last FROM feedback_seconds
        WHERE collection = ?1 AND first <= ?2 AND last >= ?2 ORDER BY first DESC LIMIT 1
        """,
      arguments: [collection, second])
  }

  /// The delivered feedback with these timestamps.
  package func deliveredFeedback(ofSeconds seconds: Set<Int64>) throws -> [OutboxItem] {
    guard !seconds.isEmpty else { return [] }
    let placeholders = seconds.map { _ in "?" }.joined(separator: ", ")
    return try outboxItems(
      """
      WHERE state = 'delivered' AND kind = 'feedback'
        AND payload ->> '$.timestamp' IN (\(placeholders)) ORDER BY id
      """,
      StatementArguments(seconds))
  }
}

extension Writer {
  /// Stores that these ids of a feedback collection are taken; adjacent ranges become one.
  package func noteTaken(_ seconds: ClosedRange<Int64>, in collection: String) throws {
    let touched = """
      FROM feedback_seconds WHERE collection = ? AND first <= ? AND last >= ?
      """
    let arguments: StatementArguments = [
      collection, seconds.upperBound + 1, seconds.lowerBound - 1,
    ]
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
