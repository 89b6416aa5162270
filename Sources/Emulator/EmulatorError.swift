package import Firestore

/// A request that the emulator refuses, with Firestore's error.
package struct RefusedRequest: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: RPCStatus
  /// The message of Google's servers, or one close to it.
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

package enum EmulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  case portInUse(host: String, port: Int)
  case cannotListen(host: String, port: Int, reason: String)

  package var description: String {
    switch self {
    case .portInUse(let host, let port):
      "Port \(port) on \(host) is in use. Choose another --port."
    case .cannotListen(let host, let port, let reason):
      "The emulator cannot listen on \(host):\(port): \(reason). Choose another --port."
    }
  }
}
