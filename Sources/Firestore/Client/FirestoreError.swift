package import HTTP

package enum FirestoreError: Error, Hashable, Sendable {
  case refused(Refusal)
  /// The answer is not Firestore's: not JSON, cut short, or the page of a proxy.
  ///
  /// `problem` is a clause with its subject, such as `the answer is not an object`.
  case malformedAnswer(request: String, httpStatus: Int, problem: String)
  /// There was no answer.
  case transport(request: String, HTTPError)
  /// There is no token, so nothing was sent to Firestore.
  case credentials(CredentialsError)
  /// The request is invalid, for example because of an id with a slash; nothing was sent.
  case invalidRequest(WireError)

  /// The error's code; nil when Firestore did not answer.
  package var status: RPCStatus? { refusal?.status }

  package var reason: Refusal.Reason? { refusal?.reason }

  /// The indexes that a refused query needs, at least one of them missing; empty for other errors.
  package var missingIndexes: [QueryIndex] { refusal?.missingIndexes ?? [] }

  private var refusal: Refusal? {
    if case .refused(let refusal) = self { refusal } else { nil }
  }

  /// Whether the same request may succeed later without a change on either side.
  package var isTransient: Bool {
    switch self {
    case .refused(let refusal): refusal.reason == .transient || refusal.reason == .rate
    case .malformedAnswer(_, let status, _): status < 300 || status >= 500 || status == 408
    case .transport(_, let error): error.isTransient
    case .credentials(let error): error.isTransient
    case .invalidRequest: false
    }
  }

  /// Whether the answer exceeded the maximum size, so that the caller must request less at a time.
  package var isTooLarge: Bool {
    if case .transport(_, .tooLarge) = self { true } else { false }
  }

  /// Whether the server accepted the connection and then sent nothing for too long.
  package var isSilence: Bool {
    switch self {
    case .transport(_, let error), .credentials(.unreachable(_, let error)): error.isSilence
    case .refused, .malformedAnswer, .credentials, .invalidRequest: false
    }
  }

  /// Whether the error is about the token, the account or its rights.
  package var isUnauthorized: Bool {
    switch self {
    case .refused(let refusal):
      [
        .unauthenticated, .permissionDenied, .serviceDisabled, .quotaProjectMissing,
        .billingDisabled, .consumerInvalid, .scopeMissing,
      ].contains(refusal.reason)
    case .credentials(let error): !error.isTransient
    case .malformedAnswer, .transport, .invalidRequest: false
    }
  }

  /// The cause of a refusal that applies to all requests of a kind, such as a lost role, as a text
  /// that is the same for all of them; nil for an error of this request alone.
  package var commonCause: String? {
    guard let refusal else { return nil }
    switch refusal.reason {
    case .permissionDenied, .scopeMissing:
      return "\(refusal.api.name) \(refusal.isWrite ? "write" : "read") \(refusal.reason.rawValue)"
    case .unauthenticated, .serviceDisabled, .quotaProjectMissing, .billingDisabled,
      .consumerInvalid, .databaseMissing, .datastoreMode, .dailyQuota, .authenticationMissing:
      return "\(refusal.api.name) \(refusal.reason.rawValue)"
    case .missingIndex, .buildingIndex, .preconditionFailed, .readTimeTooOld, .rate, .notFound,
      .alreadyExists, .pageTokenInvalid, .transient, .notInEdition, .invalid, .colonInId,
      .other:
      return nil
    }
  }

  /// Whether a write may have been carried out despite this error.
  package var leavesOutcomeUnknown: Bool {
    switch self {
    case .refused(let refusal):
      refusal.followsUnknownOutcome
        || [.unavailable, .deadlineExceeded, .internal, .unknown, .cancelled]
          .contains(refusal.status)
    case .malformedAnswer: true
    case .transport(_, let error): error.leavesOutcomeUnknown
    case .credentials, .invalidRequest: false
    }
  }
}

extension FirestoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .malformedAnswer(let request, let status, let problem):
      "Could not \(request): \(problem) (HTTP \(status)). "
        + "Check the address of the server and any proxy in between, then try again."
    case .transport(let request, let error): "Could not \(request). \(error)"
    case .credentials(let error): error.description
    case .invalidRequest(let error): "The request was not sent: \(error)."
    }
  }
}

extension HTTPError {
  /// Whether the request may have reached the server.
  fileprivate var leavesOutcomeUnknown: Bool {
    switch self {
    case .invalidRequest, .resolveFailed, .refused, .tls: false
    case .timedOut(_, let phase, _): phase != .connect
    case .tooLarge, .headersTooLarge, .cutShort, .malformed, .tooManyRedirects, .redirectRefused,
      .mailRefused, .cancelled, .other:
      true
    }
  }
}
