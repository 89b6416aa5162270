package import Firestore
import Fixtures
import Foundation
import Jobs
package import Model
package import Store
import StoreTesting
package import Sync

/// The outbox of a temporary store, with uploads of its items.
package struct TestOutbox {
  package static let collection = "Feedback/com.example.app/Rating_Feedback"

  private let workspace: TemporaryStore

  package init() throws {
    workspace = try TemporaryStore()
  }

  package var store: Store { workspace.store }

  package func enqueue(_ feedback: Feedback) throws -> Int64 {
    let payload = try JSONEncoder().encode(feedback)
    return try enqueue(payload: String(decoding: payload, as: UTF8.self))
  }

  package func enqueue(payload: String) throws -> Int64 {
    try store.write {
      try $0.enqueue(.feedback, profile: "default", payload: payload, at: .morning)
    }
  }

  /// Runs an upload whose jitter leaves the backoff unchanged.
  package func upload(
    _ port: any FirestorePort, at now: Instant = .morning, maxItems: Int = 100,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) async throws -> OutboxUploadResult {
    try await OutboxUpload(
      FeedbackSender(port: port, store: store, bundleId: "com.example.app"), store: store,
      random: { 0.5 }, elapsed: { .zero }, sleep: sleep
    ).run(at: now, maxItems: maxItems)
  }

  package struct NoItem: Error {}

  package func item(_ id: Int64) throws -> OutboxItem {
    guard let item = try store.read({ try $0.outboxItem(id: id) }) else { throw NoItem() }
    return item
  }

  package func states(_ ids: [Int64]) throws -> [OutboxItem.State] {
    try ids.map { try item($0).state }
  }
}

extension Feedback {
  /// Feedback of so many seconds after the morning of the tests.
  package static func numbered(_ number: Int) -> Feedback {
    Feedback(
      userId: "user-\(number)", gender: "Female", country: "Chile", appVersion: "3.1",
      text: "Too many limits \(number) 🌸", timestamp: Instant.morning.unixSeconds + Int64(number),
      stars: 2)
  }
}

extension [String: Value] {
  /// The document that `Feedback.numbered` becomes.
  package static func feedback(_ number: Int) -> Self {
    [
      "userId": .string("user-\(number)"), "gender": .string("Female"),
      "country": .string("Chile"), "appVersion": .string("3.1"),
      "feedback": .string("Too many limits \(number) 🌸"),
      "timestamp": .integer(Instant.morning.unixSeconds + Int64(number)), "rating": .double(2),
    ]
  }
}
