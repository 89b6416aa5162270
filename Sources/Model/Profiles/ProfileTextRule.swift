/// Which texts a profile accepts; docs/rules.md#profiles.
package enum ProfileTextRule {
  /// One text of a profile.
  package enum Field: String, CaseIterable, Sendable {
    case name, userId, city, gender, country, appVersion, price
  }

  /// What is wrong with a text.
  package enum Problem: Hashable, Sendable {
    case empty
    case tooLong(count: Int, most: Int)
    case controlCharacter
  }

  /// The most UTF-8 bytes of a user id, as Firestore limits document ids; docs/rules.md#profiles.
  package static let mostIdBytes = 1_500
  /// The most characters of any other text; docs/rules.md#profiles.
  package static let mostCharacters = 200
  /// The most characters of a profile's name; docs/rules.md#profiles.
  package static let mostNameCharacters = 64

  /// The problem of a text; nil when it may be stored.
  package static func problem(_ text: String, in field: Field) -> Problem? {
    if text.isEmpty { return .empty }
    if let tooLong = length(text, in: field) { return tooLong }
    let controls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return controls ? .controlCharacter : nil
  }

  private static func length(_ text: String, in field: Field) -> Problem? {
    let most: Int
    switch field {
    case .userId: most = mostIdBytes
    case .name: most = mostNameCharacters
    default: most = mostCharacters
    }
    let count = field == .userId ? text.utf8.count : text.unicodeScalars.count
    return count > most ? .tooLong(count: count, most: most) : nil
  }
}

extension ProfileTextRule.Problem {
  /// The problem as the end of a sentence that begins with the option or field.
  package var text: String {
    switch self {
    case .empty: "must not be empty."
    case .tooLong(let count, let most): "is too long: \(count), at most \(most) are allowed."
    case .controlCharacter: "has control characters, such as a line break; leave them out."
    }
  }
}
