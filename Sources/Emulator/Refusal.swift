/// The canonical codes of Google's APIs, as `google/rpc/code.proto` names them.
package enum StatusCode: String, CaseIterable, Sendable {
  case cancelled = "CANCELLED"
  case unknown = "UNKNOWN"
  case invalidArgument = "INVALID_ARGUMENT"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case permissionDenied = "PERMISSION_DENIED"
  case unauthenticated = "UNAUTHENTICATED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case failedPrecondition = "FAILED_PRECONDITION"
  case aborted = "ABORTED"
  case outOfRange = "OUT_OF_RANGE"
  case unimplemented = "UNIMPLEMENTED"
  case `internal` = "INTERNAL"
  case unavailable = "UNAVAILABLE"
  case dataLoss = "DATA_LOSS"

  /// The HTTP status that carries the code.
  package var http: Int {
    switch self {
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .cancelled: 499
    case .unknown, .internal, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }
}

/// A request that the server does not carry out, as Firestore would say it.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: StatusCode
  /// What Google's servers say, or nearly so.
  package var message: String

  package init(_ code: StatusCode, _ message: String) {
    self.code = code
    self.message = message
  }

  static func invalid(_ message: String) -> Refusal { Refusal(.invalidArgument, message) }

  package var description: String { "\(code.rawValue): \(message)" }
}
