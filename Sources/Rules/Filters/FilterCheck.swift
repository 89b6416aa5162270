package import Model

/// Whether a filter makes sense for a profile; docs/rules.md#filters.
package struct FilterCheck: Hashable, Sendable {
  /// The filter with the names as the lists write them.
  package let filter: UserFilter
  /// Everything that is wrong, in the order of the criteria; empty when it may be applied.
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
