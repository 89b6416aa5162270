import Firestore
import FoundationEssentials
package import Model

/// Takes feedback to Firestore, as `Feedback/{bundle id}/Rating_Feedback/{second}`.
package struct FeedbackCarrier: OutboxCarrier {
  private let port: any FirestorePort
  private let collection: String

  /// - Parameters:
  ///   - port: where the documents go.
  ///   - bundleId: the app's document under `Feedback`.
  package init(port: any FirestorePort, bundleId: String) {
    self.port = port
    collection = "Feedback/\(bundleId)/Rating_Feedback"
  }

  package var kind: OutboxItem.Kind { .feedback }

  package func deliver(
    _ item: OutboxItem, at now: Instant, credentialsKnownGood: Bool, sending: () throws -> Void
  ) async throws -> OutboxFate {
    var upload: FeedbackUpload
    do {
      let feedback = try JSONDecoder().decode(Feedback.self, from: Data(item.payload.utf8))
      upload = FeedbackUpload(feedback)
    } catch {
      return .rejected(reason: "Its payload is no feedback that can be read: \(error)")
    }
    try sending()
    var action = upload.start
    while true {
      do {
        if let fate = fate(of: action) { return fate }
        action = upload.on(try await perform(action, fields: upload.fields))
      } catch let error as FirestoreError {
        let failure = FeedbackUpload.Failure(error, credentialsKnownGood: credentialsKnownGood)
        return fate(of: upload.on(.failed(failure)), after: error)
      }
    }
  }

  /// Nil for an action that needs a request.
  private func fate(of action: FeedbackUpload.Action) -> OutboxFate? {
    switch action {
    case .create, .read: nil
    case .deliver(let id): .delivered(remoteName: "\(collection)/\(id)")
    case .reject:
      .rejected(reason: "All \(FeedbackUpload.longestWalk) ids that were tried are taken.")
    case .retryLater, .stop: preconditionFailure("\(action) follows only a failure")
    }
  }

  private func fate(
    of action: FeedbackUpload.Action, after error: FirestoreError
  ) -> OutboxFate {
    switch action {
    case .retryLater: .retryLater(OutboxFailure(error, retryAfter: error.retryAfter))
    case .reject: .rejected(reason: error.description)
    default: .stopped(OutboxFailure(error))
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
}

extension FirestoreError {
  /// How long the server asked to wait; nil when it did not.
  fileprivate var retryAfter: Duration? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.retryAfter
  }
}
