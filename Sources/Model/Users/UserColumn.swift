/// The columns of the table `OnlineUsers` in the order of a row's cells, without `id`.
///
/// A case's raw value is the column's offset in a row; its name is the member of a user in JSON. A
/// new column is a case before `updateTime`, its declaration in `UserColumnDescriptor.init` and one
/// cell more in `Cells`: docs/guides/add-a-column.md.
package enum UserColumn: Int, CaseIterable, CodingKey, Sendable {
  case userId, name, image, gender, country, language, age, deviceId, deviceToken, area, city
  case state, decentTime, lastSeenAtSeconds, isAd
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
    /// A text of digits, or an integer; stored as text.
    case age
    case integer
    /// A timestamp or unix seconds, stored as whole unix seconds.
    case lastSeen
    /// A boolean, stored as 0 or 1.
    case flag
  }

  /// The column's name in SQL, and in `users show`.
  package let name: String
  package let form: Form
  /// The fields that fill it, the first that a document has; none for `updateTime`.
  package let wireNames: [String]
  /// What the column means, as `firetally schema` prints it.
  package let note: String
  /// Whether a document whose field cannot be read is skipped; docs/loads.md#skipped-users.
  package let isRequired: Bool
  /// What all users of the sample app have; nil where the sample makes it up for each.
  package let sample: UserValue?
  /// The version of the schema that added the column to the table.
  package let since: Int

  /// Whether the table stores an integer; else a text.
  package var isInteger: Bool {
    switch form {
    case .text, .age: false
    case .integer, .lastSeen, .flag: true
    }
  }

  fileprivate init(_ column: UserColumn) {
    switch column {
    case .userId: self.init("user_id", ["User_id"], "Id of the user.", isRequired: true)
    case .name: self.init("user_name", ["User_name"], "Name shown in the app.", isRequired: true)
    case .image: self.init("user_image", ["User_image"], "Address of the picture.")
    case .gender: self.init("user_gender", ["User_gender"], "Male, Female or empty.")
    case .country: self.init("user_country", ["User_country"], "Country, in English.")
    case .language: self.init("user_language", ["user_language"], "Language, in English.")
    case .age: self.init("user_age", ["User_age"], "Age in years, as digits.", .age)
    case .deviceId: self.init("user_device_id", ["User_device_id"], "Id of the device.")
    case .deviceToken:
      self.init("user_device_token", ["User_device_token"], "Token for push messages.")
    case .area: self.init("user_area", ["User_area"], "Area.")
    case .city: self.init("user_city", ["user_city", "User_city"], "City.")
    case .state: self.init("user_state", ["User_state"], "State or region.")
    case .decentTime:
      self.init(
        "user_decent_time", ["IamDecentTime"],
        "The document's IamDecentTime, as the app wrote it.", .integer)
    case .lastSeenAtSeconds:
      self.init(
        "user_last_time_seen", ["last_time_seen"],
        "When the user was last seen, in seconds since 1970.", .lastSeen, isRequired: true)
    case .isAd:
      self.init("isAd", ["isAd"], "1 for an advertisement, 0 for a user.", .flag, sample: 0)
    case .updateTime:
      self.init(
        "update_time", [],
        "Last change of the document, in microseconds since 1970; 0 unknown.", .integer)
    }
  }

  private init(
    _ name: String, _ wireNames: [String], _ note: String, _ form: Form = .text,
    isRequired: Bool = false, sample: UserValue? = nil, since: Int = schemaOfTheApp
  ) {
    self.name = name
    self.form = form
    self.wireNames = wireNames
    self.note = note
    self.isRequired = isRequired
    self.sample = sample
    self.since = since
  }

  /// The schema of 0.1.0, which has the columns of the app's own table.
  package static let schemaOfTheApp = 23
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
}
