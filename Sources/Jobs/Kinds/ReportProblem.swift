/// Why a report that was asked for cannot be made.
package enum ReportProblem: Error, Hashable, Sendable {
  /// It is of days that have not come yet.
  case periodAhead
  /// It is of a profile whose events cannot be told from those of others.
  case profileWithoutId(name: String)
}

extension ReportProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .periodAhead:
      "The period of the report has not begun yet: choose one that begins today or earlier."
    case .profileWithoutId(let name):
      "Events are known by their user's id, and the profile '\(name)' has none: set it with "
        + "'firetally profile set --profile \(name) --user-id ID', or report on all."
    }
  }
}
