import Firestore
import FoundationEssentials
import Model

/// One item on its way: what its upload wants next, or what became of it.
struct FeedbackDelivery {
  private enum State {
    case underWay(FeedbackUpload, next: FeedbackUpload.Action)
    case over(OutboxFate)
  }

  private var state: State
  private let collection: String

  /// An item that cannot be read is over at once.
  init(_ item: OutboxItem, collection: String) {
    self.collection = collection
    do {
      let upload = FeedbackUpload(
        try JSONDecoder().decode(Feedback.self, from: Data(item.payload.utf8)))
      state = .underWay(upload, next: upload.start)
    } catch {
      state = .over(
        .rejected(reason: "Its payload is no feedback that can be read: \(error)"))
    }
  }

  /// Nil as long as requests have to be made.
  var fate: OutboxFate? {
    guard case .over(let fate) = state else { return nil }
    return fate
  }

  /// The document to be created and its path; nil when another step is next, or none.
  var creation: (path: String, fields: [String: Value])? {
    guard case .underWay(let upload, .create(let id)) = state else { return nil }
    return (path(id), upload.fields)
  }

  /// The path of the document to be read; nil when another step is next, or none.
  var reading: String? {
    guard case .underWay(_, .read(let id)) = state else { return nil }
    return path(id)
  }

  /// The document was created, or refused for that reason.
  mutating func created(_ error: FirestoreError?, credentialsKnownGood: Bool) {
    switch error {
    case nil: on(.created)
    case let error? where error.status == .alreadyExists: on(.alreadyExists)
    case let error?: failed(error, credentialsKnownGood: credentialsKnownGood)
    }
  }

  /// What holds the id was read; nil when it is gone again.
  mutating func read(_ found: [String: Value]?) { on(.read(found)) }

  mutating func failed(_ error: FirestoreError, credentialsKnownGood: Bool) {
    let failure = FeedbackUpload.Failure(error, credentialsKnownGood: credentialsKnownGood)
    on(.failed(failure), error)
  }

  /// The request for several was refused as a whole.
  mutating func part() { state = .over(.apart) }

  private mutating func on(_ event: FeedbackUpload.Event, _ error: FirestoreError? = nil) {
    guard case .underWay(var upload, _) = state else { return }
    let action = upload.on(event)
    if let fate = fate(of: action, error) {
      state = .over(fate)
    } else {
      state = .underWay(upload, next: action)
    }
  }

  /// Nil for an action that needs a request.
  private func fate(of action: FeedbackUpload.Action, _ error: FirestoreError?) -> OutboxFate? {
    switch (action, error) {
    case (.create, _), (.read, _): nil
    case (.deliver(let id), _): .delivered(remoteName: path(id))
    case (.reject, let error?): .rejected(reason: error.description)
    case (.reject, nil):
      .rejected(reason: "All \(FeedbackUpload.longestWalk) ids that were tried are taken.")
    case (.retryLater, let error?):
      .retryLater(OutboxFailure(error, retryAfter: error.retryAfter))
    case (.stop, let error?): .stopped(OutboxFailure(error))
    case (.retryLater, nil), (.stop, nil): preconditionFailure("\(action) follows only a failure")
    }
  }

  private func path(_ id: String) -> String { "\(collection)/\(id)" }
}

extension FirestoreError {
  /// How long the server asked to wait; nil when it did not.
  fileprivate var retryAfter: Duration? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.retryAfter
  }
}
