package import Firestore
import Glibc
package import Model
import NIOCore
import NIOHTTP1
import NIOPosix

/// A Firestore server in this process, reached over real HTTP.
///
/// Commit times strictly increase, whatever its clock. Tests inject faults and read the requests;
/// any task may do so while the server runs.
package final class EmulatorServer: Sendable {
  /// Only this machine reaches it: nobody is asked who they are.
  private static let host = "127.0.0.1"
  /// The port; chosen by the system when 0 was requested.
  package let port: Int
  private let router: RequestRouter
  private let listener: any Channel
  private let connections: OpenConnections

  private init(
    port: Int, router: RequestRouter, listener: any Channel, connections: OpenConnections
  ) {
    self.port = port
    self.router = router
    self.listener = listener
    self.connections = connections
  }

  /// Listens on the loopback address; throws `EmulatorError.portInUse` when the port is taken.
  ///
  /// Port 0 is a free one. `keepsRequests` is for tests, since it needs memory for every request.
  /// With `retryAfterSeconds` every request is answered with 503 and this `Retry-After`, or a
  /// longer one, until `open()`. Each query gets `documentsPerSecond`, as on Google's servers; nil
  /// for as many as it can. A connection is closed that is silent for `longestPause` within a
  /// request, or for five of them between two. `edition` is that of all databases.
  package static func start(
    port: Int = 0, keepsRequests: Bool = true, retryAfterSeconds: Int? = nil,
    documentsPerSecond: Int? = nil, longestPause: Duration = .seconds(60),
    edition: FirestoreEdition = .standard,
    clock: @escaping DocumentStore.Clock = SystemClock.now
  ) async throws -> EmulatorServer {
    let router = RequestRouter(
      Endpoints(clock: clock, edition: edition), keepsRequests: keepsRequests,
      retryAfterSeconds: retryAfterSeconds,
      documentsPerSecond: documentsPerSecond)
    let connections = OpenConnections()
    let listener = try await listen(port, router, connections, longestPause)
    guard let chosen = listener.localAddress?.port else {
      throw EmulatorError.cannotListen(host: host, port: port, reason: "no port was given")
    }
    return EmulatorServer(
      port: chosen, router: router, listener: listener, connections: connections)
  }

  /// The served documents, for access without HTTP.
  package var documents: DocumentStore { router.endpoints.documents }
  /// Remote Config templates, served at `/v1/projects/{project}/remoteConfig`.
  package var remoteConfig: RemoteConfig { router.endpoints.remoteConfig }
  /// The moments service, served at `/moments`.
  package var moments: MomentStore { router.endpoints.moments.store }
  /// Customer reviews, served as the App Store's feeds.
  package var reviews: ReviewStore { router.endpoints.reviews }
  /// Accounts of Firebase Authentication, served as Identity Toolkit does.
  package var accounts: AccountStore { router.endpoints.accounts.store }
  /// TTL policies of each database, served as the Admin API does; none at the start.
  package var expiry: ExpiryPolicies { router.endpoints.expiry }

  /// Begins to execute requests, after a start with `retryAfterSeconds`.
  package func open() { router.open() }

  /// Closes the port and all connections; a second call has no effect.
  package func stop() async throws {
    do {
      try await listener.close()
    } catch ChannelError.alreadyClosed {
      return
    }
    await connections.close()
  }

  /// `host:port`, as `FIRESTORE_EMULATOR_HOST` and `FIREBASE_AUTH_EMULATOR_HOST` have it.
  package var address: String { "\(Self.host):\(port)" }

  /// All requests in order of arrival, failed ones included; empty without `keepsRequests`.
  package var requests: [RequestRecord] { router.requests }

  package func forgetRequests() { router.forgetRequests() }

  /// Injects a fault into the next requests.
  ///
  /// Applies to requests whose method, space and target contain `pattern` (nil: all). Of these the
  /// first `skips` succeed and the next `times` (nil: all) fail. Of several matching faults, the
  /// one injected first is used first.
  package func inject(
    _ fault: Fault, times: Int? = 1, after skips: Int = 0, matching pattern: String? = nil
  ) {
    router.inject(fault, times: times, after: skips, matching: pattern)
  }

  package func clearFaults() { router.clearFaults() }

  private static func listen(
    _ port: Int, _ router: RequestRouter, _ connections: OpenConnections,
    _ longestPause: Duration
  ) async throws -> any Channel {
    do {
      return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            connections.add(channel)
            try channel.pipeline.syncOperations.addHandler(
              IdleStateHandler(readTimeout: TimeAmount(longestPause)))
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(router))
          }
        }
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .bind(host: host, port: port).get()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw EmulatorError.portInUse(host: host, port: port)
    } catch let error as IOError {
      let reason = String(cString: strerror(error.errnoCode)).lowercased()
      throw EmulatorError.cannotListen(host: host, port: port, reason: reason)
    } catch {
      throw EmulatorError.cannotListen(host: host, port: port, reason: "\(error)")
    }
  }
}

package enum SystemClock {
  @Sendable package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
