import GRDB
import Store

/// Plain looks at the database, past the store.
extension TemporaryStore {
  /// The first column of what a statement selects, as text.
  func texts(_ sql: String) throws -> [String] {
    try withQueue { queue in try queue.read { try String.fetchAll($0, sql: sql) } }
  }

  func execute(_ sql: String) throws {
    try withQueue { queue in try queue.write { try $0.execute(sql: sql) } }
  }

  private func withQueue<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
    let queue = try DatabaseQueue(path: store.path)
    let result = Result { try body(queue) }
    try queue.close()
    return try result.get()
  }
}
