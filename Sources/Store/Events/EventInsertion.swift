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
  /// Events that name no platform are of each.
  package var platform: String?

  package init(
    from start: Instant? = nil, to end: Instant? = nil, userId: String? = nil, name: String? = nil,
    platform: String? = nil
  ) {
    self.start = start
    self.end = end
    self.userId = userId
    self.name = name
    self.platform = platform
  }

  fileprivate static let condition = """
    at >= ?1 AND at < ?2 AND (?3 IS NULL OR user_id = ?3) AND (?4 IS NULL OR name = ?4)
      AND \(Event.isOfPlatform("?5"))
    """

  fileprivate var arguments: StatementArguments {
    [start?.microseconds ?? .min, end?.microseconds ?? .max, userId, name, platform]
  }
}

extension Readable {
  package func eventsCount(_ filter: EventFilter = EventFilter()) throws -> Int {
    guard filter != EventFilter() else { return try reader.count("SELECT count(*) FROM events") }
    return try reader.count(
      "SELECT count(*) FROM events WHERE \(EventFilter.condition)", filter.arguments)
  }

  package func newestEvents(_ filter: EventFilter, limit: Int) throws -> [Event] {
    try reader.rows(
      "\(Event.columns) WHERE \(EventFilter.condition) ORDER BY at DESC, id DESC LIMIT ?6",
      filter.arguments + [limit]
    ) { try Event($0) }
  }

  /// Calls `body` with each event, oldest first, one in memory at a time.
  ///
  /// Events of one instant come in the order in which they were stored. An error of `body` ends the
  /// reading.
  package func forEachEvent(
    _ filter: EventFilter = EventFilter(), _ body: (Event) throws -> Void
  ) throws {
    try reader.forEachRow(
      "\(Event.columns) WHERE \(EventFilter.condition) ORDER BY at, id", filter.arguments
    ) { row in try body(Event(row)) }
  }
}

extension Event {
  static let columns = """
    SELECT name, at, user_id, country, app_version, parameters,
      CASE WHEN feature IS NULL THEN platform END FROM events
    """

  /// The SQL of a parameter under the event's platform; NULL for a platform with a quote.
  static func parameter(_ name: String) -> String {
    """
    (CASE WHEN instr(platform, '"') = 0
    THEN parameters ->> ('$."' || platform || '_\(name)"') END)
    """
  }

  /// The SQL of whether an event is of a platform, or of none; of NULL all are.
  static func isOfPlatform(_ parameter: String) -> String {
    "(\(parameter) IS NULL OR platform IS NULL OR platform = \(parameter))"
  }

  init(_ row: Row) throws {
    var text = row.wholeText(5)
    guard let parameters = text.withUTF8({ ParameterText.parameters($0) }) else {
      throw ParameterText.unreadable(text)
    }
    self.init(
      name: row.wholeText(0), at: Instant(microseconds: row[1]), userId: row.wholeText(2),
      parameters: parameters, country: (row[3] as WholeText?)?.string,
      appVersion: (row[4] as WholeText?)?.string, platform: (row[6] as WholeText?)?.string)
  }
}

package struct AppendCounts: Hashable, Sendable {
  package var added: Int = 0
  package var duplicates: Int = 0
}

extension Writer {
  /// Adds events; those that are already stored are skipped.
  ///
  /// Events are equal when name, instant, user and parameters are, whatever their source. `source`
  /// is the file, or the command that made them.
  @discardableResult
  package func append(
    _ events: some Sequence<Event>, source: String
  ) throws -> AppendCounts {
    var encoder = EventRowEncoder()
    var rows = EventRows()
    for event in events { encoder.append(event, to: &rows) }
    rows.seal()
    return try append(rows, source: source)
  }

  /// Adds encoded events in their order; those that are already stored are skipped.
  ///
  /// `pieces` are the rows in `event_exports` of the rows' origins, which begin with 1; a row
  /// without one is of no piece. With `claims`, a piece also keeps a row that another has brought.
  ///
  /// - Precondition: the rows are sealed.
  @discardableResult
  package func append(
    _ rows: EventRows, source: String, pieces: [Int64] = [], claims: Bool = false
  ) throws -> AppendCounts {
    let pieces = EventInsertion.Pieces(ids: pieces, areClaiming: claims)
    let whole = rows.count - rows.count % EventInsertion.rowsAtOnce
    var added = 0
    if whole > 0 {
      let many = try EventInsertion(database, rowCount: EventInsertion.rowsAtOnce)
      added += try many.insert(rows, 0..<whole, source: source, of: pieces)
    }
    if whole < rows.count {
      let one = try EventInsertion(database, rowCount: 1)
      added += try one.insert(rows, whole..<rows.count, source: source, of: pieces)
    }
    return AppendCounts(added: added, duplicates: rows.count - added)
  }
}

/// The statement that inserts events, many rows at once.
///
/// With one row per statement, half of the time goes into starting and ending statements. `OR
/// IGNORE` spares SQLite its statement journal. It can only skip duplicates: no insert leaves a NOT
/// NULL column NULL.
struct EventInsertion {
  static let rowsAtOnce = 100

  private static let columns: [String] = [
    "at", "name", "user_id", "parameters", "country", "app_version", "platform", "feature", "kind",
    "user_type", "stars", "source", "fingerprint", "export_id",
  ]

  /// Which piece of the export each row is of.
  struct Pieces {
    /// By the number of the row's origin, from 1.
    let ids: [Int64]
    let areClaiming: Bool

    /// Nil for a row of no piece.
    func id(of row: EventRows.Row) -> Int64? {
      row.origin > 0 && Int(row.origin) <= ids.count ? ids[Int(row.origin) - 1] : nil
    }
  }

  private let statement: RawStatement
  private let database: Database
  private let rowCount: Int

  init(_ database: Database, rowCount: Int) throws {
    let row = "(\([String](repeating: "?", count: Self.columns.count).joined(separator: ",")))"
    let values = [String](repeating: row, count: rowCount).joined(separator: ",")
    statement = try RawStatement(
      database,
      sql: """
        INSERT OR IGNORE INTO events (\(Self.columns.joined(separator: ", "))) VALUES \(values)
        """)
    self.database = database
    self.rowCount = rowCount
  }

  /// Inserts the rows of `range`, whose count is a multiple of `rowCount`; returns how many were
  /// new.
  func insert(
    _ rows: EventRows, _ range: Range<Int>, source: String, of pieces: Pieces
  ) throws -> Int {
    var source = source
    var added = 0
    try source.withUTF8 { source in
      try rows.bytes.withUnsafeBytes { bytes in
        defer { statement.reset() }
        for first in stride(from: range.lowerBound, to: range.upperBound, by: rowCount) {
          for place in 0..<rowCount {
            let index = Int32(place * Self.columns.count)
            try bind(
              rows.rows[first + place], in: bytes, source: UnsafeRawBufferPointer(source),
              after: index)
            try statement.bind(rows.fingerprints[first + place], at: index + 13)
            try statement.bind(pieces.id(of: rows.rows[first + place]), at: index + 14)
          }
          try statement.run()
          let new = database.changesCount
          added += new
          if new < rowCount, pieces.areClaiming {
            try claim(rows, first..<first + rowCount, of: pieces)
          }
        }
      }
    }
    return added
  }

  /// Notes the rows that pieces share with those that brought them first.
  private func claim(_ rows: EventRows, _ range: Range<Int>, of pieces: Pieces) throws {
    let claim = try RawStatement(
      database,
      sql: """
        INSERT OR IGNORE INTO event_claims (at, fingerprint, export_id)
        SELECT at, fingerprint, ?3 FROM events
        WHERE at = ?1 AND fingerprint = ?2 AND export_id <> ?3
        """)
    for place in range {
      guard let id = pieces.id(of: rows.rows[place]) else { continue }
      try claim.run(with: rows.rows[place].at.microseconds, rows.fingerprints[place], id)
    }
  }

  private func bind(
    _ row: EventRows.Row, in bytes: UnsafeRawBufferPointer, source: UnsafeRawBufferPointer,
    after index: Int32
  ) throws {
    try statement.bind(row.at.microseconds, at: index + 1)
    try statement.bind(row.name, in: bytes, at: index + 2)
    try statement.bind(row.userId, in: bytes, at: index + 3)
    try statement.bind(row.parameters, in: bytes, at: index + 4)
    try statement.bind(row.country, in: bytes, at: index + 5)
    try statement.bind(row.appVersion, in: bytes, at: index + 6)
    try statement.bind(row.platform, in: bytes, at: index + 7)
    try statement.bind(row.feature, in: bytes, at: index + 8)
    try statement.bind(row.kind, in: bytes, at: index + 9)
    try statement.bind(row.userType, in: bytes, at: index + 10)
    try statement.bind(row.stars, at: index + 11)
    try statement.bind(text: source, at: index + 12)
  }
}

extension RawStatement {
  fileprivate func bind(
    _ cell: EventRows.Cell, in bytes: UnsafeRawBufferPointer, at index: Int32
  ) throws {
    guard cell.count >= 0 else { return try bindNull(at: index) }
    let start = Int(cell.start)
    try bind(
      text: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(cell.count)]), at: index)
  }
}
