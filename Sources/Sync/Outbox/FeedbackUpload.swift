package import Firestore
package import Model

/// The delivery of one feedback text as a state machine; see `docs/jobs.md#outbox`.
///
/// The document's id is the feedback's second, written with "must not exist". An id that is taken
/// by the same content means an earlier attempt got through; by other content, the next second is
/// tried. So whatever died before, an item becomes exactly one document.
package struct FeedbackUpload: Sendable {
  package enum Event: Sendable {
    case created
    /// The id is taken, as the answer to a create.
    case alreadyExists
    /// The document that holds the id; nil when it is gone again.
    case read([String: Value]?)
    case failed(Failure)
  }

  package enum Action: Hashable, Sendable {
    case create(id: String)
    case read(id: String)
    case deliver(id: String)
    case retryLater
    case reject
    /// Keep this and all other items: nothing can be delivered now.
    case stop
  }

  /// What a failure means for the item, whatever the message says.
  package enum Failure: Hashable, Sendable {
    case transient
    /// The request can never succeed as it is.
    case permanent
    /// 403; permanent only once the credentials are known to work.
    case forbidden(areCredentialsKnownGood: Bool)
    case unauthenticated
    case quota
    /// The project, the database or the API is not there: a matter of the configuration.
    case misconfigured
  }

  /// Ids that are tried at most: a server that takes none of them would be asked for ever.
  package static let longestWalk = 1_000

  package let feedback: Feedback
  private var second: Int64
  private var triedIds = 1

  package init(_ feedback: Feedback) {
    self.feedback = feedback
    second = feedback.timestamp
  }

  package var start: Action { .create(id: String(second)) }

  package mutating func on(_ event: Event) -> Action {
    switch event {
    case .created:
      return .deliver(id: String(second))
    case .alreadyExists:
      return .read(id: String(second))
    case .read(let found):
      if found == fields { return .deliver(id: String(second)) }
      guard triedIds < Self.longestWalk else { return .reject }
      triedIds += 1
      if found != nil { second += 1 }
      return .create(id: String(second))
    case .failed(.transient):
      return .retryLater
    case .failed(.permanent), .failed(.forbidden(areCredentialsKnownGood: true)):
      return .reject
    case .failed(.forbidden(areCredentialsKnownGood: false)), .failed(.unauthenticated),
      .failed(.quota), .failed(.misconfigured):
      return .stop
    }
  }

  /// The document as the app's own clients write it.
  package var fields: [String: Value] {
    [
      "userId": .string(feedback.userId),
      "gender": .string(feedback.gender),
      "country": .string(feedback.country),
      "appVersion": .string(feedback.appVersion),
      "feedback": .string(feedback.text),
      "timestamp": .integer(feedback.timestamp),
      "rating": .double(Double(feedback.stars)),
    ]
  }
}
