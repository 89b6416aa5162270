package import Firestore

/// A request that the server does not carry out, as Firestore would say it.
package struct RefusedRequest: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: RPCStatus
  /// What Google's servers say, or nearly so.
  package var message: String

  package init(_ code: RPCStatus, _ message: String) {
    self.code = code
    self.message = message
  }

  static func invalid(_ message: String) -> RefusedRequest {
    RefusedRequest(.invalidArgument, message)
  }

  package var description: String { "\(code.rawValue): \(message)" }
}
