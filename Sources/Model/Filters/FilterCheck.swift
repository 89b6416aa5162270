/// A filter checked against the name lists and a profile; docs/filters.md#filters.
package struct FilterCheck: Hashable, Sendable {
  /// The filter with country and language as the lists spell them.
  package let filter: UserFilter
  /// All problems in the order of the criteria; empty when the filter may be applied.
  package let problems: [FilterProblem]

  package init(
    _ filter: UserFilter, profileCity: String?, countries: NameList = .countries,
    languages: NameList = .languages
  ) {
    var checked = filter
    var problems: [FilterProblem] = []
    if let country = filter.country {
      checked.country = countries.spelling(of: country)
      if checked.country == nil {
        problems.append(.unknownCountry(closest: countries.closest(to: country)))
      }
    }
    if let language = filter.language {
      checked.language = languages.spelling(of: language)
      if checked.language == nil {
        problems.append(.unknownLanguage(closest: languages.closest(to: language)))
      }
    }
    problems += Self.problems(ofAges: filter)
    if filter.isNearbyOnly, profileCity?.isEmpty ?? true { problems.append(.cityUnknown) }
    self.filter = checked
    self.problems = problems
  }

  private static func problems(ofAges filter: UserFilter) -> [FilterProblem] {
    var problems: [FilterProblem] = []
    if let age = filter.minAge, !FilterRule.ages.contains(age) {
      problems.append(.ageOutOfRange(bound: "Min"))
    }
    if let age = filter.maxAge, !FilterRule.ages.contains(age) {
      problems.append(.ageOutOfRange(bound: "Max"))
    }
    if let minAge = filter.minAge, let maxAge = filter.maxAge, maxAge <= minAge {
      problems.append(.agesOutOfOrder)
    }
    return problems
  }
}

/// A saved filter that no command could have saved, as after somebody edited the database.
package struct BadSavedFilter: Error, Hashable, Sendable {
  package let filter: UserFilter
  package let problems: [FilterProblem]

  /// Nil for a filter that may be applied; a city that is unknown is no fault of the filter.
  package init?(_ filter: UserFilter, _ check: FilterCheck) {
    problems = check.problems.filter { $0 != .cityUnknown }
    self.filter = filter
    if problems.isEmpty { return nil }
  }
}

extension BadSavedFilter: CustomStringConvertible {
  package var description: String {
    let criteria = filter.conditions(city: nil).joined(separator: ", ")
    let sentences = problems.map(\.description).joined(separator: " ")
    return "The saved filter is not valid: \(criteria). \(sentences) "
      + "Change it with 'firetally filter set', or drop it with 'firetally filter clear'."
  }
}

/// One problem of a filter; its description is a sentence for the user.
package enum FilterProblem: Hashable, Sendable {
  /// `closest` are the names that were probably meant, best first.
  case unknownCountry(closest: [String])
  case unknownLanguage(closest: [String])
  case ageOutOfRange(bound: String)
  case agesOutOfOrder
  case cityUnknown
}

extension FilterProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownCountry(let closest): Self.unknown("country", closest)
    case .unknownLanguage(let closest): Self.unknown("language", closest)
    case .ageOutOfRange(let bound):
      "\(bound) age should be an integer from \(FilterRule.ages.lowerBound) to "
        + "\(FilterRule.ages.upperBound)."
    case .agesOutOfOrder: "Max age should be greater than min."
    case .cityUnknown:
      "Nearby needs the profile's city, which is unknown. Find it with 'firetally profile locate', "
        + "or set it with 'firetally profile set --city NAME'."
    }
  }

  private static func unknown(_ kind: String, _ closest: [String]) -> String {
    let way =
      closest.isEmpty
      ? "'firetally filter suggest \(kind) TEXT' searches it."
      : "Closest: \(closest.joined(separator: "; "))."
    return "Please select a valid \(kind) from the list. \(way)"
  }
}
