import Firestore
import Model
import NIOCore
import NIOHTTP1
import NIOPosix

/// A Firestore in this process, spoken to over real HTTP.
///
/// Like the real one it has a clock of its own, which only moves forward. Faults and the request
/// log serve the tests; both may be used from any task while requests come in.
package final class EmulatorServer: Sendable {
  package let host: String
  /// The port that the system chose when 0 was asked for.
  package let port: Int
  /// What the server serves, for seeding and for looking at without HTTP.
  package let documents: DocumentStore
  /// Remote Config templates, served at `/v1/projects/{project}/remoteConfig`.
  package let remoteConfig: RemoteConfig
  /// The moments service, served at `/moments`.
  package let moments: MomentBook
  /// Customer reviews, served as the App Store's feeds of them.
  package let reviews: ReviewShelf

  private let desk: Desk
  private let listener: any Channel
  private let connections: Connections

  private init(
    host: String, port: Int, documents: DocumentStore, remoteConfig: RemoteConfig,
    moments: MomentBook, reviews: ReviewShelf, desk: Desk, listener: any Channel,
    connections: Connections
  ) {
    self.host = host
    self.port = port
    self.documents = documents
    self.remoteConfig = remoteConfig
    self.moments = moments
    self.reviews = reviews
    self.desk = desk
    self.listener = listener
    self.connections = connections
  }

  /// Listens on the address; throws `EmulatorError.cannotListen` when it is taken.
  ///
  /// `keepsRequests` is for tests: a server that runs for long must not, since each is kept whole.
  package static func start(
    host: String = "127.0.0.1", port: Int = 0, keepsRequests: Bool = true,
    clock: @escaping DocumentStore.Clock = SystemClock.now
  ) async throws -> EmulatorServer {
    let documents = DocumentStore(clock: clock)
    let remoteConfig = RemoteConfig()
    let moments = MomentBook(clock: { Instant(microseconds: clock().microseconds) })
    let reviews = ReviewShelf()
    let desk = Desk(
      Endpoints(
        documents: documents, remoteConfig: remoteConfig, moments: MomentEndpoints(book: moments),
        reviews: reviews),
      keepsRequests: keepsRequests)
    let connections = Connections()
    let listener = try await listen(host, port, desk, connections)
    guard let chosen = listener.localAddress?.port else {
      throw EmulatorError.cannotListen(host: host, port: port, reason: "no port was given")
    }
    return EmulatorServer(
      host: host, port: chosen, documents: documents, remoteConfig: remoteConfig,
      moments: moments, reviews: reviews, desk: desk, listener: listener, connections: connections)
  }

  /// Closes the port and every connection; a second call does nothing.
  package func stop() async throws {
    do {
      try await listener.close()
    } catch ChannelError.alreadyClosed {
      return
    }
    await connections.close()
  }

  /// `host:port`, as `FIRESTORE_EMULATOR_HOST` has it.
  package var address: String { "\(host):\(port)" }

  /// Every request since the start, unless they are not kept, faulty ones too, in the order of their arrival.
  package var requests: [RequestRecord] { desk.requests }

  package func forgetRequests() { desk.forgetRequests() }

  /// Lets the next requests fail.
  ///
  /// Only requests count whose method, space and target contain `pattern` (nil: all); of them the
  /// first `skips` go well, then `times` (nil: all) meet the fault. Of several faults that match,
  /// the one injected first is used up first.
  package func inject(
    _ fault: Fault, times: Int? = 1, after skips: Int = 0, matching pattern: String? = nil
  ) {
    desk.inject(fault, times: times, after: skips, matching: pattern)
  }

  package func clearFaults() { desk.clearFaults() }

  private static func listen(
    _ host: String, _ port: Int, _ desk: Desk, _ connections: Connections
  ) async throws -> any Channel {
    do {
      return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            connections.add(channel)
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(Conversation(desk))
          }
        }
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .bind(host: host, port: port).get()
    } catch {
      throw EmulatorError.cannotListen(host: host, port: port, reason: "\(error)")
    }
  }
}
