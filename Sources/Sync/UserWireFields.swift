package import Model

/// Which wire field fills which column of `OnlineUsers`; see `docs/jobs.md#sync-users`.
///
/// A column may accept several names, of which the first that the document has wins.
package struct UserWireFields: Hashable, Sendable {
  package private(set) var names: [UserColumn: [String]]

  /// The names that the app writes.
  package static let app = UserWireFields(names: [
    .userId: ["User_id"], .name: ["User_name"], .image: ["User_image"], .gender: ["User_gender"],
    .country: ["User_country"], .language: ["user_language"], .age: ["User_age"],
    .deviceId: ["User_device_id"], .deviceToken: ["User_device_token"], .area: ["User_area"],
    .city: ["user_city", "User_city"], .state: ["User_state"], .decentTime: ["IamDecentTime"],
    .lastSeen: ["last_time_seen"], .isAd: ["isAd"],
  ])

  private init(names: [UserColumn: [String]]) {
    self.names = names
  }

  /// The app's names with some replaced, keyed by the app's own name (`User_name: displayName`).
  package func renamed(_ renames: [String: String]) -> UserWireFields {
    UserWireFields(
      names: names.mapValues { wireNames in wireNames.map { renames[$0] ?? $0 } })
  }

  /// The first name of a column, which queries order by.
  ///
  /// - Precondition: the column comes from a document's field, as all but `updateTime` do.
  package func queryName(_ column: UserColumn) -> String {
    guard let name = names[column]?.first else {
      preconditionFailure("\(column) is no field of a user document")
    }
    return name
  }

  /// Every wire name once, in the order of the columns, each with its column.
  package var scanned: [(name: String, column: UserColumn)] {
    UserColumn.allCases.flatMap { column in
      (names[column] ?? []).map { (name: $0, column: column) }
    }
  }
}
