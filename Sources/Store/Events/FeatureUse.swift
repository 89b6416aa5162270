import GRDB
package import Model

/// One event about a limited feature, with what a replay needs.
package struct FeatureUse: Hashable, Sendable {
  package var at: Instant
  package var userId: String
  package var feature: Feature
  package var kind: EventKind
  /// Nil when the event has none.
  package var tier: Tier?
  package var userType: UserType?
  package var firstAccountCreatedAt: Instant?
  /// Whether a `limitReset` was asked for by a person.
  package var isManual = false

  /// Whether the event says whose it is; a profile without a user id has `profile NAME`.
  package var namesPerson: Bool { !userId.isEmpty }
}

extension Readable {
  /// Calls `body` with each tap, result of a tap and reset, oldest first, one in memory at a time.
  ///
  /// From `start` (inclusive) to `end` (exclusive); nil bounds are open. Events of one instant come
  /// in the order in which they were stored. An error of `body` ends the reading.
  package func forEachFeatureUse(
    from start: Instant? = nil, to end: Instant? = nil, on platform: String? = nil,
    _ body: (FeatureUse) throws -> Void
  ) throws {
    try reader.forEachRow(
      """
      SELECT at, user_id, feature, kind, user_type,
        CAST(\(Event.parameter("subscription_status")) AS TEXT),
        \(Event.parameter("first_account_created_at")) + 0.0,
        CAST(\(Event.parameter("reset_reason")) AS TEXT)
      FROM events
      WHERE \(FeatureUse.condition) AND at >= ?1 AND at < ?2 AND \(Event.isOfPlatform("?3"))
      ORDER BY at, id
      """, [start?.microseconds ?? .min, end?.microseconds ?? .max, platform]
    ) { row in try body(try FeatureUse(row)) }
  }

  /// The time of the oldest of the newest `count` events of limited features that a replay reads;
  /// nil with no more of them.
  ///
  /// The bounds and events are those of `forEachFeatureUse`. It reads the entries of the index
  /// `events_usage` back to that time.
  package func beginningOfFeatureEvents(
    newest count: Int, from start: Instant, to end: Instant, on platform: String? = nil
  ) throws -> Instant? {
    let newest: [Int64] = try reader.values(
      """
      SELECT at FROM events WHERE \(FeatureUse.condition) AND at >= ?1 AND at < ?2
        AND \(Event.isOfPlatform("?3"))
      ORDER BY at DESC LIMIT 2 OFFSET ?4
      """, [start.microseconds, end.microseconds, platform, count - 1])
    return newest.count == 2 ? newest.first.map(Instant.init(microseconds:)) : nil
  }
}

extension FeatureUse {
  /// The events that decide allowances; popups and prices decide none.
  fileprivate static let condition = """
    feature IS NOT NULL AND kind IN ('button_tapped', 'performed', 'blocked_limit_reached',
      'blocked_cooldown', 'subscription_button_tapped', 'limit_reset')
    """

  fileprivate init(_ row: Row) throws {
    at = Instant(microseconds: row[0])
    userId = row.wholeText(1)
    feature = try row.choice("feature", of: "events")
    kind = try row.choice("kind", of: "events")
    userType = (row[4] as String?).flatMap(UserType.init(rawValue:))
    tier = (row[5] as String?).flatMap(Tier.init(rawValue:))
    // Another text than a number reads as 0, which means unknown.
    let createdAt: Double = row[6] ?? 0
    firstAccountCreatedAt = createdAt > 0 ? Instant(fractionalUnixSeconds: createdAt) : nil
    isManual = row[7] as String? == "manual"
  }
}
