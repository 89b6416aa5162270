import Emulator
import Firestore
import Fixtures
import Synchronization
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

/// A server's clock that stands still until it is told.
final class TestClock: Sendable {
  private let microseconds = Mutex<Int64>(1_800_000_000_000_000)

  func pass(seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }

  @Sendable func now() -> Timestamp { Timestamp(microseconds: microseconds.withLock { $0 }) }

  /// A server with such a clock, and a client for it.
  static func withServer(
    _ body: (RESTClient, TestClock) async throws -> Void
  ) async throws {
    let clock = TestClock()
    let server = try await EmulatorServer.start(keepsRequests: false, clock: clock.now)
    try await body(RESTClient(address: server.address), clock)
    try await server.stop()
  }
}
