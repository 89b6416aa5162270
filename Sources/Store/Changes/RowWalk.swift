/// Finds the rows of keys one after the other, by one step where the keys come in their order.
///
/// A key out of order costs a lookup. Rows may be written meanwhile: what it finds was read then.
struct RowWalk {
  private let statement: RawStatement
  /// The statement stands on a row, which may be the next one wanted unless it is taken.
  private var isOnRow = false
  private var isTaken = false
  /// How often a step found the row, and how often it did not.
  private var steps = (right: 0, wrong: 0)

  /// - Parameter statement: rows from the key in its parameter on, in order of their keys, with number,
  ///   `update_time` and key.
  init(_ statement: RawStatement) {
    self.statement = statement
  }

  /// Moves to the row with this key, a text; false when there is none.
  mutating func finds(_ key: UnsafeRawBufferPointer) throws -> Bool {
    if isOnRow, steps.right >= steps.wrong {
      if isTaken { isOnRow = try statement.step() }
      isTaken = isOnRow && stands(on: key)
      if isTaken {
        steps.right += 1
        return true
      }
      steps.wrong += 1
    }
    statement.rewind()
    try statement.bind(text: key, at: 1)
    isOnRow = try statement.step()
    isTaken = isOnRow && stands(on: key)
    return isTaken
  }

  /// The number of the row found.
  var rowId: Int64 { statement.integer(column: 0) }
  /// The `update_time` of the row found.
  var updateTime: Int64 { statement.integer(column: 1) }

  private func stands(on key: UnsafeRawBufferPointer) -> Bool {
    let found = statement.text(column: 2)
    return found.count == key.count && found.elementsEqual(key)
  }

  /// Ends the statement; to be called before the keys' bytes go away.
  func finish() { statement.reset() }
}
