/// A server's answer that says no, with what a person needs to act on it.
package struct Refusal: Hashable, Sendable {
  /// What the answer means; one status may mean several things.
  package enum Reason: String, Hashable, Sendable {
    case missingIndex, buildingIndex, preconditionFailed, readTimeTooOld
    case dailyQuota, rate
    case unauthenticated, permissionDenied, serviceDisabled
    case notFound, databaseMissing, alreadyExists
    /// The server's trouble, which may pass.
    case transient
    /// The server could not read the request, or would never carry it out.
    case invalid
    case other
  }

  package var envelope: ErrorEnvelope
  package var httpStatus: Int
  /// The request and its thing, such as `read projects/p/databases/(default)/documents/C/D`.
  package var request: String
  package var reason: Reason
  /// What `Retry-After` or `RetryInfo` ask to wait at least; nil when the answer does not say.
  package var retryAfter: Duration?
  /// Whether an earlier try of the same write ended without an answer and may have been done.
  package var followsUnknownOutcome = false
  /// The indexes of which the query lacks at least one; empty for every other reason.
  package var missingIndexes: [QueryIndex] = []

  /// - Parameters:
  ///   - envelope: what the server said.
  ///   - httpStatus: the answer's.
  ///   - request: the request and its thing.
  ///   - retryAfter: the header's; nil when there was none.
  ///   - query: what was asked, where that was a query.
  package init(
    _ envelope: ErrorEnvelope, httpStatus: Int, request: String, retryAfter: Duration? = nil,
    query: StructuredQuery? = nil
  ) {
    self.envelope = envelope
    self.httpStatus = httpStatus
    self.request = request
    self.retryAfter = [envelope.retryDelay, retryAfter].compactMap(\.self).max()
    reason = Refusal.reason(of: envelope)
    if reason == .missingIndex { missingIndexes = query.map(QueryIndex.lacking) ?? [] }
  }

  package var status: RPCStatus { envelope.status }

  /// The address where a missing index can be created, or a disabled API enabled.
  package var link: String? {
    envelope.links.first
      ?? envelope.message.split { $0 == " " || $0 == "\n" || $0 == "\"" }
      .first { $0.hasPrefix("https://") }
      .map { String($0.trimmingSuffix { ".,)".contains($0) }) }
  }
}

/// Telling apart what shares a status; no other place reads the text of messages.
///
/// See `docs/firestore.md#errors`.
extension Refusal {
  private static func reason(of envelope: ErrorEnvelope) -> Reason {
    switch envelope.status {
    case .failedPrecondition: failedPrecondition(envelope.message.lowercased())
    case .resourceExhausted: exhausted(envelope)
    case .permissionDenied:
      envelope.reason == "SERVICE_DISABLED" ? .serviceDisabled : .permissionDenied
    case .notFound:
      envelope.message.lowercased().contains("database") && !envelope.message.contains("Document")
        && envelope.message.contains("does not exist") ? .databaseMissing : .notFound
    case .unauthenticated: .unauthenticated
    case .alreadyExists: .alreadyExists
    case .unavailable, .deadlineExceeded, .internal, .unknown, .aborted: .transient
    case .invalidArgument, .outOfRange, .unimplemented: .invalid
    case .ok, .cancelled, .dataLoss: .other
    }
  }

  private static func failedPrecondition(_ message: String) -> Reason {
    if message.contains("index") {
      return message.contains("currently building") ? .buildingIndex : .missingIndex
    }
    if message.contains("too old") || message.contains("read time") || message.contains("read_time")
    {
      return .readTimeTooOld
    }
    return .preconditionFailed
  }

  /// The daily quota says "Quota exceeded." and no more; rates speak of bandwidth or name their time.
  private static func exhausted(_ envelope: ErrorEnvelope) -> Reason {
    let texts = ([envelope.message] + envelope.quotas).map { $0.lowercased().filter(\.isLetter) }
    func anyNames(_ words: String...) -> Bool {
      texts.contains { text in words.contains { text.contains($0) } }
    }
    if anyNames("perday", "daily") { return .dailyQuota }
    if anyNames("persecond", "perminute", "perhour") { return .rate }
    return envelope.reason != "RATE_LIMIT_EXCEEDED" && anyNames("quota") ? .dailyQuota : .rate
  }
}

extension Refusal: CustomStringConvertible {
  package var description: String {
    let said = envelope.message.isEmpty ? "no reason given" : envelope.message
    return "Firestore refused to \(request): \(said) (\(status.rawValue), HTTP \(httpStatus)). "
      + advice
  }

  /// What to do about it, one or two sentences.
  package var advice: String {
    switch reason {
    case .missingIndex: IndexAdvice(link: link, indexes: missingIndexes).description
    case .buildingIndex: "Wait until the index is built, then run again."
    case .preconditionFailed: "The document is not in the state that the write demanded; read it."
    case .readTimeTooOld: "Run it again, in a new snapshot: Firestore keeps one for an hour."
    case .dailyQuota: "The daily quota is used up; it is renewed at midnight Pacific time."
    case .rate: "Try again later, with fewer requests at a time."
    case .unauthenticated: "Check the credentials, or sign in again."
    case .permissionDenied:
      "Give the account roles/datastore.user (roles/datastore.viewer to read only)."
    case .serviceDisabled:
      link.map { "Enable the API at \($0), then run again." }
        ?? "Enable the Cloud Firestore API of the project, then run again."
    case .notFound: "Check the project and the name."
    case .databaseMissing: "Check the project, or create its Firestore database."
    case .alreadyExists: "Read the document and compare."
    case .transient: "Try again later."
    case .invalid: "Firestore would refuse the same request again; correct it."
    case .other: "Try again, and if it stays so, ask Google's support."
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, drop(last) { rest.removeLast() }
    return rest
  }
}
