import GRDB

/// A plain look at a database file, past the store.
package enum SQLiteFile {
  package static func text(_ path: String, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { close(queue) }
    return try queue.read { try String.fetchAll($0, sql: sql) }
  }

  package static func integers(_ path: String, _ sql: String) throws -> [Int64] {
    let queue = try DatabaseQueue(path: path)
    defer { close(queue) }
    return try queue.read { try Int64.fetchAll($0, sql: sql) }
  }

  package static func execute(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    defer { close(queue) }
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  private static func close(_ queue: DatabaseQueue) {
    do { try queue.close() } catch { print("a connection stays open: \(error)") }
  }
}

/// A connection that stays open, as another process's would.
package struct SQLiteHandle {
  private let queue: DatabaseQueue

  package init(_ path: String) throws { queue = try DatabaseQueue(path: path) }

  package func execute(_ sql: String) throws {
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }
}
