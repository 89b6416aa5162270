import Firestore
import Model

/// The documents of one database, with their changes of the last hour.
struct Database: Sendable {
  struct Collection: Sendable {
    let name: ResourceName
    var documents: [NameKey: Document] = [:]
    /// Replaced with each change after its use.
    var index = NameIndex()
  }

  private(set) var collections: [NameKey: Collection] = [:]
  private(set) var history: ChangeHistory
  let rules: EditionRules

  /// An empty database whose states before `time` are unknown.
  init(_ rules: EditionRules, since time: Timestamp = Timestamp(microseconds: 0)) {
    history = ChangeHistory(since: time)
    self.rules = rules
  }

  func document(_ name: ResourceName) -> Document? {
    name.parent.flatMap { collections[NameKey($0)]?.documents[NameKey(name)] }
  }

  /// Stores or, with nil, deletes a document; `time` must be later than all earlier changes.
  mutating func put(_ document: Document?, as name: ResourceName, at time: Timestamp) {
    let key = NameKey(name)
    guard let collection = name.parent else { return }
    let parent = NameKey(collection)
    let before = collections[parent]?.documents[key]
    history.record(DocumentChange(name: name, before: before, time: time))
    collections[parent, default: Collection(name: collection)].documents[key] = document
    if collections[parent]?.index.isUsed == true { collections[parent]?.index = NameIndex() }
    if collections[parent]?.documents.isEmpty == true { collections[parent] = nil }
  }
}

struct DocumentChange: Sendable {
  let name: ResourceName
  /// Nil when it did not exist.
  var before: Document?
  let time: Timestamp
}

/// Recent changes, from which an earlier state can be reconstructed.
///
/// Goes back an hour, see `docs/firestore.md#paging`, or less after many changes: its size is
/// limited.
struct ChangeHistory: Sendable {
  /// The maximum age of a read; `docs/firestore.md#paging`.
  static let microseconds: Int64 = 3_600_000_000
  /// The approximate maximum size in bytes.
  private static let byteLimit = 64 << 20
  /// The approximate size of a change without its document in bytes.
  private static let overhead = 512

  private var changes: [DocumentChange] = []
  /// The index of the oldest change that is kept.
  private var start = 0
  private var byteCount = 0
  /// The time of the last discarded change; earlier states are unknown.
  private var forgotten: Timestamp

  init(since time: Timestamp) { forgotten = time }

  /// The time of the last change; 0 when there was none.
  var latest: Timestamp { changes.last?.time ?? forgotten }

  /// Whether the state at that time can be reconstructed.
  func reaches(_ moment: Timestamp) -> Bool { moment >= forgotten }

  /// The documents that changed after `moment`, as they were then; nil when it is too long ago.
  func changes(after moment: Timestamp) -> [NameKey: DocumentChange]? {
    guard reaches(moment) else { return nil }
    var past: [NameKey: DocumentChange] = [:]
    for change in changes[start...].reversed() {
      guard change.time > moment else { break }
      past[NameKey(change.name)] = change
    }
    return past
  }

  /// Adds a change and discards changes beyond the limits of age and size.
  mutating func record(_ change: DocumentChange) {
    changes.append(change)
    byteCount += ChangeHistory.cost(of: change)
    let horizon = change.time.microseconds - ChangeHistory.microseconds
    while byteCount > ChangeHistory.byteLimit || changes[start].time.microseconds < horizon {
      forgotten = changes[start].time
      byteCount -= ChangeHistory.cost(of: changes[start])
      changes[start].before = nil
      start += 1
    }
    guard start > 1024, start > changes.count / 2 else { return }
    changes.removeFirst(start)
    start = 0
  }

  private static func cost(of change: DocumentChange) -> Int {
    overhead + (change.before.map(DocumentSize.bytes) ?? 0)
  }
}

/// A name as a dictionary key, compared by bytes.
///
/// Swift's strings are equal when canonically equivalent: `é` as one or as two code points would be
/// one id, but Firestore distinguishes them.
struct NameKey: Hashable, Sendable {
  let text: String

  init(_ name: ResourceName) { text = name.description }

  init(text: String) { self.text = text }

  static func == (left: NameKey, right: NameKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}

extension ResourceName {
  init(requested text: String) throws(RefusedRequest) {
    do {
      try self.init(parsing: text)
    } catch {
      throw .invalid(error.problem)
    }
  }

  var isRoot: Bool { segments.isEmpty }

  /// Throws unless it is the name of a document.
  func requireDocument() throws(RefusedRequest) {
    guard isDocument else {
      throw .invalid("\"\(self)\" is not the name of a document: it needs pairs of ids")
    }
  }
}
