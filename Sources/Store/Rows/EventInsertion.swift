import GRDB
import Model

/// The statement that adds events to the ledger, many rows at once.
///
/// Half of the time of a statement of one row goes into beginning and ending it. `OR IGNORE` spares
/// SQLite the journal with which it could take half a statement back: an event that is known is all
/// that it ever ignores, since the columns that must not be NULL are none.
struct EventInsertion {
  static let rowsAtOnce = 100

  private static let columns: [String] = [
    "at", "name", "user_id", "parameters", "country", "app_version", "platform", "feature", "kind",
    "user_type", "stars", "source", "fingerprint",
  ]

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

  /// Inserts the rows of `range`, a multiple of `rowCount`, and returns how many were new.
  func insert(_ rows: EventRows, _ range: Range<Int>, source: String) throws -> Int {
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
          }
          try statement.run()
          added += database.changesCount
        }
      }
    }
    return added
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
