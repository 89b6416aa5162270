/// What a cooldown limit counts; each feature is independent of the others.
package enum Feature: String, CaseIterable, Codable, Sendable {
  case refresh, filter, search
  /// Limited only once the settings name a limit for them.
  case message, conversation
}
