package import Model

/// Which wire field fills which column of `OnlineUsers`; see `docs/jobs/sync-users.md`.
///
/// A column may accept several names, of which the first that the document has wins.
package struct UserWireFields: Hashable, Sendable {
  package private(set) var names: [UserColumn: [String]]

  /// The names that the app writes.
  package static let app = UserWireFields(names: UserColumn.wireNames)

  private init(names: [UserColumn: [String]]) {
    self.names = names
  }

  /// The app's names with some replaced, keyed by the app's own name (`User_name: displayName`).
  package func renamed(_ renames: [String: String]) -> UserWireFields {
    UserWireFields(
      names: names.mapValues { wireNames in wireNames.map { renames[$0] ?? $0 } })
  }

  /// The same fields with the city in a single one, so that queries by city need one index.
  package func withCity(in name: String) -> UserWireFields {
    UserWireFields(names: names.merging([.city: [name]]) { $1 })
  }

  /// The first name of a column, which queries order by.
  ///
  /// - Precondition: the column is filled from a document's field, as all but `updateTime` are.
  package func queryName(_ column: UserColumn) -> String {
    guard let name = names[column]?.first else {
      preconditionFailure("\(column) is no field of a user document")
    }
    return name
  }

  /// All wire names with their columns, in the order of the columns.
  package var scanned: [(name: String, column: UserColumn)] {
    UserColumn.allCases.flatMap { column in
      (names[column] ?? []).map { (name: $0, column: column) }
    }
  }
}
