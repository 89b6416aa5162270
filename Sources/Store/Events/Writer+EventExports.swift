import GRDB
package import Model

/// What is known of GA4's export day by day: the tables `event_exports` and `event_claims`.
extension Readable {
  /// The pieces of a day, the oldest first.
  package func exportPieces(ofDay day: Int) throws -> [ExportPiece] {
    try reader.rows("SELECT * FROM event_exports WHERE day = ? ORDER BY id", [day]) { row in
      let name = ExportFileName(
        table: try row.choice("table_kind", of: "event_exports"), day: row["day"],
        part: row["part"], series: row["series"])
      var piece = ExportPiece(row["path"], version: row["version"], name: name, day: row["day"])
      piece.id = row["id"]
      piece.state = try row.choice("state", of: "event_exports")
      piece.rows.streams = Set(try row.json("streams", of: "event_exports") as [String])
      piece.rows.first = row.instant("first_at")
      piece.rows.last = row.instant("last_at")
      piece.rows.digest = row["digest"]
      return piece
    }
  }

  /// How many events the pieces have together, those included that others brought as well.
  package func eventsCount(ofPieces pieces: [ExportPiece]) throws -> Int {
    guard let span = Self.span(of: pieces) else { return 0 }
    return try reader.count(
      """
      SELECT count(*) FROM events
      WHERE at BETWEEN ?1 AND ?2 AND (export_id IN (SELECT value FROM json_each(?3))
        OR EXISTS (SELECT 1 FROM event_claims AS claim
          WHERE claim.at = events.at AND claim.fingerprint = events.fingerprint
            AND claim.export_id IN (SELECT value FROM json_each(?3))))
      """, span + [Self.list(pieces)])
  }

  /// How the events of a piece and of others of its day differ.
  package func difference(
    of piece: ExportPiece, from others: [ExportPiece]
  ) throws -> EventDifference {
    guard !others.isEmpty, let span = Self.span(of: [piece]) else { return EventDifference() }
    let arguments = span + [piece.id, Self.list(others)]
    let isOther = "old.export_id IN (SELECT value FROM json_each(?4))"
    return EventDifference(
      rows: try eventsCount(ofPieces: [piece]),
      changed: try reader.count(
        """
        SELECT count(*) FROM events AS new
        WHERE new.at BETWEEN ?1 AND ?2 AND new.export_id = ?3 AND EXISTS (
          SELECT 1 FROM events AS old
          WHERE old.at = new.at AND old.name = new.name AND \(isOther))
        """, arguments),
      shared: try reader.count(
        """
        SELECT count(*) FROM events AS old JOIN event_claims AS claim
          ON claim.at = old.at AND claim.fingerprint = old.fingerprint AND claim.export_id = ?3
        WHERE old.at BETWEEN ?1 AND ?2 AND \(isOther)
        """, arguments),
      others: try reader.count(
        "SELECT count(*) FROM events AS old WHERE old.at BETWEEN ?1 AND ?2 AND ?3 > 0 AND \(isOther)",
        arguments))
  }

  fileprivate static func list(_ pieces: [ExportPiece]) -> String {
    "[\(pieces.map { String($0.id) }.joined(separator: ","))]"
  }

  /// The first and the last instant of the pieces' rows; nil without rows.
  fileprivate static func span(of pieces: [ExportPiece]) -> StatementArguments? {
    guard let first = pieces.compactMap(\.rows.first).min(),
      let last = pieces.compactMap(\.rows.last).max()
    else { return nil }
    return [first.microseconds, last.microseconds]
  }
}

/// Rows of a day of the export beside those that came before.
package struct EventDifference: Hashable, Sendable {
  /// Rows of the later piece.
  package var rows = 0
  /// Rows that were missing, beside an event of that instant and name.
  package var changed = 0
  /// Rows that were stored.
  package var shared = 0
  /// Rows that were stored within the time of the later piece, the shared ones included.
  package var others = 0

  /// Whether the pieces seem to be two exports of the same events.
  ///
  /// Two events of one name rarely share a microsecond, but in a large export some do.
  package var isRepetition: Bool {
    changed > 0 && changed * 100 >= rows || shared < others && 2 * shared >= others
  }
}

extension Writer {
  /// Stores a piece; returns its row.
  package func save(_ piece: ExportPiece) throws -> Int64 {
    var values: [ColumnValue] = [
      ("day", piece.day), ("path", piece.path), ("version", piece.version),
      ("table_kind", piece.name.table.rawValue), ("series", piece.name.series),
      ("part", piece.name.part), ("streams", try StoredJSON.text(of: piece.rows.streams.sorted())),
      ("first_at", piece.rows.first?.microseconds), ("last_at", piece.rows.last?.microseconds),
      ("digest", piece.rows.digest), ("state", piece.state.rawValue),
    ]
    if piece.id > 0 { values.append(("id", piece.id)) }
    return try insert(into: "event_exports", values, orReplace: true)
  }

  /// Forgets that a file waited, or that another took its place; its rows stay.
  package func forgetUnstored(_ path: String, ofDay day: Int) throws {
    try run(
      "DELETE FROM event_exports WHERE day = ? AND path = ? AND state <> 'stored'", [day, path])
  }

  /// Removes the events of the pieces; those that others brought as well stay with them.
  ///
  /// The pieces are remembered as replaced, except those of the paths that come again.
  package func remove(_ pieces: [ExportPiece], comingAgain paths: Set<String>) throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS removed_events (at INTEGER, fingerprint INTEGER,
          PRIMARY KEY (at, fingerprint)) WITHOUT ROWID;
        DELETE FROM temp.removed_events;
        """)
    guard !pieces.isEmpty else { return }
    let list = Self.list(pieces)
    let isOfPieces = "export_id IN (SELECT value FROM json_each(?))"
    try run("DELETE FROM event_claims WHERE \(isOfPieces)", [list])
    if let span = Self.span(of: pieces) {
      let owned = "at BETWEEN ? AND ? AND \(isOfPieces)"
      let claims = """
        event_claims AS claim
        WHERE claim.at = events.at AND claim.fingerprint = events.fingerprint
        """
      if try reader.hasRow(in: "event_claims") {
        try run(
          """
          UPDATE events SET export_id = (SELECT min(claim.export_id) FROM \(claims))
          WHERE \(owned) AND EXISTS (SELECT 1 FROM \(claims))
          """, span + [list])
        try run(
          """
          DELETE FROM event_claims WHERE EXISTS (SELECT 1 FROM events
            WHERE events.at = event_claims.at AND events.fingerprint = event_claims.fingerprint
              AND events.export_id = event_claims.export_id)
          """)
      }
      try run(
        """
        INSERT OR IGNORE INTO temp.removed_events (at, fingerprint)
        SELECT at, fingerprint FROM events WHERE \(owned)
        """, span + [list])
      try run("DELETE FROM events WHERE \(owned)", span + [list])
    }
    for piece in pieces {
      if paths.contains(piece.path) {
        try run("DELETE FROM event_exports WHERE id = ?", [piece.id])
      } else {
        try run("UPDATE event_exports SET state = 'replaced' WHERE id = ?", [piece.id])
      }
    }
  }

  /// How many of the events that `remove` took away are there again; each is counted once.
  package func takeKeptEvents() throws -> Int {
    try run(
      """
      DELETE FROM temp.removed_events WHERE EXISTS (SELECT 1 FROM events
        WHERE events.at = removed_events.at AND events.fingerprint = removed_events.fingerprint)
      """)
  }

  /// Forgets the claims of events that are gone.
  func removeClaimsOfMissingEvents() throws {
    try run(
      """
      DELETE FROM event_claims WHERE NOT EXISTS (SELECT 1 FROM events
        WHERE events.at = event_claims.at AND events.fingerprint = event_claims.fingerprint)
      """)
  }
}
