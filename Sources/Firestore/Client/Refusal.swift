import Model

/// An error answer, with what an operator needs to act on it.
package struct Refusal: Hashable, Sendable {
  /// The meaning of the answer; one status may have several.
  package enum Reason: String, Hashable, Sendable {
    case missingIndex, buildingIndex, preconditionFailed, readTimeTooOld
    case dailyQuota, rate
    case unauthenticated, permissionDenied, serviceDisabled
    /// A signed-in user's requests need a project that pays for them.
    case quotaProjectMissing
    case notFound, databaseMissing, alreadyExists
    case datastoreMode
    case billingDisabled
    /// The project does not exist, or the account may not use it.
    case consumerInvalid
    case scopeMissing
    /// The project does not use Firebase Authentication.
    case authenticationMissing
    /// A page token that the server no longer accepts.
    case pageTokenInvalid
    case transient
    /// The server cannot find the document below which it should search, because its id contains
    /// `:`.
    case colonInId
    /// A database of the Enterprise edition has no such method.
    case notInEdition
    /// The server can never carry out the request.
    case invalid
    case other
  }

  package var envelope: ErrorEnvelope
  package var httpStatus: Int
  package var api: GoogleAPI
  /// Verb and object, such as `read projects/p/databases/(default)/documents/C/D`.
  package var request: String
  package var reason: Reason
  /// The longer of `Retry-After` and `RetryInfo`; nil without either.
  package var retryAfter: Duration?
  /// Whether an earlier attempt of the same write may have been carried out.
  package var followsUnknownOutcome = false
  /// The account that lacks the right, if known.
  package var account: GoogleAccount?
  /// Whether the account needs a role with the right to write.
  package var isWrite = false
  /// The indexes that the query needs, at least one of them missing; empty for other reasons.
  package var missingIndexes: [QueryIndex] = []

  /// `request` is the verb and the object, `query` the refused query, if it was one, and `parent`
  /// the document below which the request searched; nil for the root and for other requests.
  package init(
    _ envelope: ErrorEnvelope, httpStatus: Int, request: String, retryAfter: Duration? = nil,
    query: StructuredQuery? = nil, api: GoogleAPI = .firestore, parent: ResourceName? = nil
  ) {
    self.envelope = envelope
    self.api = api
    self.httpStatus = httpStatus
    self.request = request
    self.retryAfter = [envelope.retryDelay, retryAfter].compactMap(\.self).max()
    reason =
      (api == .identityToolkit ? Refusal.identityReason(of: envelope) : nil)
      ?? Refusal.reason(of: envelope)
    if reason == .invalid, Refusal.losesColon(envelope.message, parent) { reason = .colonInId }
    // Identity Toolkit reports exhausted quotas as bad requests; retries depend on the status.
    if reason == .rate { self.envelope.status = .resourceExhausted }
    if reason == .missingIndex { missingIndexes = query.map(QueryIndex.lacking) ?? [] }
  }

  package var status: RPCStatus { envelope.status }

  /// The page that creates a missing index or enables a disabled API; nil without one.
  package var link: String? {
    envelope.links.first
      ?? envelope.message.split { $0 == " " || $0 == "\n" || $0 == "\"" }
      .first { $0.hasPrefix("https://") }
      .map { String($0.trimmingSuffix { ".,)".contains($0) }) }
  }
}

/// The distinction of errors with the same status; the only place that reads the text of messages.
///
/// See `docs/firestore.md#errors`.
extension Refusal {
  private static func reason(of envelope: ErrorEnvelope) -> Reason {
    switch envelope.status {
    case _ where EditionRules.isEnterprise(envelope.message): .notInEdition
    case .failedPrecondition: failedPrecondition(envelope.message.lowercased())
    case _ where envelope.reason == "BILLING_DISABLED": .billingDisabled
    case .resourceExhausted: exhausted(envelope)
    case .permissionDenied: permissionDenied(envelope)
    case .notFound where isDatastoreMode(envelope.message.lowercased()): .datastoreMode
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

  /// Returns whether the server interpreted the text after a `:` in the last id as a method; see
  /// `docs/inspect.md#colons`.
  private static func losesColon(_ message: String, _ parent: ResourceName?) -> Bool {
    guard parent?.isDocument == true, parent?.id?.utf8.contains(UInt8(ascii: ":")) == true else {
      return false
    }
    return message.contains("Payload isn't valid") || message.contains("lacks \"/\" at index")
  }

  private static func permissionDenied(_ envelope: ErrorEnvelope) -> Reason {
    switch envelope.reason {
    // Google sends this with the reason SERVICE_DISABLED, about gcloud's own project.
    case _ where envelope.message.lowercased().contains("requires a quota project"):
      return .quotaProjectMissing
    // Some answers, such as those of gRPC's transcoding, have no details.
    case "SERVICE_DISABLED",
      nil where envelope.message.contains("API has not been used in project"):
      return .serviceDisabled
    case "CONSUMER_INVALID": return .consumerInvalid
    case "ACCESS_TOKEN_SCOPE_INSUFFICIENT": return .scopeMissing
    default:
      return asksForBilling(envelope.message.lowercased()) ? .billingDisabled : .permissionDenied
    }
  }

  private static func asksForBilling(_ message: String) -> Bool {
    ["requires billing", "billing to be enabled", "billing account"].contains(
      where: message.contains)
  }

  private static func isDatastoreMode(_ message: String) -> Bool {
    message.contains("datastore mode")
  }

  private static func failedPrecondition(_ message: String) -> Reason {
    if isDatastoreMode(message) { return .datastoreMode }
    if asksForBilling(message) { return .billingDisabled }
    if message.contains("index") {
      return message.contains("currently building") ? .buildingIndex : .missingIndex
    }
    if message.contains("too old") || message.contains("read time") || message.contains("read_time")
    {
      return .readTimeTooOld
    }
    return .preconditionFailed
  }

  /// The daily quota's message is "Quota exceeded."; a rate's mentions bandwidth or a period.
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

extension Substring {
  fileprivate func trimmingSuffix(while drop: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, drop(last) { rest.removeLast() }
    return rest
  }
}
