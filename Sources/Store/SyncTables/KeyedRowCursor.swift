import Glibc

/// Finds rows by key, one after the other: in one step when the keys come in order, else by a
/// lookup.
///
/// Rows may be written meanwhile.
struct KeyedRowCursor {
  private let statement: RawStatement
  /// Whether the statement is at a row; `isTaken` when `find` has returned that row.
  private var isOnRow = false
  private var isTaken = false
  /// How often one step found the row, and how often it did not.
  private var steps = (hits: 0, misses: 0)

  /// - Parameter statement: `SyncTable.selectFromKey`.
  init(_ statement: RawStatement) {
    self.statement = statement
  }

  /// Moves to the row with this key, a text; false without one.
  mutating func find(_ key: UnsafeRawBufferPointer) throws -> Bool {
    if isOnRow, steps.hits >= steps.misses {
      if isTaken { isOnRow = try statement.step() }
      isTaken = isOnRow && isAt(key)
      if isTaken {
        steps.hits += 1
        return true
      }
      steps.misses += 1
    }
    statement.rewind()
    try statement.bind(text: key, at: 1)
    isOnRow = try statement.step()
    isTaken = isOnRow && isAt(key)
    return isTaken
  }

  /// The number of the row that was found.
  var rowId: Int64 { statement.integer(column: 0) }
  /// The `update_time` of the row that was found.
  var updateTime: Int64 { statement.integer(column: 1) }

  private func isAt(_ key: UnsafeRawBufferPointer) -> Bool {
    let found = statement.text(column: 2)
    guard let left = found.baseAddress, let right = key.baseAddress else {
      return found.isEmpty && key.isEmpty
    }
    return found.count == key.count && memcmp(left, right, key.count) == 0
  }

  /// Ends the statement; call it before the keys' bytes go away.
  func finish() { statement.reset() }
}
