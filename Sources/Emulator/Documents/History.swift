import Firestore

/// What changed lately, so that the state at an earlier moment can be told from the present.
///
/// Goes back an hour, as `docs/firestore.md#paging` says, or less when much has changed: what it
/// holds is bounded in bytes.
struct History: Sendable {
  /// A document that changed, and what it was before.
  struct Change: Sendable {
    let name: ResourceName
    /// Nil when there was none.
    var before: Document?
    let time: Timestamp
  }

  /// How far back reads may go; `docs/firestore.md#paging`.
  static let microseconds: Int64 = 3_600_000_000
  /// Bytes of documents and names at most, roughly.
  private static let byteLimit = 64 << 20
  /// Bytes of a change beside its document, roughly.
  private static let overhead = 512

  private var changes: [Change] = []
  /// Where the changes begin that are still held.
  private var start = 0
  private var byteCount = 0
  /// The time of the last change that was forgotten; the state before it is unknown.
  private var forgotten: Timestamp

  init(since time: Timestamp) { forgotten = time }

  /// The time of the last change; 0 when there was none.
  var latest: Timestamp { changes.last?.time ?? forgotten }

  /// Whether the state at that moment can still be told.
  func reaches(_ moment: Timestamp) -> Bool { moment >= forgotten }

  /// How the documents that changed after `moment` were then; nil when that is forgotten.
  func changes(after moment: Timestamp) -> [NameKey: Change]? {
    guard reaches(moment) else { return nil }
    var past: [NameKey: Change] = [:]
    for change in changes[start...].reversed() {
      guard change.time > moment else { break }
      past[NameKey(change.name)] = change
    }
    return past
  }

  /// Adds a change, and forgets the oldest ones that are too old or too many.
  mutating func record(_ change: Change) {
    changes.append(change)
    byteCount += History.cost(of: change)
    let horizon = change.time.microseconds - History.microseconds
    while byteCount > History.byteLimit || changes[start].time.microseconds < horizon {
      forgotten = changes[start].time
      byteCount -= History.cost(of: changes[start])
      changes[start].before = nil
      start += 1
    }
    guard start > 1024, start > changes.count / 2 else { return }
    changes.removeFirst(start)
    start = 0
  }

  private static func cost(of change: Change) -> Int {
    overhead + (change.before.map(DocumentSize.bytes) ?? 0)
  }
}
