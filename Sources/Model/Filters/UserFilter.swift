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

  /// One text for each criterion, such as `country = Tuvalu` or `age >= 25`.
  ///
  /// `city` is the profile's city, for "nearby".
  package func conditions(city: String?) -> [String] {
    [
      gender.map { "gender = \($0.rawValue)" }, country.map { "country = \($0)" },
      language.map { "language = \($0)" }, minAge.map { "age >= \($0)" },
      maxAge.map { "age <= \($0)" }, isNearbyOnly ? "city = \(city ?? "")" : nil,
    ].compactMap(\.self)
  }
}

/// Which users a filter lets through; docs/filters.md#filters.
package enum FilterRule {
  /// The ages that a filter may name, in years; docs/filters.md#filters.
  package static let ages = 18...99

  /// Whether a row meets all criteria; reads only the cells that the filter needs.
  ///
  /// Gender is compared without case, other texts byte by byte as in SQLite and Firestore. A user
  /// without a readable age matches no age criterion, and nobody is near a profile without a city.
  package static func matches(
    _ rows: TableRows, row: Int, _ filter: UserFilter, profileCity: String?
  ) -> Bool {
    func text(_ column: UserColumn) -> String { rows.text(row: row, column: column) }
    if let gender = filter.gender, text(.gender).lowercased() != gender.rawValue.lowercased() {
      return false
    }
    if let country = filter.country, !text(.country).hasSameBytes(as: country) { return false }
    if let language = filter.language, !text(.language).hasSameBytes(as: language) { return false }
    if filter.minAge != nil || filter.maxAge != nil {
      guard let age = Int(text(.age)), age >= filter.minAge ?? .min, age <= filter.maxAge ?? .max
      else { return false }
    }
    guard filter.isNearbyOnly else { return true }
    guard let profileCity, !profileCity.isEmpty else { return false }
    return text(.city).hasSameBytes(as: profileCity)
  }
}
