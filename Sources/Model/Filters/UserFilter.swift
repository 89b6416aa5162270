package enum Gender: String, CaseIterable, Codable, Sendable {
  case male = "Male"
  case female = "Female"
}

/// The criteria of a profile, all of which must hold; nil means "any".
package struct UserFilter: Hashable, Codable, Sendable {
  package var gender: Gender?
  /// English ISO 3166 name.
  package var country: String?
  /// English ISO 639 name.
  package var language: String?
  /// Years, inclusive.
  package var minAge: Int?
  /// Years, inclusive.
  package var maxAge: Int?
  /// Only users whose city is the profile's own.
  package var isNearbyOnly: Bool

  package init(
    gender: Gender? = nil, country: String? = nil, language: String? = nil, minAge: Int? = nil,
    maxAge: Int? = nil, isNearbyOnly: Bool = false
  ) {
    self.gender = gender
    self.country = country
    self.language = language
    self.minAge = minAge
    self.maxAge = maxAge
    self.isNearbyOnly = isNearbyOnly
  }

  package static let none = UserFilter()

  package var isEmpty: Bool { self == .none }
}
