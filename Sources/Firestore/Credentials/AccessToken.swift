import HTTP

/// What a request shows to be let in.
package struct AccessToken: Hashable, Sendable {
  package var secret: Secret
  /// The end of its life; nil when unknown, so that it serves until it is refused.
  package var expiry: Timestamp?
  /// The project that pays, where it is not the one that is read; `x-goog-user-project`.
  package var quotaProject: String?

  package init(_ secret: Secret, expiry: Timestamp? = nil, quotaProject: String? = nil) {
    self.secret = secret
    self.expiry = expiry
    self.quotaProject = quotaProject
  }

  /// Renewed so long before its end; see `docs/firestore.md#credentials`.
  static let margin: Int64 = 60_000_000

  func isFresh(at now: Timestamp) -> Bool {
    expiry.map { now.microseconds < $0.microseconds - AccessToken.margin } ?? true
  }

  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    headers.add("Authorization", "Bearer \(secret.revealed)", isSecret: true)
    if let quotaProject { headers.add("x-goog-user-project", quotaProject) }
    return headers
  }
}
