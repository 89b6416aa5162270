import GRDB
import Model

extension ExportQuery {
  /// Copies the rows into a table of an empty database file, and returns how many there were.
  ///
  /// Values keep their kinds: a column has its declared type only where that converts nothing.
  /// Nothing is durable before the caller flushes the file, and a failure leaves it unusable.
  ///
  /// - Throws: `StoreError` that names `destination`.
  package func copyRows(
    toDatabase file: String, table: String, named destination: String
  ) throws -> Int {
    let queue = try StoreError.translating(path: destination) {
      var configuration = Configuration()
      configuration.prepareDatabase {
        try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
      return try DatabaseQueue(path: file, configuration: configuration)
    }
    return try queue.writeWithoutTransaction { database in
      try database.beginTransaction()
      do {
        let count = try copyRows(into: table, database, named: destination)
        // Without a journal this is when the disk is written.
        try StoreError.translating(path: destination) { try database.commit() }
        return count
      } catch {
        if database.isInsideTransaction { try database.rollback() }
        throw error
      }
    }
  }

  private func copyRows(
    into table: String, _ database: Database, named destination: String
  ) throws -> Int {
    let insertion = try StoreError.translating(path: destination) {
      try database.execute(sql: creation(of: table))
      let values = columns.map { _ in "?" }.joined(separator: ", ")
      return try RawStatement(database, sql: "INSERT INTO \(table.quoted) VALUES (\(values))")
    }
    var count = 0
    try forEachRow { row in
      try StoreError.translating(path: destination) { try insertion.insert(row) }
      count += 1
    }
    return count
  }

  private func creation(of table: String) -> String {
    let declarations = columns.map { column in
      guard let type = column.declaredType, Self.keepingTypes.contains(type) else {
        return column.name.quoted
      }
      return "\(column.name.quoted) \(type)"
    }
    return "CREATE TABLE \(table.quoted) (\(declarations.joined(separator: ", ")))"
  }

  /// Types whose affinity the values have been through already.
  private static let keepingTypes: Set<String> = ["INTEGER", "REAL", "TEXT", "BLOB"]
}

extension RawStatement {
  fileprivate func insert(_ row: [TableCell]) throws {
    for (position, cell) in row.enumerated() {
      let index = Int32(position + 1)
      switch cell {
      case .null: try bindNull(at: index)
      case .integer(let number): try bind(number, at: index)
      case .real(let number): try bind(number, at: index)
      case .text(let text): try bind(text: text, at: index)
      case .blob(let blob): try bind(blob: blob, at: index)
      }
    }
    try run()
  }
}
