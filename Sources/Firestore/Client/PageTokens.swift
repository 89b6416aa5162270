/// The page tokens of one listing, which ends with an error when a token is repeated.
///
/// Otherwise, the requests to a server that repeats a token, at once or after other pages, would
/// never end. See `docs/loads.md#page-tokens`.
package struct PageTokens: Sendable {
  private let request: String
  private var seen: Set<String> = []

  /// `request` completes "Could not ..." in the error, such as `list the accounts of projects/p`.
  ///
  /// `start` is the token that the listing begins with; nil for the first page.
  package init(of request: String, from start: String? = nil) {
    self.request = request
    if let start { seen.insert(start) }
  }

  /// Records the token at the end of a page; nil on the last page.
  ///
  /// - Throws: `FirestoreError.malformedAnswer` for a token that came before.
  package mutating func follow(_ token: String?) throws(FirestoreError) {
    guard let token, !seen.insert(token).inserted else { return }
    throw .malformedAnswer(
      request: request, httpStatus: 200,
      problem: "the server repeats a page token, so the list would never end")
  }
}
