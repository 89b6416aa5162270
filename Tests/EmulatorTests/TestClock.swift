import Emulator
import Firestore
import Synchronization

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
