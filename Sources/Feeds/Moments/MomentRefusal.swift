package import Model

/// How the moments service says no.
package struct MomentRefusal: Error, Hashable, Sendable {
  package var status: Int
  /// The service's own word; nil when the answer is not one of the service's.
  package var code: String?
  /// One line of at most 300 characters.
  package var message: String
  /// The number of moments that the limit allows; nil when the answer does not say.
  package var limit: Int?
  /// Whether the service takes the user for a subscriber; nil when the answer does not say.
  package var isPremium: Bool?
  /// What it asks to wait at least; nil when it does not.
  package var retryAfter: Duration?

  package init(
    status: Int, code: String?, message: String, limit: Int? = nil, isPremium: Bool? = nil,
    retryAfter: Duration? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.limit = limit
    self.isPremium = isPremium
    self.retryAfter = retryAfter
  }

  /// The quota that is used up; nil for any other refusal.
  package var reachedLimit: MomentLimit? { code.flatMap(MomentLimit.init) }
}

extension MomentRefusal: CustomStringConvertible {
  package var description: String {
    guard let code else {
      return "The moments service answered with status \(status) and nothing of its own. "
        + "Check moments.base_url in firetally.yml, and any proxy between."
    }
    return "The moments service said no: \(message) (\(code), HTTP \(status))."
  }
}
