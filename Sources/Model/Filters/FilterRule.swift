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
