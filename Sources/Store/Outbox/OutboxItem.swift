import GRDB
package import Model

/// Something to be delivered, and how far its delivery got.
package struct OutboxItem: Hashable, Codable, Sendable {
  /// The longest wait of a queued item for its next attempt; docs/outbox.md.
  package static let longestWait = Duration.seconds(24 * 3600)

  package enum Kind: String, CaseIterable, Codable, Sendable {
    case feedback, moment, event
  }

  package enum State: String, CaseIterable, Codable, Sendable {
    /// Waits for a run, or until `nextAttemptAt`.
    case queued
    /// Is being sent. At the start of a run: its sender died, and whether it arrived is unknown.
    case sending
    case delivered
    /// Waits for a day or an upgrade; `lastError` says which.
    case parked
    /// The server refused it permanently; `lastError` says why.
    case rejected
  }

  /// The row's id, in the order of queueing.
  package var id: Int64
  package var profile: String
  package var kind: Kind
  package var state: State
  /// JSON; for `feedback` an encoded `Feedback`.
  package var payload: String
  package var createdAt: Instant
  package var attempts = 0
  /// The earliest time of the next attempt; nil means now.
  package var nextAttemptAt: Instant?
  /// The last failure as a sentence; nil without one.
  package var lastError: String?
  package var deliveredAt: Instant?
  /// The document or record that the item became; nil until it is delivered.
  package var remoteName: String?
  /// The document path of the last attempt; nil without an attempt, and in old rows.
  package var target: String?
  /// Whether it was sent and the server has not said that it lacks it.
  package var mayHaveArrived = false
}

extension Readable {
  /// The items of some states, kinds and profiles, newest first; empty and nil mean all.
  package func outboxItems(
    in states: Set<OutboxItem.State> = [], kind: OutboxItem.Kind? = nil, profile: String? = nil,
    limit: Int
  ) throws -> [OutboxItem] {
    let wanted = states.isEmpty ? Set(OutboxItem.State.allCases) : states
    let placeholders = databaseQuestionMarks(count: wanted.count)
    return try outboxItems(
      """
      WHERE state IN (\(placeholders)) AND kind = coalesce(?, kind)
        AND profile = coalesce(?, profile)
      ORDER BY id DESC LIMIT ?
      """,
      StatementArguments(wanted.map(\.rawValue)) + [kind?.rawValue, profile, limit])
  }

  /// The queued items that are due, those with the fewest failed attempts first, then the oldest.
  ///
  /// An item that aborted a run therefore does not go first in the next. A parked item that was
  /// queued again has not failed, so it keeps its place. An item whose wait began too far after
  /// `now`, or is longer than any wait, was given it by a wrong clock and is due:
  /// docs/running.md#times-in-the-future.
  package func dueOutboxItems(
    kind: OutboxItem.Kind, at now: Instant, limit: Int
  ) throws -> [OutboxItem] {
    let latest = now.latestCounted
    return try outboxItems(
      """
      WHERE state = 'queued' AND kind = ?
        AND (next_attempt_at IS NULL OR next_attempt_at <= ? OR next_attempt_at > ?
          OR sending_since > ?)
      ORDER BY \(Self.failures), id LIMIT ?
      """,
      [
        kind.rawValue, now.microseconds, (latest + OutboxItem.longestWait).microseconds,
        latest.microseconds, limit,
      ])
  }

  /// The failed attempts of an item; a parked item that was queued again has none.
  ///
  /// The index `outbox_due` has the expression word by word.
  private static var failures: String {
    "iif(sending_since IS NULL AND last_error IS NULL, 0, attempts)"
  }

  /// The items that a dead sender left, oldest first; whether they arrived is unknown.
  package func sendingOutboxItems(kind: OutboxItem.Kind) throws -> [OutboxItem] {
    try outboxItems("WHERE state = 'sending' AND kind = ? ORDER BY id", [kind.rawValue])
  }

  /// The number of items in each state, without states that have none.
  package func outboxCounts() throws -> [OutboxItem.State: Int] {
    var counts: [OutboxItem.State: Int] = [:]
    try reader.forEachRow("SELECT state, count(*) AS items FROM outbox GROUP BY state") { row in
      counts[try row.choice("state", of: "outbox")] = row["items"]
    }
    return counts
  }

  func outboxItems(
    _ clause: String, _ arguments: StatementArguments
  ) throws -> [OutboxItem] {
    try reader.rows("SELECT * FROM outbox \(clause)", arguments) { try OutboxItem($0) }
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
      target: row["target"], mayHaveArrived: row.instant("sending_since") != nil)
  }
}

extension Writer {
  package func enqueue(
    _ kind: OutboxItem.Kind, profile: String, payload: String, at now: Instant
  ) throws -> Int64 {
    try insert(
      into: "outbox",
      [
        ("profile", profile), ("kind", kind.rawValue), ("state", "queued"), ("payload", payload),
        ("created_at", now.microseconds),
      ])
  }

  /// Marks a queued item as being sent and counts an attempt; `writeDurably` it before sending.
  ///
  /// After it the server may have received the item.
  package func markSending(id: Int64, at now: Instant) throws {
    try move(
      id, from: [.queued], to: .sending,
      "attempts = attempts + 1, sending_since = ?, next_attempt_at = NULL", [now.microseconds])
  }

  /// Stores the document path under which the item is being sent; `writeDurably` it before sending.
  ///
  /// After a crash the next sender looks for that document.
  package func setTarget(_ target: String, ofItem id: Int64) throws {
    try move(id, from: [.sending], to: .sending, "target = ?", [target])
  }

  /// Marks an item as delivered, as the document or record `remoteName`.
  package func markDelivered(id: Int64, remoteName: String?, at now: Instant) throws {
    try move(
      id, from: [.sending], to: .delivered,
      "delivered_at = ?, remote_name = ?, last_error = NULL", [now.microseconds, remoteName])
  }

  /// Queues an item for another attempt at `nextAttemptAt`; nil means now.
  ///
  /// `isAbsent`: the server said that it lacks the item, so the next attempt need not ask.
  package func requeue(
    id: Int64, nextAttemptAt: Instant?, error: String?, isAbsent: Bool = false
  ) throws {
    try move(
      id, from: [.sending, .queued], to: .queued,
      "next_attempt_at = ?, last_error = ?, sending_since = iif(?, NULL, sending_since)",
      [nextAttemptAt?.microseconds, error, isAbsent])
  }

  /// Parks an item that no backoff helps; `reason` is a sentence.
  ///
  /// It may be sent again at `until`; nil when only an upgrade helps. `isAbsent` is that of
  /// `requeue`.
  package func park(
    id: Int64, until: Instant?, reason: String, isAbsent: Bool = false
  ) throws {
    try move(
      id, from: [.sending, .queued], to: .parked,
      "next_attempt_at = ?, last_error = ?, sending_since = iif(?, NULL, sending_since)",
      [until?.microseconds, reason, isAbsent])
  }

  /// Marks an item as rejected by the server; `reason` is a sentence.
  package func reject(id: Int64, reason: String) throws {
    try move(
      id, from: [.sending, .queued], to: .rejected, "next_attempt_at = NULL, last_error = ?",
      [reason])
  }

  /// Queues a rejected or parked item again, due now.
  ///
  /// Nobody can find out whether events arrived, so a retry treats them as absent.
  package func retry(id: Int64) throws {
    try move(
      id, from: [.rejected, .parked], to: .queued,
      """
      next_attempt_at = NULL, last_error = NULL,
      sending_since = iif(kind = 'event', NULL, sending_since)
      """, [])
  }

  /// Queues the profile's parked items of a kind again and returns their number.
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
    let placeholders = databaseQuestionMarks(count: names.count)
    let changed = try run(
      "UPDATE outbox SET state = ?, \(assignments) WHERE id = ? AND state IN (\(placeholders))",
      [state.rawValue] + arguments + [id] + StatementArguments(names))
    guard changed == 1 else { throw StoreError.noSuchOutboxItem(id: id, states: names) }
  }
}
