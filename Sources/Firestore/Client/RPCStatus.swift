/// The codes of `google/rpc/code.proto`, named as in REST errors.
package enum RPCStatus: String, CaseIterable, Sendable {
  case ok = "OK"
  case cancelled = "CANCELLED"
  case unknown = "UNKNOWN"
  case invalidArgument = "INVALID_ARGUMENT"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case permissionDenied = "PERMISSION_DENIED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case failedPrecondition = "FAILED_PRECONDITION"
  case aborted = "ABORTED"
  case outOfRange = "OUT_OF_RANGE"
  case unimplemented = "UNIMPLEMENTED"
  case `internal` = "INTERNAL"
  case unavailable = "UNAVAILABLE"
  case dataLoss = "DATA_LOSS"
  case unauthenticated = "UNAUTHENTICATED"

  /// The code's number in the proto file; the cases are in this order, from 0.
  package var number: Int { RPCStatus.allCases.firstIndex(of: self) ?? 2 }

  /// The code with that number; nil for an unknown number.
  package init?(number: Int64) {
    let all = RPCStatus.allCases
    guard all.indices.contains(Int(clamping: number)) else { return nil }
    self = all[Int(clamping: number)]
  }

  /// The HTTP status that the proto file maps it to.
  package var httpStatus: Int {
    switch self {
    case .ok: 200
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    case .unknown, .internal, .dataLoss: 500
    }
  }

  /// The most likely code for an HTTP status without an error envelope.
  package init(httpStatus: Int) {
    self =
      switch httpStatus {
      case 200...299: .ok
      case 400: .invalidArgument
      case 401: .unauthenticated
      case 403: .permissionDenied
      case 404: .notFound
      case 408, 504: .deadlineExceeded
      case 409: .aborted
      case 429: .resourceExhausted
      case 499: .cancelled
      case 501: .unimplemented
      case 502, 503: .unavailable
      case 500, 505...599: .internal
      default: .unknown
      }
  }
}
