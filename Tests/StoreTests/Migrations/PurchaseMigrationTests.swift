import Fixtures
import GRDB
import Testing

@testable import Store

@Suite struct PurchaseMigrationTests {
  /// Returns a database of the schema that 0.3.0 made.
  private static func database030() throws -> DatabaseQueue {
    let connection = try DatabaseQueue()
    try Schema.migrate(connection, Schema.migrations.filter { $0.version <= 39 })
    return connection
  }

  @Test func `purchases of 0.3.0 are kept, one of each id`() throws {
    let connection = try Self.database030()
    let columns = try connection.read { try $0.columns(in: "purchases").map(\.name) }
    // Each column has a value of its own, so that none can take the place of another.
    let values = columns.enumerated().map { "\(1_000 + $0.offset)" }
    try connection.write {
      try $0.execute(
        sql: """
          INSERT INTO purchases (\(columns.joined(separator: ", ")))
          VALUES (\(values.joined(separator: ", ")))
          """)
    }
    try Schema.migrate(connection, Schema.migrations)
    #expect(try connection.read { try $0.columns(in: "purchases").map(\.name) } == columns)
    let texts = try connection.read { database in
      try columns.map {
        try String.fetchOne(database, sql: "SELECT CAST(\($0) AS TEXT) FROM purchases")
      }
    }
    #expect(texts == values)
    #expect(
      try connection.read {
        try String.fetchOne($0, sql: "SELECT count(*) || ' ' || max(id) FROM v_purchases")
      } == "1 1000")
    #expect(throws: DatabaseError.self) {
      try connection.write {
        try $0.execute(sql: "INSERT INTO purchases SELECT * FROM purchases")
      }
    }
    let indexes = try connection.read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT name FROM sqlite_schema WHERE tbl_name = 'purchases' AND type = 'index'
          ORDER BY name
          """)
    }
    #expect(indexes == ["purchases_id", "purchases_subscription"])
  }
}
