import Firestore
import Foundation
package import Model
package import Store

/// Delivers queued feedback to Firestore, each item exactly once; see `docs/jobs.md#outbox`.
///
/// Every step is stored before the next byte leaves. An item found `sending` at the start belonged
/// to a process that died; its delivery is tried again, and `FeedbackUpload` finds out whether the
/// server has it.
package struct OutboxUpload: Sendable {
  package struct Result: Sendable {
    package var delivered = 0
    /// Failed for now; they wait for their next attempt.
    package var requeued = 0
    package var rejected = 0
    /// What made the upload stop before its end; nil when it went through all due items.
    package var stoppedBy: (any Error)?
    /// Sentences about items that failed.
    package var problems: [String] = []
  }

  /// After this many items in a row failed for reasons of the network, the rest wait for the next run.
  package static let longestFailureRow = 3

  private let port: any FirestorePort
  private let store: Store
  private let bundleId: String
  private let backoff = Backoff()
  private let random: @Sendable () -> Double

  /// - Parameters:
  ///   - port: where the documents go.
  ///   - store: where the items are.
  ///   - bundleId: the app's document under `Feedback`.
  ///   - random: from 0 up to 1, for the jitter of the backoff.
  package init(
    port: any FirestorePort, store: Store, bundleId: String,
    random: @escaping @Sendable () -> Double
  ) {
    self.port = port
    self.store = store
    self.bundleId = bundleId
    self.random = random
  }

  /// Delivers what is due at `now`, oldest first, at most `maxItems`.
  ///
  /// - Precondition: the caller holds the workspace's lock, so nobody else is sending.
  package func run(at now: Instant, maxItems: Int) async throws -> Result {
    var result = Result()
    var failuresInARow = 0
    var areCredentialsKnownGood = false
    for item in try dueItems(at: now, maxItems: maxItems) {
      try Task.checkCancellation()
      let outcome = try await deliver(item, at: now, credentialsKnownGood: areCredentialsKnownGood)
      result.add(outcome, of: item)
      if outcome.reachedServer { areCredentialsKnownGood = true }
      failuresInARow = outcome.isTransientFailure ? failuresInARow + 1 : 0
      if failuresInARow == Self.longestFailureRow { result.stoppedBy = outcome.error }
      if result.stoppedBy != nil { return result }
    }
    return result
  }

  private func dueItems(at now: Instant, maxItems: Int) throws -> [OutboxItem] {
    try store.write { writer in
      for item in try writer.sendingOutboxItems(kind: .feedback) {
        try writer.requeue(id: item.id, nextAttemptAt: nil, error: item.lastError)
      }
      return try writer.dueOutboxItems(kind: .feedback, at: now, limit: maxItems)
    }
  }

  private var collection: String { "Feedback/\(bundleId)/Rating_Feedback" }

  private func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool
  ) async throws -> Delivery {
    var upload: FeedbackUpload
    do {
      let feedback = try JSONDecoder().decode(Feedback.self, from: Data(item.payload.utf8))
      upload = FeedbackUpload(feedback)
    } catch {
      return try reject(item, because: "Its payload is no feedback that can be read: \(error)")
    }
    var action = upload.start
    try store.write { try $0.markSending(id: item.id, at: now) }
    while true {
      switch action {
      case .create, .read:
        do {
          action = upload.on(try await perform(action, fields: upload.fields))
        } catch let error as FirestoreError {
          let failure = FeedbackUpload.Failure(error, credentialsKnownGood: credentialsKnownGood)
          return try settle(item, upload.on(.failed(failure)), after: error, at: now)
        }
      case .deliver(let id):
        let name = "\(collection)/\(id)"
        try store.write { try $0.markDelivered(id: item.id, remoteName: name, at: now) }
        return Delivery(.delivered)
      case .reject:
        return try reject(
          item, because: "All \(FeedbackUpload.longestWalk) ids that were tried are taken.")
      case .retryLater, .stop:
        preconditionFailure("\(action) follows only a failure")
      }
    }
  }

  private func perform(
    _ action: FeedbackUpload.Action, fields: [String: Value]
  ) async throws -> FeedbackUpload.Event {
    if case .read(let id) = action {
      let document = try await port.document(at: "\(collection)/\(id)", readTime: nil)
      return .read(document?.fields)
    }
    guard case .create(let id) = action else {
      preconditionFailure("\(action) needs no request")
    }
    do {
      try await port.create(documentId: id, in: collection, fields: fields)
      return .created
    } catch let error as FirestoreError where error.status == .alreadyExists {
      return .alreadyExists
    }
  }

  private func settle(
    _ item: OutboxItem, _ action: FeedbackUpload.Action, after error: FirestoreError,
    at now: Instant
  ) throws -> Delivery {
    switch action {
    case .retryLater:
      let next = backoff.nextAttempt(
        after: now, attempts: item.attempts + 1, retryAfter: error.retryAfter, random: random())
      try store.write {
        try $0.requeue(id: item.id, nextAttemptAt: next, error: error.description)
      }
      return Delivery(.requeued, error)
    case .reject:
      return try reject(item, because: error.description)
    default:
      try store.write {
        try $0.requeue(id: item.id, nextAttemptAt: nil, error: error.description)
      }
      return Delivery(.stopped, error)
    }
  }

  private func reject(_ item: OutboxItem, because reason: String) throws -> Delivery {
    try store.write { try $0.reject(id: item.id, reason: reason) }
    return Delivery(.rejected, reason: reason)
  }
}

/// How one item's delivery ended.
private struct Delivery {
  enum End {
    case delivered, requeued, rejected, stopped
  }

  let end: End
  let error: FirestoreError?
  let reason: String?

  init(_ end: End, _ error: FirestoreError? = nil, reason: String? = nil) {
    self.end = end
    self.error = error
    self.reason = reason ?? error?.description
  }

  /// The server took the credentials, whatever it thought of the item.
  var reachedServer: Bool { end == .delivered }
  var isTransientFailure: Bool { end == .requeued }
}

extension OutboxUpload.Result {
  fileprivate mutating func add(_ delivery: Delivery, of item: OutboxItem) {
    switch delivery.end {
    case .delivered: delivered += 1
    case .requeued: requeued += 1
    case .rejected: rejected += 1
    case .stopped: stoppedBy = delivery.error
    }
    if let reason = delivery.reason {
      problems.append("outbox item \(item.id): \(reason)")
    }
  }
}

extension FirestoreError {
  /// How long the server asked to wait; nil when it did not.
  fileprivate var retryAfter: Duration? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.retryAfter
  }
}
