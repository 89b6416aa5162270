import GRDB
import Model

/// The statements that store purchases, unless a stored row says more of the same event.
///
/// Most rows are new, and many go in at once: with one row per statement, much of the time would go
/// into starting and ending statements.
struct PurchaseInsertion {
  private static let rowsAtOnce = 50

  /// In the order in which `bind` binds them.
  private static let columns =
    ["id", "at", "paid_until", "price", "proceeds", "units", "stated_at"] + PurchaseRows.textColumns

  /// What a row says, as a value that SQLite compares: the largest one stays, so that the order in
  /// which rows arrive does not matter.
  private static func saying(_ row: String) -> String {
    let ranks = PurchaseSource.allCases.map { "WHEN '\($0.rawValue)' THEN \($0.rank)" }
    let compared = columns.filter { !["id", "kind", "stated_at"].contains($0) }
    return "(CASE \(row).source \(ranks.joined(separator: " ")) END, \(row).stated_at, "
      + compared.map { "ifnull(\(row).\($0), '')" }.joined(separator: ", ") + ")"
  }

  private let database: Database
  /// Skips rows whose event is stored; OR IGNORE can only skip these, as no value is missing.
  private let many: RawStatement
  private let one: RawStatement
  private let new: RawStatement

  init(_ database: Database) throws {
    self.database = database
    let row = "(\(databaseQuestionMarks(count: Self.columns.count)))"
    let rows = [String](repeating: row, count: Self.rowsAtOnce).joined(separator: ", ")
    let names = Self.columns.joined(separator: ", ")
    let changes = Self.columns.dropFirst().map { "\($0) = excluded.\($0)" }
    many = try RawStatement(
      database, sql: "INSERT OR IGNORE INTO purchases (\(names)) VALUES \(rows)")
    new = try RawStatement(database, sql: "INSERT INTO purchases (\(names)) VALUES \(row)")
    one = try RawStatement(
      database,
      sql: """
        INSERT INTO purchases (\(names)) VALUES \(row)
        ON CONFLICT (id) DO UPDATE SET \(changes.joined(separator: ", "))
        WHERE \(Self.saying("excluded")) > \(Self.saying("purchases"))
        """)
  }

  /// Stores the page's rows, unless a stored row says more of the same event.
  func insert(_ page: PurchaseRows) throws {
    try forEachPart(of: Array(page.rows.indices), in: page) { rows, bytes in
      if rows.count == Self.rowsAtOnce, try insertMany(rows, of: page, bytes) { return }
      for row in rows { try insertOne(row, of: page, bytes, by: one) }
    }
  }

  /// Stores the page's rows at these places, whose events are new; it needs no index of ids.
  func insert(_ places: [Int], ofNewEventsIn page: PurchaseRows) throws {
    try forEachPart(of: places, in: page) { rows, bytes in
      if rows.count == Self.rowsAtOnce {
        _ = try insertMany(rows, of: page, bytes)
      } else {
        for row in rows { try insertOne(row, of: page, bytes, by: new) }
      }
    }
  }

  private func forEachPart(
    of places: [Int], in page: PurchaseRows,
    _ body: (ArraySlice<Int>, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    defer { for statement in [many, one, new] { statement.reset() } }
    try page.bytes.withUnsafeBytes { bytes in
      for first in stride(from: 0, to: places.count, by: Self.rowsAtOnce) {
        try body(places[first..<min(first + Self.rowsAtOnce, places.count)], bytes)
      }
    }
  }

  private func insertOne(
    _ row: Int, of page: PurchaseRows, _ bytes: UnsafeRawBufferPointer, by statement: RawStatement
  ) throws {
    try bind(row, of: page, bytes, to: statement, after: 0)
    try statement.run()
  }

  /// Whether all of the rows are new.
  private func insertMany(
    _ rows: ArraySlice<Int>, of page: PurchaseRows, _ bytes: UnsafeRawBufferPointer
  ) throws -> Bool {
    let changes = database.totalChangesCount
    var parameter: Int32 = 0
    for row in rows {
      try bind(row, of: page, bytes, to: many, after: parameter)
      parameter += Int32(Self.columns.count)
    }
    try many.run()
    return database.totalChangesCount - changes == rows.count
  }

  private func bind(
    _ place: Int, of page: PurchaseRows, _ bytes: UnsafeRawBufferPointer,
    to statement: RawStatement, after last: Int32
  ) throws {
    let row = page.rows[place]
    try statement.bind(row.id, at: last + 1)
    try statement.bind(row.at.microseconds, at: last + 2)
    try statement.bind(row.paidUntil?.microseconds, at: last + 3)
    try statement.bind(row.price, at: last + 4)
    try statement.bind(row.proceeds, at: last + 5)
    try statement.bind(Int64(row.units), at: last + 6)
    try statement.bind(row.statedAt.microseconds, at: last + 7)
    var parameter = last + 7
    for cell in page.cells(ofRow: place) {
      parameter += 1
      guard cell.count >= 0 else {
        try statement.bindNull(at: parameter)
        continue
      }
      let end = Int(cell.start) + Int(cell.count)
      try statement.bind(
        text: UnsafeRawBufferPointer(rebasing: bytes[Int(cell.start)..<end]), at: parameter)
    }
  }
}
