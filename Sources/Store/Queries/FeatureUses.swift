import GRDB
package import Model

/// One event of the ledger about a limited feature, with what a replay needs of it.
package struct FeatureUse: Hashable, Sendable {
  package var at: Instant
  package var userId: String
  package var feature: Feature
  package var kind: EventKind
  /// Nil where the event does not say.
  package var tier: Tier?
  package var userType: UserType?
  package var firstAccountCreatedAt: Instant?
  /// Of a `limitReset`: somebody asked for it.
  package var isManual = false
}

extension Readable {
  /// Hands over the taps, their ends and the resets of the ledger, oldest first.
  ///
  /// From `start` (inclusive) to `end` (exclusive), nil bounds are open; events of one instant come
  /// in the order of their arrival, one at a time. What `body` throws ends the reading.
  package func forEachFeatureUse(
    from start: Instant? = nil, to end: Instant? = nil, _ body: (FeatureUse) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT at, user_id, feature, kind, user_type,
          CAST(\(Self.parameter("subscription_status")) AS TEXT),
          \(Self.parameter("first_account_created_at")) + 0.0,
          CAST(\(Self.parameter("reset_reason")) AS TEXT)
        FROM events
        WHERE feature IS NOT NULL AND kind IN ('button_tapped', 'performed', 'blocked_limit_reached',
          'blocked_cooldown', 'subscription_button_tapped', 'limit_reset') AND at >= ?1 AND at < ?2
        ORDER BY at, id
        """,
      arguments: [start?.microseconds ?? .min, end?.microseconds ?? .max])
    while let row = try rows.next() { try body(try FeatureUse(row)) }
  }

  /// When the newest so many events of limited features began; nil when the time has no more.
  ///
  /// The bounds are those of `forEachFeatureUse`; it reads as many entries of the index `events_usage`.
  package func beginningOfFeatureEvents(
    newest count: Int, from start: Instant, to end: Instant
  ) throws -> Instant? {
    let newest = try Int64.fetchAll(
      reader.database,
      sql: """
        SELECT at FROM events WHERE feature IS NOT NULL AND at >= ? AND at < ?
        ORDER BY at DESC LIMIT 2 OFFSET ?
        """,
      arguments: [start.microseconds, end.microseconds, count - 1])
    return newest.count == 2 ? newest.first.map(Instant.init(microseconds:)) : nil
  }

  /// The value of a parameter with the event's own platform; a platform with a quote has none.
  private static func parameter(_ name: String) -> String {
    """
    (CASE WHEN instr(platform, '"') = 0
    THEN parameters ->> ('$."' || platform || '_\(name)"') END)
    """
  }
}

extension FeatureUse {
  fileprivate init(_ row: Row) throws {
    at = Instant(microseconds: row[0])
    userId = row.wholeText(1)
    feature = try row.choice("feature", of: "events")
    kind = try row.choice("kind", of: "events")
    userType = (row[4] as String?).flatMap(UserType.init(rawValue:))
    tier = (row[5] as String?).flatMap(Tier.init(rawValue:))
    // A text that is no number counts as 0, which means unknown.
    let createdAt: Double = row[6] ?? 0
    firstAccountCreatedAt = createdAt > 0 ? Instant(fractionalUnixSeconds: createdAt) : nil
    isManual = row[7] as String? == "manual"
  }
}
