/// Which users a filter lets through; docs/filters.md#filters.
package enum FilterRule {
  /// The ages that a filter may name, in years; docs/filters.md#filters.
  package static let ages = 18...99

  /// Whether a user meets all criteria.
  ///
  /// Gender is compared without case, other texts byte by byte as in SQLite and Firestore. A user
  /// without a readable age matches no age criterion, and nobody is near a profile without a city.
  package static func matches(
    _ user: OnlineUser, _ filter: UserFilter, profileCity: String?
  ) -> Bool {
    if let gender = filter.gender, !isGender(gender, user.gender) { return false }
    if let country = filter.country, !user.country.hasSameBytes(as: country) { return false }
    if let language = filter.language, !user.language.hasSameBytes(as: language) { return false }
    if !isAge(user.ageInYears, from: filter.minAge, to: filter.maxAge) { return false }
    return !filter.isNearbyOnly || isNear(user.city, profileCity)
  }

  /// Whether a row meets all criteria; reads only the cells that the filter needs.
  package static func matches(
    _ rows: TableRows, row: Int, _ filter: UserFilter, profileCity: String?
  ) -> Bool {
    func text(_ column: UserColumn) -> String { rows.text(row: row, column: column) }
    if let gender = filter.gender, !isGender(gender, text(.gender)) { return false }
    if let country = filter.country, !text(.country).hasSameBytes(as: country) { return false }
    if let language = filter.language, !text(.language).hasSameBytes(as: language) { return false }
    if filter.minAge != nil || filter.maxAge != nil,
      !isAge(Int(text(.age)), from: filter.minAge, to: filter.maxAge)
    {
      return false
    }
    return !filter.isNearbyOnly || isNear(text(.city), profileCity)
  }

  private static func isGender(_ gender: Gender, _ text: String) -> Bool {
    text.lowercased() == gender.rawValue.lowercased()
  }

  /// Whether the age is inside the inclusive bounds; without bounds a missing age is, too.
  private static func isAge(_ age: Int?, from minAge: Int?, to maxAge: Int?) -> Bool {
    guard minAge != nil || maxAge != nil else { return true }
    guard let age else { return false }
    return age >= minAge ?? .min && age <= maxAge ?? .max
  }

  private static func isNear(_ city: String, _ profileCity: String?) -> Bool {
    guard let profileCity, !profileCity.isEmpty else { return false }
    return city.hasSameBytes(as: profileCity)
  }
}
