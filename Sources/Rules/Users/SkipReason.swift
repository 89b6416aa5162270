/// Why a user document is left out of the table; docs/rules.md#skipped-users.
package enum SkipReason: Hashable, Sendable {
  /// The profile's own user.
  case ownUser
  case emptyName
  /// Fewer than three characters, as SQLite's `length()` counts them.
  case shortId
  /// An advertisement that the app keeps among its users.
  case adId
  /// The named field holds something that its column cannot.
  case badField(String)

  /// The name under which a run counts it.
  package var id: String {
    switch self {
    case .ownUser: "own-user"
    case .emptyName: "empty-name"
    case .shortId: "short-id"
    case .adId: "ad-id"
    case .badField(let name): "bad-field:\(name)"
    }
  }
}
