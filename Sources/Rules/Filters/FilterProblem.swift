package import Model

/// What is wrong with a filter, as a sentence for the one who typed it.
package enum FilterProblem: Hashable, Sendable {
  case ageOutOfRange(bound: String)
  case agesOutOfOrder
  case cityUnknown
}

extension FilterProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .ageOutOfRange(let bound):
      "\(bound) age should be an integer from \(FilterRule.ages.lowerBound) to "
        + "\(FilterRule.ages.upperBound)"
    case .agesOutOfOrder: "Max age should be greater than min"
    case .cityUnknown:
      "Nearby needs your own city, which is not known: set it with "
        + "'firetally profile set --city NAME'"
    }
  }
}

extension FilterRule {
  /// The ages that a filter may name, in years; docs/rules.md#filters.
  package static let ages = 18...99

  /// Everything that is wrong, in the order of the criteria; empty when the filter may be applied.
  package static func problems(
    of filter: UserFilter, profileCity: String?
  ) -> [FilterProblem] {
    var problems: [FilterProblem] = []
    if let age = filter.minAge, !ages.contains(age) {
      problems.append(.ageOutOfRange(bound: "Min"))
    }
    if let age = filter.maxAge, !ages.contains(age) {
      problems.append(.ageOutOfRange(bound: "Max"))
    }
    if let minAge = filter.minAge, let maxAge = filter.maxAge, maxAge <= minAge {
      problems.append(.agesOutOfOrder)
    }
    if filter.isNearbyOnly, profileCity?.isEmpty ?? true { problems.append(.cityUnknown) }
    return problems
  }
}
