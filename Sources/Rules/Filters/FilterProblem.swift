/// What is wrong with a filter, as a sentence for the one who typed it.
package enum FilterProblem: Hashable, Sendable {
  /// `closest` are names that may have been meant, best first.
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
        + "\(FilterRule.ages.upperBound)"
    case .agesOutOfOrder: "Max age should be greater than min"
    case .cityUnknown:
      "Nearby needs your own city, which is not known: find it with 'firetally profile locate', "
        + "or set it with 'firetally profile set --city NAME'"
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
