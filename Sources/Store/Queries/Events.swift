import GRDB
package import Model

extension Readable {
  package func eventsCount() throws -> Int {
    try reader.count("SELECT count(*) FROM events")
  }

  /// The newest event of the ledger; nil when it is empty.
  package func newestEventAt() throws -> Instant? {
    try Int64.fetchOne(reader.database, sql: "SELECT max(at) FROM events")
      .map(Instant.init(microseconds:))
  }

  /// Hands over the events from `start` (inclusive) to `end` (exclusive), oldest first.
  ///
  /// Events of one instant come in the order of their arrival. One event at a time is in memory;
  /// what `body` throws ends the reading. Nil bounds are open, a nil user is everybody. SQLite's JSON
  /// reader ends a parameter's text at its first NUL.
  package func forEachEvent(
    from start: Instant? = nil, to end: Instant? = nil, userId: String? = nil,
    _ body: (Event) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT e.id, e.name, e.at, e.user_id, e.country, e.app_version, p.key, p.type, p.atom
        FROM events AS e LEFT JOIN json_each(e.parameters) AS p
        WHERE e.at >= ?1 AND e.at < ?2 AND (?3 IS NULL OR e.user_id = ?3)
        ORDER BY e.at, e.id
        """,
      arguments: [start?.microseconds ?? .min, end?.microseconds ?? .max, userId])
    var current: (id: Int64, event: Event)?
    while let row = try rows.next() {
      let id: Int64 = row[0]
      if let done = current, done.id != id { try body(done.event) }
      if current?.id != id { current = (id, Event(row)) }
      if let key = row[6] as WholeText? {
        current?.event.parameters[key.string] = EventValue(row)
      }
    }
    if let current { try body(current.event) }
  }
}

extension Event {
  fileprivate init(_ row: Row) {
    self.init(
      name: row.wholeText(1), at: Instant(microseconds: row[2]), userId: row.wholeText(3),
      country: (row[4] as WholeText?)?.string, appVersion: (row[5] as WholeText?)?.string)
  }
}

extension EventValue {
  fileprivate init(_ row: Row) {
    let type: String = row[7]
    switch type {
    case "integer": self = .integer(row[8])
    case "real": self = .double(row[8])
    default: self = .string(row.wholeText(8))
    }
  }
}
