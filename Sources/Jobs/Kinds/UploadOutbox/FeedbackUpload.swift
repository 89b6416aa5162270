import Firestore
import Model

/// The delivery of one feedback text as a state machine; see `docs/outbox.md`.
///
/// The document's id is the feedback's second, and the write requires that it does not exist. If
/// the id is taken, equal content shows that an earlier attempt arrived; with other content, the
/// upload searches for a later second. An item that may have arrived is read at its target or, if
/// that is unknown, as after a restore, searched by its content. So each item becomes exactly one
/// document, wherever earlier runs died.
struct FeedbackUpload: Sendable {
  enum Event: Sendable {
    /// The item gets this second, which is not known to be taken.
    case placed(Int64)
    case created
    /// The answer to a create: the id is taken.
    case alreadyExists
    /// The answer to a create: a success without proof.
    case unproven
    /// The document with the id; nil when it is missing.
    case read([String: Value]?)
    /// The id of the document with the item's content; nil when there is none.
    case found(String?)
    /// The server does not allow a search of the collection.
    case cannotFind
    /// The search has found the end of the run of taken seconds.
    case searched
    case nothingFree
    case failed(FeedbackFailure)
  }

  enum Action: Hashable, Sendable {
    /// Finds the document with the item's content, regardless of its id.
    case find
    /// Finds the first second from here on that is not known to be taken.
    case place(from: Int64)
    /// Finds the end of the run of taken seconds that begins here, with other content.
    case search(after: Int64)
    case create(id: String)
    case read(id: String)
    case deliver(id: String)
    case retryLater
    case reject
    /// Keeps this item and all others: none can be delivered now.
    case stop
  }

  /// The question that a read answers.
  private enum ReadPurpose {
    /// Whether an earlier run has written the document.
    case earlierRun
    case refusedCreate, unprovenCreate
  }

  /// The largest number of creates in one run, in case a server refuses all of them.
  static let longestRun = 1_000

  let feedback: Feedback
  private var second: Int64
  private var readPurpose = ReadPurpose.earlierRun
  private var createCount = 0
  /// The second at which an earlier run sent the item without getting an answer.
  private let target: Int64?
  /// Whether the item may have arrived at an unknown second: it was restored from a backup, or an
  /// earlier version sent it.
  private let isLost: Bool
  /// Whether every second is tried in turn, because the server does not allow searches.
  private var walks = false

  /// `mayHaveArrived` means that an earlier run sent the feedback and got no answer.
  ///
  /// `target` is the second at which that run sent it; nil when unknown.
  init(_ feedback: Feedback, mayHaveArrived: Bool = false, target: Int64? = nil) {
    self.feedback = feedback
    self.target = mayHaveArrived ? target : nil
    isLost = mayHaveArrived && target == nil
    second = self.target ?? feedback.timestamp
  }

  mutating func start() -> Action {
    if target != nil { return .read(id: id) }
    return isLost ? .find : .place(from: second)
  }

  mutating func on(_ event: Event) -> Action {
    switch event {
    case .placed(let free):
      second = free
      return create()
    case .created:
      return .deliver(id: id)
    case .alreadyExists:
      readPurpose = .refusedCreate
      return .read(id: id)
    case .unproven:
      readPurpose = .unprovenCreate
      return .read(id: id)
    case .read(let found):
      return found == feedback.fields ? .deliver(id: id) : next(afterMissing: found == nil)
    case .found(let id?):
      return .deliver(id: id)
    case .cannotFind:
      walks = true
      return create()
    case .found(nil), .searched:
      return .place(from: second)
    case .nothingFree, .failed(.transient):
      return .retryLater
    case .failed(.permanent):
      return .reject
    case .failed(.general):
      return .stop
    }
  }

  /// Returns the action after a read that did not find this feedback.
  private mutating func next(afterMissing isMissing: Bool) -> Action {
    if isMissing { return readPurpose == .unprovenCreate ? .retryLater : create() }
    guard walks else { return .search(after: second) }
    second += 1
    return create()
  }

  private mutating func create() -> Action {
    guard createCount < Self.longestRun else { return .retryLater }
    createCount += 1
    return .create(id: id)
  }

  private var id: String { String(second) }
}

extension Feedback {
  /// The document in the form of the app's own clients.
  var fields: [String: Value] {
    [
      "userId": .string(userId), "gender": .string(gender), "country": .string(country),
      "appVersion": .string(appVersion), "feedback": .string(text),
      "timestamp": .integer(timestamp), "rating": .double(Double(stars)),
    ]
  }
}
