import GRDB
package import Model

extension Writer {
  /// Queues something to be delivered and returns its id.
  package func enqueue(
    _ kind: OutboxItem.Kind, profile: String, payload: String, at now: Instant
  ) throws -> Int64 {
    try run(
      "INSERT INTO outbox (profile, kind, state, payload, created_at) VALUES (?, ?, ?, ?, ?)",
      [
        profile, kind.rawValue, OutboxItem.State.queued.rawValue, payload, now.microseconds,
      ])
    return database.lastInsertedRowID
  }

  /// A queued item is about to be sent; to be committed before the first byte leaves.
  ///
  /// Counts an attempt: from here on the server may have seen the item.
  package func markSending(id: Int64, at now: Instant) throws {
    try move(
      id, from: [.queued], to: .sending,
      "attempts = attempts + 1, sending_since = ?, next_attempt_at = NULL", [now.microseconds])
  }

  /// The server has the item, as the document or record `remoteName`.
  package func markDelivered(id: Int64, remoteName: String?, at now: Instant) throws {
    try move(
      id, from: [.sending], to: .delivered,
      "delivered_at = ?, remote_name = ?, last_error = NULL", [now.microseconds, remoteName])
  }

  /// The item is not known to be delivered; it waits until `nextAttemptAt`, nil for at once.
  ///
  /// `isAbsent` says that the server has said so: it need not be asked before the next attempt.
  package func requeue(
    id: Int64, nextAttemptAt: Instant?, error: String?, isAbsent: Bool = false
  ) throws {
    try move(
      id, from: [.sending, .queued], to: .queued,
      "next_attempt_at = ?, last_error = ?, sending_since = iif(?, NULL, sending_since)",
      [nextAttemptAt?.microseconds, error, isAbsent])
  }

  /// The item waits for something that no backoff brings, which `reason` says in a sentence.
  ///
  /// It may be tried again at `until`; nil when only an upgrade helps. `isAbsent` is that of
  /// `requeue`.
  package func park(
    id: Int64, until: Instant?, reason: String, isAbsent: Bool = false
  ) throws {
    try move(
      id, from: [.sending, .queued], to: .parked,
      "next_attempt_at = ?, last_error = ?, sending_since = iif(?, NULL, sending_since)",
      [until?.microseconds, reason, isAbsent])
  }

  /// The server refused the item for good; `reason` says why.
  package func reject(id: Int64, reason: String) throws {
    try move(
      id, from: [.sending, .queued], to: .rejected, "next_attempt_at = NULL, last_error = ?",
      [reason])
  }

  /// Queues a rejected or parked item again, due at once.
  ///
  /// Whether events had arrived can never be found out: asking again for them says that they had not.
  package func retry(id: Int64) throws {
    try move(
      id, from: [.rejected, .parked], to: .queued,
      """
      next_attempt_at = NULL, last_error = NULL,
      sending_since = iif(kind = 'event', NULL, sending_since)
      """, [])
  }

  /// Queues the profile's parked items of the kind again, and says how many those were.
  @discardableResult
  package func requeueParked(kind: OutboxItem.Kind, profile: String) throws -> Int {
    try run(
      """
      UPDATE outbox SET state = 'queued', next_attempt_at = NULL, last_error = NULL
      WHERE state = 'parked' AND kind = ? AND profile = ?
      """,
      [kind.rawValue, profile])
  }

  private func move(
    _ id: Int64, from states: [OutboxItem.State], to state: OutboxItem.State,
    _ assignments: String, _ arguments: StatementArguments
  ) throws {
    let names = states.map(\.rawValue)
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let changed = try run(
      "UPDATE outbox SET state = ?, \(assignments) WHERE id = ? AND state IN (\(marks))",
      [state.rawValue] + arguments + [id] + StatementArguments(names))
    guard changed == 1 else { throw StoreError.noSuchOutboxItem(id: id, states: names) }
  }
}
