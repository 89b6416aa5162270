/// What can go wrong while reports are written; making them cannot fail.
package enum ReportsError: Error, Hashable, CustomStringConvertible {
  /// libxml2 refused to write, which it does when memory runs out.
  case writerFailed(page: String)
  case notEncodable(page: String, reason: String)

  package var description: String {
    switch self {
    case .writerFailed(let page):
      "The page '\(page)' could not be written because memory ran out; "
        + "free some, or choose a shorter period."
    case .notEncodable(let page, let reason):
      "The report '\(page)' could not be written as JSON: \(reason)."
    }
  }
}
