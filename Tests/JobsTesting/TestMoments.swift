package import Emulator
import Feeds
import Firestore
import Fixtures
import Foundation
import HTTP
package import Model
package import Store
import StoreTesting
package import Sync
import Synchronization

@testable import Jobs

/// A workspace with moments, and the embedded service that takes them.
package final class TestMoments: Sendable {
  package let server: EmulatorServer
  private let workspace: TemporaryStore
  /// What the server's clock shows; it follows the uploads.
  private let serverTime: ServerTime

  private final class ServerTime: Sendable {
    let now = Mutex(Instant.morning)
  }

  package init() async throws {
    workspace = try TemporaryStore()
    let time = ServerTime()
    serverTime = time
    server = try await EmulatorServer.start(clock: {
      Timestamp(microseconds: time.now.withLock { $0.microseconds })
    })
  }

  package var store: Store { workspace.store }

  /// Queues moments with the client ids of these numbers.
  @discardableResult
  package func enqueue(
    _ numbers: ClosedRange<Int>, profile: String = "default", userId: String? = "u1"
  ) throws -> [Int64] {
    try numbers.map { number in
      let moment = Moment(
        clientId: Self.clientId(number), text: "moment \(number)", submittedAt: .morning,
        tz: "UTC", userId: userId)
      let payload = String(decoding: try JSONEncoder().encode(moment), as: UTF8.self)
      return try enqueue(payload: payload, profile: profile)
    }
  }

  package func enqueue(payload: String, profile: String = "default") throws -> Int64 {
    try store.write {
      try $0.enqueue(.moment, profile: profile, payload: payload, at: .morning)
    }
  }

  package static func clientId(_ number: Int) -> String {
    let digits = String(number)
    return "6f9619ff-8b86-4011-b42d-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Runs an upload whose jitter leaves the backoff unchanged.
  ///
  /// `address` is the service's; nil for the embedded one.
  @discardableResult
  package func upload(
    at now: Instant = .morning, through address: String? = nil
  ) async throws -> OutboxUploadResult {
    serverTime.now.withLock { $0 = now }
    let client = MomentsClient(
      http: HTTPClient(), baseURL: address ?? "http://\(server.address)", appToken: "t0ken")
    return try await OutboxUpload(
      MomentSender(client: client, store: store), store: store, random: { 0.5 },
      elapsed: { .zero }, sleep: { _ in }
    ).run(at: now, maxItems: 1_000)
  }

  package func setProfile(_ change: (inout Profile) -> Void) throws {
    try store.write { writer in
      var profile = try writer.profile(named: "default") ?? Profile()
      change(&profile)
      try writer.save(profile)
    }
  }

  package func item(_ id: Int64) throws -> OutboxItem {
    guard let item = try store.read({ try $0.outboxItem(id: id) }) else {
      throw TestOutbox.NoItem()
    }
    return item
  }

  package func states(_ ids: [Int64]) throws -> [OutboxItem.State] {
    try ids.map { try item($0).state }
  }

  package var reached: ReachedMomentLimits {
    get throws { try store.read { try $0.reachedMomentLimits(profile: "default") } }
  }

  /// The client ids that the server has, in the order in which they arrived.
  package var taken: [String] { server.moments.entries.map(\.moment.clientId) }

  /// Method and path of every request since the last call.
  package func requests() -> [String] {
    defer { server.forgetRequests() }
    return server.requests.map { "\($0.method) \($0.path)" }
  }
}
