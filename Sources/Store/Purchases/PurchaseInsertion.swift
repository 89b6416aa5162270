import GRDB
import Model

/// The statements that store purchases, unless a stored row says more of the same event.
///
/// Most rows are new, and many go in at once: with one row per statement, much of the time would go
/// into starting and ending statements.
struct PurchaseInsertion {
  private static let rowsAtOnce = 50

  private static let columns = PurchaseRows.columns

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
  ///
  /// When the events of all rows are new, it needs no index of ids.
  func insert(_ page: PurchaseRows, areNew: Bool = false) throws {
    defer { for statement in [many, one, new] { statement.reset() } }
    try page.table.bytes.withUnsafeBytes { bytes in
      for first in stride(from: 0, to: page.count, by: Self.rowsAtOnce) {
        let rows = first..<min(first + Self.rowsAtOnce, page.count)
        if rows.count == Self.rowsAtOnce, try insertMany(rows, of: page, bytes) { continue }
        for row in rows { try run(areNew ? new : one, row..<row + 1, of: page, bytes) }
      }
    }
  }

  /// Whether all of the rows are new.
  private func insertMany(
    _ rows: Range<Int>, of page: PurchaseRows, _ bytes: UnsafeRawBufferPointer
  ) throws -> Bool {
    let changes = database.totalChangesCount
    try run(many, rows, of: page, bytes)
    return database.totalChangesCount - changes == rows.count
  }

  private func run(
    _ statement: RawStatement, _ rows: Range<Int>, of page: PurchaseRows,
    _ bytes: UnsafeRawBufferPointer
  ) throws {
    let width = page.table.width
    try statement.bind(
      page.table.cells[rows.lowerBound * width..<rows.upperBound * width], in: bytes)
    try statement.run()
  }
}
