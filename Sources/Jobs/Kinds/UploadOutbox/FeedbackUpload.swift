import Firestore
import Model

/// The delivery of one feedback text as a state machine; see `docs/outbox.md`.
///
/// The document's id is the feedback's second, written with "must not exist". Where the id is
/// taken, equal content shows that an earlier attempt got through, and other content makes it look
/// for a later second. An item that may have arrived is read where it was sent, or looked for by
/// its content when nobody knows where that was, as after a restore. So an item becomes exactly one
/// document, wherever earlier runs died.
struct FeedbackUpload: Sendable {
  enum Event: Sendable {
    /// The item gets this second, which is not known to be taken.
    case placed(Int64)
    case created
    /// The answer to a create: the id is taken.
    case alreadyExists
    /// The answer to a create: a success that proves nothing.
    case unproven
    /// The document with the id; nil when there is none.
    case read([String: Value]?)
    /// The id of the document with the item's content; nil when there is none.
    case found(String?)
    /// The server does not let the collection be searched.
    case cannotFind
    /// The search has found where the run of taken seconds ends.
    case searched
    case nothingFree
    case failed(FeedbackFailure)
  }

  enum Action: Hashable, Sendable {
    /// Find the document with the item's content, whatever its id.
    case find
    /// Find the first second from here on that is not known to be taken.
    case place(from: Int64)
    /// Find the end of the run of taken seconds that begins here, where other content is.
    case search(after: Int64)
    case create(id: String)
    case read(id: String)
    case deliver(id: String)
    case retryLater
    case reject
    /// Keep this item and all others: none can be delivered now.
    case stop
  }

  /// What a read is to find out.
  private enum ReadPurpose {
    /// Whether an earlier run has written the document.
    case earlierRun
    case refusedCreate, unprovenCreate
  }

  /// Creates in one run at most: a server that refuses all of them would be asked for ever.
  static let longestRun = 1_000

  let feedback: Feedback
  private var second: Int64
  private var readPurpose = ReadPurpose.earlierRun
  private var createCount = 0
  /// The second under which an earlier run sent it, without an answer.
  private let target: Int64?
  /// The item may have arrived, and nobody knows where: it was restored from a backup, or an
  /// earlier version sent it.
  private let isLost: Bool
  /// Every second is tried in turn, since the server does not let the collection be searched.
  private var walks = false

  /// Feedback that may have arrived was sent by an earlier run, which got no answer.
  ///
  /// `target` is the second under which that run sent it; nil when it is unknown.
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

  /// The action after a read that did not find this feedback.
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
  /// The document as the app's own clients write it.
  var fields: [String: Value] {
    [
      "userId": .string(userId), "gender": .string(gender), "country": .string(country),
      "appVersion": .string(appVersion), "feedback": .string(text),
      "timestamp": .integer(timestamp), "rating": .double(Double(stars)),
    ]
  }
}
