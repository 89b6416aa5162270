import Firestore
import Model
import Sync

/// One item under way: the next action of its upload, or its outcome.
struct FeedbackDelivery {
  private enum State {
    case underWay(FeedbackUpload, next: FeedbackUpload.Action)
    case over(DeliveryOutcome)
  }

  let itemId: Int64
  /// Nil for a payload that cannot be read.
  let feedback: Feedback?
  private var state: State
  private let collection: String
  /// Whether the server may have the item, as far as its answers tell.
  private var mayHaveArrived: Bool
  private var lastError: FirestoreError?

  /// An item that cannot be read is over at once.
  init(_ item: OutboxItem, collection: String) {
    itemId = item.id
    self.collection = collection
    mayHaveArrived = item.mayHaveArrived
    do {
      let feedback = try StoredJSON.value(Feedback.self, of: item.payload)
      self.feedback = feedback
      var upload = FeedbackUpload(
        feedback, mayHaveArrived: item.mayHaveArrived,
        target: item.target.flatMap { Int64($0.dropFirst(collection.count + 1)) })
      let start = upload.start()
      state = .underWay(upload, next: start)
    } catch {
      feedback = nil
      state = .over(
        .rejected(reason: "The payload is not readable feedback: \(error)"))
    }
  }

  /// Nil while requests are left to make.
  var outcome: DeliveryOutcome? {
    guard case .over(let outcome) = state else { return nil }
    return outcome
  }

  /// The second at or after which a free one is wanted; nil when another step is next, or none.
  var placing: Int64? {
    guard case .underWay(_, .place(let second)) = state else { return nil }
    return second
  }

  /// The second after which a free one is wanted; nil when another step is next, or none.
  var searching: Int64? {
    guard case .underWay(_, .search(let second)) = state else { return nil }
    return second
  }

  /// The fields of the document that is looked for; nil when another step is next, or none.
  var finding: [String: Value]? {
    guard case .underWay(let upload, .find) = state else { return nil }
    return upload.fields
  }

  /// The document to create, with its path; nil when another step is next, or none.
  var creation: (path: String, fields: [String: Value])? {
    guard case .underWay(let upload, .create(let id)) = state else { return nil }
    return (path(id), upload.fields)
  }

  /// The path of the document to read; nil when another step is next, or none.
  var reading: String? {
    guard case .underWay(_, .read(let id)) = state else { return nil }
    return path(id)
  }

  /// The document was created, or refused with the error.
  mutating func created(_ error: FirestoreError?, credentialsKnownGood: Bool) {
    switch error {
    case nil: on(.created)
    case let error? where error.status == .alreadyExists:
      // The document with that id may be this very item; reading it tells.
      mayHaveArrived = true
      on(.alreadyExists)
    case let error? where error.isUnproven:
      mayHaveArrived = true
      lastError = error
      on(.unproven)
    case let error?: failed(error, credentialsKnownGood: credentialsKnownGood)
    }
  }

  /// The document with the item's content was looked for; nil when there is none.
  mutating func found(_ id: String?) {
    mayHaveArrived = false
    on(.found(id))
  }

  /// An earlier item with the same content is that document already.
  mutating func delivered(as path: String) { state = .over(.delivered(remoteName: path)) }

  /// The document with the id was read; nil when there is none.
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

  /// The item has to leave alone: the batch was refused, or another of its items has the same
  /// content.
  mutating func splitFromBatch() { state = .over(.splitBatch) }

  mutating func on(_ event: FeedbackUpload.Event) {
    guard case .underWay(var upload, _) = state else { return }
    let action = upload.on(event)
    if let outcome = outcome(of: action) {
      state = .over(outcome)
    } else {
      state = .underWay(upload, next: action)
    }
  }

  /// Nil for an action that needs another step.
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

/// The server calls every id taken.
private struct NoFreeSecond: Error, CustomStringConvertible {
  let description =
    "No free second was found for the feedback: the server says of each that it is taken. "
    + "It is tried again later."
}

extension FirestoreError {
  /// Whether the answer to a write is a success that does not show what was written.
  var isUnproven: Bool {
    guard case .malformedAnswer(_, 200..<300, _) = self else { return false }
    return true
  }

  /// How long the server asked to wait; nil when it did not.
  fileprivate var retryAfter: Duration? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.retryAfter
  }
}

/// What a failed request means for the feedback that it was about.
enum FeedbackFailure: Hashable, Sendable {
  case transient
  /// The request can never succeed as it is.
  case permanent
  /// 403; permanent only once the credentials are known to work.
  case forbidden(areCredentialsKnownGood: Bool)
  case unauthenticated
  case quota
  /// The configuration names a project, a database or an API that does not exist.
  case misconfigured

  /// Classifies by the error's reason, never by its text.
  ///
  /// Only a request that Firestore itself calls invalid is permanent: a proxy's page or a broken
  /// certificate says nothing about the item.
  init(_ error: FirestoreError, credentialsKnownGood: Bool) {
    self =
      switch error {
      case .refused(let refusal) where refusal.status == .unimplemented: .misconfigured
      case .refused(let refusal):
        Self(refusal.reason, credentialsKnownGood: credentialsKnownGood)
      case .credentials(let error): error.isTransient ? .transient : .unauthenticated
      case .malformedAnswer, .transport: .transient
      case .invalidRequest: .misconfigured
      }
  }

  private init(_ reason: Refusal.Reason, credentialsKnownGood: Bool) {
    self =
      switch reason {
      case .unauthenticated: .unauthenticated
      case .permissionDenied: .forbidden(areCredentialsKnownGood: credentialsKnownGood)
      case .dailyQuota: .quota
      case .invalid: .permanent
      case .serviceDisabled, .databaseMissing, .notFound, .preconditionFailed, .missingIndex,
        .buildingIndex, .datastoreMode, .billingDisabled, .consumerInvalid, .quotaProjectMissing,
        .scopeMissing, .authenticationMissing, .pageTokenInvalid:
        .misconfigured
      case .transient, .rate, .alreadyExists, .readTimeTooOld, .other: .transient
      }
  }
}
