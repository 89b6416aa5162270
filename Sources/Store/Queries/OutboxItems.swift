import GRDB
package import Model

extension Readable {
  package func outboxItem(id: Int64) throws -> OutboxItem? {
    try outboxItems("WHERE id = ?", [id]).first
  }

  /// The items of the states given, newest first; of every state when none is given.
  ///
  /// Without a kind or a profile, those of all.
  package func outboxItems(
    in states: Set<OutboxItem.State> = [], kind: OutboxItem.Kind? = nil, profile: String? = nil,
    limit: Int
  ) throws -> [OutboxItem] {
    let wanted = states.isEmpty ? Set(OutboxItem.State.allCases) : states
    let marks = wanted.map { _ in "?" }.joined(separator: ", ")
    return try outboxItems(
      """
      WHERE state IN (\(marks)) AND kind = coalesce(?, kind) AND profile = coalesce(?, profile)
      ORDER BY id DESC LIMIT ?
      """,
      StatementArguments(wanted.map(\.rawValue)) + [kind?.rawValue, profile, limit])
  }

  /// The queued items whose time has come, those with the fewest attempts first, then by age.
  ///
  /// So an item over which the others' turn ended is not the first of the next one.
  package func dueOutboxItems(
    kind: OutboxItem.Kind, at now: Instant, limit: Int
  ) throws -> [OutboxItem] {
    try outboxItems(
      """
      WHERE state = 'queued' AND kind = ?
        AND (next_attempt_at IS NULL OR next_attempt_at <= ?)
      ORDER BY attempts, id LIMIT ?
      """,
      [kind.rawValue, now.microseconds, limit])
  }

  /// The items that a dead sender left behind, oldest first: whether they arrived is not known.
  package func sendingOutboxItems(kind: OutboxItem.Kind) throws -> [OutboxItem] {
    try outboxItems("WHERE state = 'sending' AND kind = ? ORDER BY id", [kind.rawValue])
  }

  /// How many items are in each state, of one kind or of all; a state without items is missing.
  package func outboxCounts(
    kind: OutboxItem.Kind? = nil
  ) throws -> [OutboxItem.State: Int] {
    let rows = try Row.fetchAll(
      reader.database,
      sql: """
        SELECT state, count(*) AS items FROM outbox WHERE ?1 IS NULL OR kind = ?1 GROUP BY state
        """,
      arguments: [kind?.rawValue])
    var counts: [OutboxItem.State: Int] = [:]
    for row in rows { counts[try row.choice("state", of: "outbox")] = row["items"] }
    return counts
  }

  private func outboxItems(
    _ clause: String, _ arguments: StatementArguments
  ) throws -> [OutboxItem] {
    try Row.fetchAll(
      reader.database, sql: "SELECT * FROM outbox \(clause)", arguments: arguments
    ).map { try OutboxItem($0) }
  }
}

extension OutboxItem {
  fileprivate init(_ row: Row) throws {
    self.init(
      id: row["id"], profile: row["profile"], kind: try row.choice("kind", of: "outbox"),
      state: try row.choice("state", of: "outbox"), payload: row["payload"],
      createdAt: row.requiredInstant("created_at"), attempts: row["attempts"],
      nextAttemptAt: row.instant("next_attempt_at"), lastError: row["last_error"],
      deliveredAt: row.instant("delivered_at"), remoteName: row["remote_name"],
      mayHaveArrived: row.instant("sending_since") != nil)
  }
}
