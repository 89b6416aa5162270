import GRDB
import Model

/// The statements that store purchases, unless a stored row says more of the same event.
///
/// Most rows are new, and many go in at once: with one row per statement, much of the time would go
/// into starting and ending statements.
struct PurchaseInsertion {
  private static let rowsAtOnce = 50

  private static let columns = [
    "id", "event_id", "person", "previous_person", "subscription", "transaction_id", "product",
    "kind", "stated_kind", "at", "paid_until", "currency", "price", "proceeds_currency", "proceeds",
    "units", "store", "country", "environment", "source", "stated_at",
  ]

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
  /// The texts of the rows at hand, and the parameters that take them.
  private var bytes: [UInt8] = []
  private var texts: [(parameter: Int32, place: Range<Int>)] = []

  init(_ database: Database) throws {
    self.database = database
    let row = "(\(databaseQuestionMarks(count: Self.columns.count)))"
    let rows = [String](repeating: row, count: Self.rowsAtOnce).joined(separator: ", ")
    let names = Self.columns.joined(separator: ", ")
    let changes = Self.columns.dropFirst().map { "\($0) = excluded.\($0)" }
    many = try RawStatement(
      database, sql: "INSERT OR IGNORE INTO purchases (\(names)) VALUES \(rows)")
    one = try RawStatement(
      database,
      sql: """
        INSERT INTO purchases (\(names)) VALUES \(row)
        ON CONFLICT (id) DO UPDATE SET \(changes.joined(separator: ", "))
        WHERE \(Self.saying("excluded")) > \(Self.saying("purchases"))
        """)
  }

  mutating func insert(_ page: [Purchase]) throws {
    defer {
      many.reset()
      one.reset()
    }
    // In the order of the table, which costs the least.
    let order = page.indices.map { (id: page[$0].id, place: $0) }.sorted { $0.id < $1.id }
    for first in stride(from: 0, to: order.count, by: Self.rowsAtOnce) {
      let rows = order[first..<min(first + Self.rowsAtOnce, order.count)]
      if rows.count == Self.rowsAtOnce, try insertMany(rows, page) { continue }
      for (id, place) in rows {
        clear()
        try bind(page[place], id: id, to: one, after: 0)
        try run(one)
      }
    }
  }

  /// Whether all of the rows are new.
  private mutating func insertMany(
    _ rows: ArraySlice<(id: Int64, place: Int)>, _ page: [Purchase]
  ) throws -> Bool {
    let changes = database.totalChangesCount
    clear()
    var parameter: Int32 = 0
    for (id, place) in rows {
      try bind(page[place], id: id, to: many, after: parameter)
      parameter += Int32(Self.columns.count)
    }
    try run(many)
    return database.totalChangesCount - changes == Self.rowsAtOnce
  }

  private mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
  }

  private mutating func run(_ statement: RawStatement) throws {
    try bytes.withUnsafeBytes { bytes in
      for text in texts {
        try statement.bind(
          text: UnsafeRawBufferPointer(rebasing: bytes[text.place]), at: text.parameter)
      }
      try statement.run()
    }
  }

  /// Binds numbers and NULLs, and collects the texts for `run`.
  private mutating func bind(
    _ purchase: Purchase, id: Int64, to statement: RawStatement, after last: Int32
  ) throws {
    try statement.bind(id, at: last + 1)
    collect(purchase.eventId, last + 2)
    collect(purchase.person, last + 3)
    try collect(purchase.previousPerson, last + 4, statement)
    collect(purchase.subscription, last + 5)
    collect(purchase.transaction, last + 6)
    collect(purchase.product, last + 7)
    collect(purchase.kind.rawValue, last + 8)
    collect(purchase.kind.rawValue, last + 9)
    try statement.bind(purchase.at.microseconds, at: last + 10)
    try statement.bind(purchase.paidUntil?.microseconds, at: last + 11)
    try collect(purchase.price?.currency, last + 12, statement)
    try statement.bind(purchase.price?.amount, at: last + 13)
    try collect(purchase.proceeds?.currency, last + 14, statement)
    try statement.bind(purchase.proceeds?.amount, at: last + 15)
    try statement.bind(Int64(purchase.units), at: last + 16)
    collect(purchase.store, last + 17)
    try collect(purchase.country, last + 18, statement)
    collect(purchase.environment, last + 19)
    collect(purchase.source.rawValue, last + 20)
    try statement.bind(purchase.statedAt.microseconds, at: last + 21)
  }

  private mutating func collect(_ text: String, _ parameter: Int32) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    texts.append((parameter, start..<bytes.count))
  }

  private mutating func collect(
    _ text: String?, _ parameter: Int32, _ statement: RawStatement
  ) throws {
    guard let text else { return try statement.bindNull(at: parameter) }
    collect(text, parameter)
  }
}

extension Purchase {
  var environment: String { isSandbox ? "sandbox" : "production" }
}
