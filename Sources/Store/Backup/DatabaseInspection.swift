import GRDB
import Model

/// What a database file of any schema holds, and whether it is sound.
package struct DatabaseInspection: Hashable, Sendable {
  /// The number of migrations that were applied to it; 0 where damage hides it.
  package var schema: Int
  /// Rows by table, SQLite's own tables left out.
  package var counts: [String: Int]
  /// The project that it holds data of; nil for none.
  package var project: String?
  /// What SQLite finds wrong, a sentence each; empty for a sound file.
  package var problems: [String]

  /// Reads every page of a file without a log that nobody writes to; nothing is changed.
  ///
  /// - Throws: `StoreError` for a file that is not a database of Firetally, or cannot be opened.
  package init(ofFile path: String) throws {
    self = try StoreError.translating(path: path) {
      do {
        let connection = try DatabaseFile.connectImmutable(path: path)
        let inspection = try connection.read { try DatabaseInspection($0, path: path) }
        try connection.close()
        return inspection
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return DatabaseInspection(damaged: error)
      }
    }
  }

  /// Damage that keeps even the list of tables from being read.
  private init(damaged error: DatabaseError) {
    (schema, counts, project) = (0, [:], nil)
    problems = [error.message ?? "the file is damaged"]
  }

  private init(_ database: Database, path: String) throws {
    schema = try Schema.foundVersion(database, path: path)
    guard schema > 0 else { throw StoreError.foreignDatabase(path: path) }
    problems = try Self.problems(in: database)
    (counts, project) = ([:], nil)
    // Rows of a damaged file are not worth counting.
    guard problems.isEmpty else { return }
    let tables = try Self.tables(of: database)
    for table in tables {
      counts[table] = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.quoted)")
    }
    guard tables.contains("marks") else { return }
    project = try Reader(database: database).mark(named: Self.projectName)
  }

  /// The name under which a workspace stores whose data it holds.
  package static let projectName: MarkName = "origin"

  /// The names of all tables but SQLite's own, sorted.
  static func tables(of database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name
        """)
  }

  /// The first problems of pages and indexes, then those of foreign keys.
  private static func problems(in database: Database) throws -> [String] {
    let mostProblems = 10
    var problems: [String] = []
    do {
      problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(mostProblems))")
        .filter { $0 != "ok" }
      let rows = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
      while problems.count < mostProblems, let row = try rows.next() {
        let (table, parent): (String, String) = (row[0], row[2])
        problems.append("a row of \(table) refers to a row of \(parent) that is missing")
      }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      problems.append(error.message ?? "the file is damaged")
    }
    return problems
  }

  /// The schema in a file's first page, without opening the database.
  ///
  /// See "The Database Header" of https://www.sqlite.org/fileformat.html. Nil for a file of another
  /// program, or one that is too short.
  package static func schema(inHeader header: [UInt8]) -> Int? {
    let size = 100
    let (versionAt, applicationAt) = (60, 68)
    guard header.count >= size, isDatabase(header: header) else { return nil }
    func number(_ offset: Int) -> Int {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(applicationAt) == Schema.applicationId else { return nil }
    return number(versionAt)
  }

  /// Whether a file begins as SQLite's databases do.
  package static func isDatabase(header: [UInt8]) -> Bool {
    header.starts(with: "SQLite format 3\0".utf8)
  }
}
