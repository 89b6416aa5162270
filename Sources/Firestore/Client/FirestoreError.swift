package import HTTP

/// Why a request to Firestore has no result.
package enum FirestoreError: Error, Hashable, Sendable {
  /// The server answered with an error.
  case refused(Refusal)
  /// The answer is not one of Firestore's: not JSON, cut short, or a page of a proxy.
  case malformedAnswer(request: String, httpStatus: Int, problem: String)
  /// No answer came.
  case transport(request: String, HTTPError)
  /// No token could be had; nothing was asked of Firestore.
  case credentials(CredentialsError)
  /// The request cannot be written, for example because of an id with a slash.
  case invalidRequest(WireError)

  /// The code by which an answer is acted on; nil when there was no answer of Firestore's.
  package var status: RPCStatus? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.status
  }

  package var reason: Refusal.Reason? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.reason
  }

  /// The indexes of which a refused query lacks at least one; empty for every other error.
  package var missingIndexes: [QueryIndex] {
    guard case .refused(let refusal) = self else { return [] }
    return refusal.missingIndexes
  }

  /// Whether the same request may well succeed later without anyone changing anything.
  package var isTransient: Bool {
    switch self {
    case .refused(let refusal): refusal.reason == .transient || refusal.reason == .rate
    case .malformedAnswer(_, let status, _): status < 300 || status >= 500 || status == 408
    case .transport(_, let error): error.isTransient
    case .credentials(let error): error.isTransient
    case .invalidRequest: false
    }
  }

  /// Whether it is a matter of who asks: the token, the account, or its rights.
  package var isUnauthorized: Bool {
    switch self {
    case .refused(let refusal):
      [.unauthenticated, .permissionDenied, .serviceDisabled].contains(refusal.reason)
    case .credentials(let error): !error.isTransient
    case .malformedAnswer, .transport, .invalidRequest: false
    }
  }

  /// Whether a write may have been carried out although this came back.
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
      "The answer to \(request) is not one of Firestore's: \(problem) (HTTP \(status)). "
        + "Check the address of the server and any proxy between, and try again."
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
    case .noLibrary, .invalidRequest, .resolveFailed, .refused, .tls: false
    case .timedOut(_, let phase, _): phase != .connect
    case .tooLarge, .cutShort, .malformed, .tooManyRedirects, .redirectRefused, .cancelled, .other:
      true
    }
  }
}
