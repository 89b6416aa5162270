/// What a cooldown limit counts; each feature is independent of the others.
package enum Feature: String, CaseIterable, Codable, Sendable {
  case refresh, filter, search
  /// Limited only once the settings name a limit for them.
  case message, conversation

  /// The place in `allCases`, for tables by feature.
  package var position: Int {
    switch self {
    case .refresh: 0
    case .filter: 1
    case .search: 2
    case .message: 3
    case .conversation: 4
    }
  }
}
