import Firestore
import Model
import Store
import Sync

/// An item during its delivery, with the next action of its upload or its outcome.
struct FeedbackDelivery {
  let itemId: Int64
  /// Nil for an unreadable payload.
  let feedback: Feedback?
  /// The next action; nil once there is an outcome.
  private(set) var next: FeedbackUpload.Action?
  /// The outcome; nil while requests are left to make.
  private(set) var outcome: DeliveryOutcome?
  private var upload: FeedbackUpload?
  private let collection: String
  /// Whether the server may have the item, as far as its answers show.
  private var mayHaveArrived: Bool
  private var lastError: FirestoreError?

  /// Begins the delivery; an unreadable item ends at once.
  init(_ item: OutboxItem, collection: String) {
    itemId = item.id
    self.collection = collection
    mayHaveArrived = item.mayHaveArrived
    do {
      let feedback = try StoredJSON.value(Feedback.self, of: item.payload)
      self.feedback = feedback
      upload = FeedbackUpload(
        feedback, mayHaveArrived: item.mayHaveArrived,
        target: item.target.flatMap { Int64($0.dropFirst(collection.count + 1)) })
      next = upload?.start()
    } catch {
      feedback = nil
      outcome = .rejected(reason: "The payload is not readable feedback: \(error)")
    }
  }

  /// Handles the answer to a create; the error is nil on success.
  mutating func created(_ error: FirestoreError?, credentialsKnownGood: Bool) {
    switch error {
    case nil: on(.created)
    case let error? where error.status == .alreadyExists:
      // The document with that id may be this very item; the next read shows that.
      mayHaveArrived = true
      on(.alreadyExists)
    case let error? where error.isUnproven:
      mayHaveArrived = true
      lastError = error
      on(.unproven)
    case let error?: failed(error, credentialsKnownGood: credentialsKnownGood)
    }
  }

  /// Handles the result of a search by content; nil when no document has it.
  mutating func found(_ id: String?) {
    mayHaveArrived = false
    on(.found(id))
  }

  /// Ends the delivery: an earlier item with the same content is already that document.
  mutating func delivered(as path: String) { end(.delivered(remoteName: path)) }

  /// Handles the document with the id; nil when it is missing.
  mutating func read(_ found: [String: Value]?) {
    mayHaveArrived = false
    on(.read(found))
  }

  mutating func failed(_ error: FirestoreError, credentialsKnownGood: Bool) {
    mayHaveArrived =
      mayHaveArrived || error.leavesOutcomeUnknown || error.status == .failedPrecondition
    lastError = error
    on(.failed(FeedbackFailure(error, credentialsKnownGood: credentialsKnownGood)))
  }

  /// Ends the attempt so that the item is sent alone, because the batch was refused or another of
  /// its items has the same content.
  mutating func splitFromBatch() { end(.splitBatch) }

  mutating func on(_ event: FeedbackUpload.Event) {
    guard next != nil, let action = upload?.on(event) else { return }
    next = action
    if let outcome = outcome(of: action) { end(outcome) }
  }

  private mutating func end(_ outcome: DeliveryOutcome) {
    (next, self.outcome) = (nil, outcome)
  }

  /// Returns the outcome of an action; nil for an action that needs another step.
  private func outcome(of action: FeedbackUpload.Action) -> DeliveryOutcome? {
    switch action {
    case .find, .place, .search, .create, .read: nil
    case .deliver(let id): .delivered(remoteName: path(id))
    case .reject: .rejected(reason: lastError?.description ?? "Firestore refused it.")
    case .retryLater: .retryLater(failure)
    case .stop: .stopped(failure)
    }
  }

  private var failure: OutboxFailure {
    OutboxFailure(
      lastError ?? NoFreeSecond(), retryAfter: lastError?.retryAfter, isAbsent: !mayHaveArrived,
      isSilence: lastError?.isSilence == true)
  }

  private func path(_ id: String) -> String { "\(collection)/\(id)" }
}

/// Every id is taken, according to the server.
private struct NoFreeSecond: Error, CustomStringConvertible {
  let description =
    "No free second was found for the feedback: the server says of each that it is taken. "
    + "It is tried again later."
}

extension FirestoreError {
  /// Whether a write was answered with success, but without proof of what was written.
  var isUnproven: Bool {
    guard case .malformedAnswer(_, 200..<300, _) = self else { return false }
    return true
  }

  /// The pause that the server requested; nil for none.
  fileprivate var retryAfter: Duration? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.retryAfter
  }
}

/// The meaning of a failed request for its feedback item.
enum FeedbackFailure: Hashable, Sendable {
  case transient
  /// The request can never succeed in this form.
  case permanent
  /// No item can be delivered now, because of the credentials, a quota or the configuration.
  case general

  /// Classifies an error by its reason, never by its text.
  ///
  /// Only requests that Firestore itself calls invalid are permanent, and a 403 once the
  /// credentials are known to work. A proxy's page or a broken certificate says nothing about the
  /// item.
  init(_ error: FirestoreError, credentialsKnownGood: Bool) {
    self =
      switch error {
      case .refused(let refusal) where refusal.status == .unimplemented: .general
      case .refused(let refusal):
        switch refusal.reason {
        case .transient, .rate, .alreadyExists, .readTimeTooOld, .other: .transient
        case .invalid: .permanent
        case .permissionDenied: credentialsKnownGood ? .permanent : .general
        case .unauthenticated, .dailyQuota, .serviceDisabled, .databaseMissing, .notFound,
          .preconditionFailed, .missingIndex, .buildingIndex, .datastoreMode, .billingDisabled,
          .consumerInvalid, .quotaProjectMissing, .scopeMissing, .authenticationMissing,
          .pageTokenInvalid, .colonInId, .notInEdition:
          .general
        }
      case .credentials(let error): error.isTransient ? .transient : .general
      case .malformedAnswer, .transport: .transient
      case .invalidRequest: .general
      }
  }
}
