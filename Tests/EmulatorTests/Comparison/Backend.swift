import Emulator
import Fixtures
import Testing

/// Whom a test of server behaviour talks to.
enum Backend: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case embedded, google

  /// Ours, and Google's where it is on the machine.
  static let present = GoogleEmulator.isInstalled ? allCases : [.embedded]

  var testDescription: String { rawValue }

  /// Runs `body` with a client for a project that nobody else uses.
  func run(_ project: String, _ body: (RESTClient) async throws -> Void) async throws {
    switch self {
    case .google:
      let address = try await GoogleEmulator.shared().address
      try await body(RESTClient(address: address, project: project))
    case .embedded:
      let server = try await EmulatorServer.start()
      try await body(RESTClient(address: server.address, project: project))
      try await server.stop()
    }
  }
}
