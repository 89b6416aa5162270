import Emulator
import Feeds
import Firestore
import Foundation
import HTTP
import Model
import Store
import Synchronization

@testable import Sync

/// A workspace with moments, and the embedded service that takes them.
final class TestMoments: Sendable {
  let server: EmulatorServer
  private let workspace: TemporaryStore
  /// What the server's clock shows; it follows the uploads.
  private let serverTime: ServerTime

  private final class ServerTime: Sendable {
    let now = Mutex(Instant.morning)
  }

  init() async throws {
    workspace = try TemporaryStore()
    let time = ServerTime()
    serverTime = time
    server = try await EmulatorServer.start(clock: {
      Timestamp(microseconds: time.now.withLock { $0.microseconds })
    })
  }

  var store: Store { workspace.store }

  /// Queues moments with the client ids of these numbers.
  @discardableResult
  func enqueue(
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

  func enqueue(payload: String, profile: String = "default") throws -> Int64 {
    try store.write {
      try $0.enqueue(.moment, profile: profile, payload: payload, at: .morning)
    }
  }

  static func clientId(_ number: Int) -> String {
    let digits = String(number)
    return "6f9619ff-8b86-4011-b42d-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Runs an upload whose jitter leaves the backoff as it is; to the embedded service unless told.
  @discardableResult
  func upload(
    at now: Instant = .morning, through address: String? = nil
  ) async throws -> OutboxUpload.Result {
    serverTime.now.withLock { $0 = now }
    let client = MomentsClient(
      http: HTTPClient(), baseURL: address ?? "http://\(server.address)", appToken: "t0ken")
    return try await OutboxUpload(
      MomentCarrier(client: client, store: store), store: store, random: { 0.5 },
      elapsed: { .zero }, sleep: { _ in }
    ).run(at: now, maxItems: 1_000)
  }

  func setProfile(_ change: (inout Profile) -> Void) throws {
    try store.write { writer in
      var profile = try writer.profile(named: "default") ?? Profile()
      change(&profile)
      try writer.save(profile)
    }
  }

  func item(_ id: Int64) throws -> OutboxItem {
    guard let item = try store.read({ try $0.outboxItem(id: id) }) else {
      throw TestOutbox.NoItem()
    }
    return item
  }

  func states(_ ids: [Int64]) throws -> [OutboxItem.State] { try ids.map { try item($0).state } }

  var marks: MomentMarks {
    get throws { try store.read { try $0.momentMarks(profile: "default") } }
  }

  /// The client ids that the server has, in the order in which it took them.
  var taken: [String] { server.moments.entries.map(\.moment.clientId) }

  /// Method and path of every request since the last call.
  func requests() -> [String] {
    defer { server.forgetRequests() }
    return server.requests.map { "\($0.method) \($0.path)" }
  }
}
