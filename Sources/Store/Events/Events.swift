import GRDB
package import Model

/// A selection of events; nil members select all.
package struct EventFilter: Hashable, Sendable {
  /// Inclusive.
  package var start: Instant?
  /// Exclusive.
  package var end: Instant?
  package var userId: String?
  package var name: String?

  package init(
    from start: Instant? = nil, to end: Instant? = nil, userId: String? = nil, name: String? = nil
  ) {
    self.start = start
    self.end = end
    self.userId = userId
    self.name = name
  }

  fileprivate static let condition = """
    at >= ?1 AND at < ?2 AND (?3 IS NULL OR user_id = ?3) AND (?4 IS NULL OR name = ?4)
    """

  fileprivate var arguments: StatementArguments {
    [start?.microseconds ?? .min, end?.microseconds ?? .max, userId, name]
  }
}

extension Readable {
  package func eventsCount(_ filter: EventFilter = EventFilter()) throws -> Int {
    guard filter != EventFilter() else { return try reader.count("SELECT count(*) FROM events") }
    return try reader.count(
      "SELECT count(*) FROM events WHERE \(EventFilter.condition)", filter.arguments)
  }

  /// The time of the newest event; nil without events.
  package func newestEventAt() throws -> Instant? {
    try reader.instant("SELECT max(at) FROM events")
  }

  /// The time of the oldest event that came by import, else of the oldest one; nil without events.
  package func ledgerBeginsAt() throws -> Instant? {
    let own = "source = '\(Event.ownSource)'"
    return try reader.instant("SELECT at FROM events WHERE NOT \(own) ORDER BY at LIMIT 1")
      ?? reader.instant("SELECT min(at) FROM events")
  }

  /// At most `limit` events, the newest first.
  package func newestEvents(_ filter: EventFilter, limit: Int) throws -> [Event] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: "\(Event.columns) WHERE \(EventFilter.condition) ORDER BY at DESC, id DESC LIMIT ?5",
      arguments: filter.arguments + [limit])
    return try Array(rows.map { try Event($0) })
  }

  /// Calls `body` with each event, oldest first, one in memory at a time.
  ///
  /// Events of one instant come in the order in which they were stored. An error of `body` ends the
  /// reading.
  package func forEachEvent(
    _ filter: EventFilter = EventFilter(), _ body: (Event) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: "\(Event.columns) WHERE \(EventFilter.condition) ORDER BY at, id",
      arguments: filter.arguments)
    while let row = try rows.next() { try body(Event(row)) }
  }
}

extension Event {
  static let columns = """
    SELECT name, at, user_id, country, app_version, parameters FROM events
    """

  /// Reads a row of `columns`.
  init(_ row: Row) throws {
    var text = row.wholeText(5)
    guard let parameters = text.withUTF8({ ParameterText.parameters($0) }) else {
      throw UnreadableCell(table: "events", column: "parameters", value: text)
    }
    self.init(
      name: row.wholeText(0), at: Instant(microseconds: row[1]), userId: row.wholeText(2),
      parameters: parameters, country: (row[3] as WholeText?)?.string,
      appVersion: (row[4] as WholeText?)?.string)
  }
}
