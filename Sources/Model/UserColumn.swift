/// The columns of the `OnlineUsers` table in its order, without `id`.
///
/// A case's raw value is the column's offset in a row. A new column is a case, its row in
/// `UserColumnDescriptor.init`, a property of `OnlineUser` and a migration.
package enum UserColumn: Int, CaseIterable, Sendable {
  case userId, name, image, gender, country, language, age, deviceId, deviceToken, area, city
  case state, decentTime, lastSeen, isAd
  /// Firestore's `updateTime` in microseconds: an equal one means an unchanged document.
  case updateTime

  package var descriptor: UserColumnDescriptor { Self.descriptors[rawValue] }

  /// By raw value.
  private static let descriptors = allCases.map(UserColumnDescriptor.init)

  /// The columns that `OnlineUser` holds: all but `updateTime`.
  package static let ofUsers = allCases.filter { $0 != .updateTime }

  /// The names of the fields in the app's documents, by column; see `docs/jobs/sync-users.md`.
  package static let wireNames = Dictionary(
    uniqueKeysWithValues: ofUsers.map { ($0, $0.descriptor.wireNames) })

  /// Every column's cell of one row, at its raw value, without memory on the heap.
  package typealias Cells = InlineArray<16, TableRows.Cell>
}

/// Everything that the program knows about one column of `OnlineUsers`.
package struct UserColumnDescriptor: Sendable {
  /// How a document's field becomes the column's value.
  package enum Form: Sendable {
    case text
    /// A text of digits, or an integer.
    case age
    case integer
    /// A timestamp or unix seconds, stored as whole unix seconds.
    case lastSeen
    /// A boolean, stored as 0 or 1.
    case flag
  }

  package enum Value: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case unixSeconds(Int64)
    case flag(Bool)
  }

  /// The column's name in SQL, and in `users show`.
  package let name: String
  package let form: Form
  /// The fields that fill it, of which the first that a document has wins; none for `updateTime`.
  package let wireNames: [String]
  /// The head of the column in lists of users; nil for a column that no list has.
  package let head: String?
  /// Whether a document whose field cannot be read is skipped; docs/loads.md#skipped-users.
  package let isRequired: Bool
  /// Reads the column of a user; nil for `updateTime`.
  package let value: (@Sendable (OnlineUser) -> Value)?

  /// Whether the table stores an integer; else a text.
  package var isInteger: Bool {
    switch form {
    case .text, .age: false
    case .integer, .lastSeen, .flag: true
    }
  }

  fileprivate init(_ column: UserColumn) {
    switch column {
    case .userId:
      self.init("user_id", ["User_id"], head: "ID", isRequired: true) { .text($0.userId) }
    case .name:
      self.init("user_name", ["User_name"], head: "NAME", isRequired: true) { .text($0.name) }
    case .image:
      self.init("user_image", ["User_image"]) { .text($0.image) }
    case .gender:
      self.init("user_gender", ["User_gender"], head: "GENDER") { .text($0.gender) }
    case .country:
      self.init("user_country", ["User_country"], head: "COUNTRY") { .text($0.country) }
    case .language:
      self.init("user_language", ["user_language"]) { .text($0.language) }
    case .age:
      self.init("user_age", ["User_age"], .age, head: "AGE") { .text($0.age) }
    case .deviceId:
      self.init("user_device_id", ["User_device_id"]) { .text($0.deviceId) }
    case .deviceToken:
      self.init("user_device_token", ["User_device_token"]) { .text($0.deviceToken) }
    case .area:
      self.init("user_area", ["User_area"]) { .text($0.area) }
    case .city:
      self.init("user_city", ["user_city", "User_city"], head: "CITY") { .text($0.city) }
    case .state:
      self.init("user_state", ["User_state"]) { .text($0.state) }
    case .decentTime:
      self.init("user_decent_time", ["IamDecentTime"], .integer) { .integer($0.decentTime) }
    case .lastSeen:
      self.init(
        "user_last_time_seen", ["last_time_seen"], .lastSeen, head: "LAST SEEN", isRequired: true
      ) { .unixSeconds($0.lastSeenAtSeconds) }
    case .isAd:
      self.init("isAd", ["isAd"], .flag) { .flag($0.isAd) }
    case .updateTime:
      self.init("update_time", [], .integer, value: nil)
    }
  }

  private init(
    _ name: String, _ wireNames: [String], _ form: Form = .text, head: String? = nil,
    isRequired: Bool = false, value: (@Sendable (OnlineUser) -> Value)?
  ) {
    self.name = name
    self.form = form
    self.wireNames = wireNames
    self.head = head
    self.isRequired = isRequired
    self.value = value
  }
}

extension UserColumnDescriptor.Value {
  /// As people read it: times in ISO 8601.
  package var text: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .unixSeconds(let seconds): Instant(unixSeconds: seconds).iso8601
    case .flag(let flag): String(flag)
    }
  }
}

/// Rows of `OnlineUsers`, as a sync writes them; `OnlineUser` is the same row everywhere else.
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
    for column in UserColumn.allCases {
      switch column.descriptor.value?(user) {
      case .text(let text): append(text: text)
      case .integer(let number), .unixSeconds(let number): append(number)
      case .flag(let flag): append(flag ? 1 : 0)
      case nil: append(updateTimeMicroseconds)
      }
    }
  }
}
