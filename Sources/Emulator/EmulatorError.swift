/// Why the server could not start.
package enum EmulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  case cannotListen(host: String, port: Int, reason: String)

  package var description: String {
    switch self {
    case .cannotListen(let host, let port, let reason):
      "The emulator cannot listen on \(host):\(port): \(reason). Choose another --port."
    }
  }
}
