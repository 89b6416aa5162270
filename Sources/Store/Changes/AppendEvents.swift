import GRDB
package import Model

/// How many events were new to the ledger.
package struct AppendCounts: Hashable, Sendable {
  package var added: Int
  package var duplicates: Int

  package init(added: Int = 0, duplicates: Int = 0) {
    self.added = added
    self.duplicates = duplicates
  }

  package static func += (left: inout AppendCounts, right: AppendCounts) {
    left.added += right.added
    left.duplicates += right.duplicates
  }
}

extension Writer {
  /// Adds the events that the ledger does not hold; the same ones again add nothing.
  ///
  /// Two events are the same when name, instant, user and parameters are, wherever they come from.
  /// `source` says where they came from: a file, or the command that made them.
  @discardableResult
  package func append(
    _ events: some Sequence<Event>, source: String
  ) throws -> AppendCounts {
    let statement = try RawStatement(database, sql: Self.insertEvent)
    defer { statement.reset() }
    var counts = AppendCounts()
    var row = EventRow()
    let sourceBytes = Array(source.utf8)
    for event in events {
      row.fill(event)
      try sourceBytes.withUnsafeBytes { source in
        try statement.bind(text: source, at: 12)
        try statement.insert(row, at: event.at)
      }
      if database.changesCount == 1 { counts.added += 1 } else { counts.duplicates += 1 }
    }
    return counts
  }

  private static let insertEvent = """
    INSERT INTO events (at, name, user_id, parameters, country, app_version, platform, feature,
    kind, user_type, stars, source, fingerprint, quarter)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) ON CONFLICT DO NOTHING
    """
}

extension RawStatement {
  fileprivate func insert(_ row: EventRow, at instant: Instant) throws {
    try bind(instant.microseconds, at: 1)
    try bind(row.stars, at: 11)
    try bind(row.fingerprint, at: 13)
    try bind(EventRow.quarter(of: instant), at: 14)
    let texts = [
      row.name, row.userId, row.parameters, row.country, row.appVersion, row.platform,
      row.feature, row.kind, row.userType,
    ]
    try row.bytes.withUnsafeBytes { bytes in
      for (index, range) in texts.enumerated() {
        try bind(optionalText: range, in: bytes, at: Int32(index + 2))
      }
      try run()
    }
  }

  private func bind(
    optionalText range: Range<Int>?, in bytes: UnsafeRawBufferPointer, at index: Int32
  ) throws {
    guard let range else { return try bindNull(at: index) }
    try bind(text: UnsafeRawBufferPointer(rebasing: bytes[range]), at: index)
  }
}
