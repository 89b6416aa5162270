/// The columns of the `OnlineUsers` table in its order, without `id`.
package enum UserColumn: Int, CaseIterable, Sendable {
  case userId, name, image, gender, country, language, age, deviceId, deviceToken, area, city
  case state, decentTime, lastSeen, isAd
  /// Firestore's `updateTime` in microseconds: an equal one means an unchanged document.
  case updateTime
}

/// Rows of `OnlineUsers`; `OnlineUser` is the same row for everything that is no sync.
extension TableRows {
  package static func users() -> TableRows { TableRows(width: UserColumn.allCases.count) }

  package subscript(row: Int, column: UserColumn) -> Cell { self[row, column.rawValue] }

  /// The cell's text; for an integer its digits.
  package func text(row: Int, column: UserColumn) -> String {
    switch self[row, column] {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let range), .blob(let range): String(decoding: bytes[range], as: UTF8.self)
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
    append(user.decentTime)
    append(user.lastSeenAtSeconds)
    append(user.isAd ? 1 : 0)
    append(updateTimeMicroseconds)
  }
}
