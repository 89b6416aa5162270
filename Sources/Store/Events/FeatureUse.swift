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
  /// The counted uses that the event names: before a tap and a block, after a use; 0 or more.
  package var currentUsage: Int?
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
    let events = try RawStatement(
      reader.database,
      sql: """
        SELECT at, user_id, feature, kind, user_type, platform, parameters FROM events
        WHERE \(FeatureUse.condition) AND at >= ?1 AND at < ?2 AND \(Event.isOfPlatform("?3"))
        ORDER BY at, id
        """)
    defer { events.reset() }
    try events.bind(start?.microseconds ?? .min, at: 1)
    try events.bind(end?.microseconds ?? .max, at: 2)
    try platform?.bind(to: events, at: 3)
    while try events.step() { try body(try FeatureUse(events)) }
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

  private static let parameters = [
    "subscription_status", "first_account_created_at", "reset_reason", "current_usage",
  ].map { Array($0.utf8) }

  /// Reads the row that the statement of `forEachFeatureUse` is on.
  fileprivate init(_ row: RawStatement) throws {
    func text(_ column: Int32) -> String {
      String(decoding: row.text(column: column), as: UTF8.self)
    }
    let values = try ParameterText.stored(
      Self.parameters, of: row.text(column: 5), in: row.text(column: 6))
    at = Instant(microseconds: row.integer(column: 0))
    userId = text(1)
    feature = try Feature(stored: text(2), in: "feature", of: "events")
    kind = try EventKind(stored: text(3), in: "kind", of: "events")
    userType = UserType(rawValue: text(4))
    tier = values[0]?.text.flatMap(Tier.init(rawValue:))
    // Another text than a number means unknown, as 0 does.
    let createdAt = values[1]?.number ?? 0
    firstAccountCreatedAt = createdAt > 0 ? Instant(fractionalUnixSeconds: createdAt) : nil
    isManual = values[2]?.text == "manual"
    currentUsage = values[3]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
  }
}
