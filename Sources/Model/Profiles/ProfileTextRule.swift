/// Which texts a profile accepts; docs/rules.md#profiles.
package enum ProfileTextRule {
  /// One text of a profile.
  package enum Field: String, CaseIterable, Sendable {
    case name, userId, city, gender, country, appVersion, price
  }

  /// The most UTF-8 bytes of a user id, as Firestore limits document ids; docs/rules.md#profiles.
  package static let mostIdBytes = 1_500
  /// The most characters of any other text; docs/rules.md#profiles.
  package static let mostCharacters = 200
  /// The most characters of a profile's name; docs/rules.md#profiles.
  package static let mostNameCharacters = 64

  /// What is wrong with a text; nil when it may be stored.
  ///
  /// The end of a sentence that begins with the option or field.
  package static func problem(_ text: String, in field: Field) -> String? {
    if text.isEmpty { return "must not be empty." }
    let (count, most) =
      switch field {
      case .userId: (text.utf8.count, mostIdBytes)
      case .name: (text.unicodeScalars.count, mostNameCharacters)
      default: (text.unicodeScalars.count, mostCharacters)
      }
    if count > most { return "is too long: \(count), at most \(most) are allowed." }
    let controls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return controls ? "has control characters, such as a line break; leave them out." : nil
  }
}
