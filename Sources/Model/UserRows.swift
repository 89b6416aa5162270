/// Rows of the `OnlineUsers` table on their way into SQLite, without a Swift string per cell.
///
/// Every text cell is a range of `bytes`, in UTF-8; the writer binds it in place. This is the hot
/// path of a sync: `OnlineUser` is the same row for everything that is not.
package struct UserRows: Sendable {
  /// The columns in the order of the table, without `id`.
  package enum Column: Int, CaseIterable, Sendable {
    case userId, name, image, gender, country, language, age, deviceId, deviceToken, area, city
    case state, decentTime, lastSeen, isAd
    /// Firestore's `updateTime` in microseconds: an equal one means an unchanged document.
    case updateTime
  }

  package enum Cell: Hashable, Sendable {
    case text(Range<Int>)
    case integer(Int64)
  }

  /// What the text cells point into.
  package private(set) var bytes: [UInt8]
  /// Row after row, `Column.allCases.count` cells each.
  package private(set) var cells: [Cell]

  package init() {
    bytes = []
    cells = []
  }

  package var count: Int { cells.count / Column.allCases.count }
  package var isEmpty: Bool { cells.isEmpty }

  package subscript(row: Int, column: Column) -> Cell {
    cells[row * Column.allCases.count + column.rawValue]
  }

  /// The cell's text; for an integer its digits.
  package func text(row: Int, column: Column) -> String {
    switch self[row, column] {
    case .text(let range): String(decoding: bytes[range], as: UTF8.self)
    case .integer(let number): String(number)
    }
  }

  /// Appends one row; `cells` has one cell per column, its ranges pointing into `source`.
  ///
  /// - Precondition: `row.count == Column.allCases.count` and every range lies inside `source`.
  package mutating func append(_ row: [Cell], from source: UnsafeRawBufferPointer) {
    precondition(row.count == Column.allCases.count)
    for cell in row {
      switch cell {
      case .integer: cells.append(cell)
      case .text(let range):
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[range]))
        cells.append(.text(start..<bytes.count))
      }
    }
  }

  package mutating func append(_ user: OnlineUser, updateTimeMicroseconds: Int64) {
    append(text: user.userId)
    append(text: user.name)
    append(text: user.image)
    append(text: user.gender)
    append(text: user.country)
    append(text: user.language)
    append(text: user.age)
    append(text: user.deviceId)
    append(text: user.deviceToken)
    append(text: user.area)
    append(text: user.city)
    append(text: user.state)
    cells.append(.integer(user.decentTime))
    cells.append(.integer(user.lastSeenAtSeconds))
    cells.append(.integer(user.isAd ? 1 : 0))
    cells.append(.integer(updateTimeMicroseconds))
  }

  private mutating func append(text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    cells.append(.text(start..<bytes.count))
  }

  /// Takes the last row back; its bytes stay until `removeAll`.
  ///
  /// - Precondition: there is a row.
  package mutating func removeLast() {
    cells.removeLast(Column.allCases.count)
  }

  /// Forgets the rows, keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }
}
