import Firestore

/// The documents of one database: as they are, and for a while as they were.
struct Database: Sendable {
  struct Collection: Sendable {
    let name: ResourceName
    var documents: [NameKey: Document] = [:]
  }

  /// Only those that hold a document.
  private(set) var collections: [NameKey: Collection] = [:]
  private(set) var history: History

  /// An empty one, of whose states before `time` nothing is known.
  init(since time: Timestamp = Timestamp(microseconds: 0)) {
    history = History(since: time)
  }

  func document(_ name: ResourceName) -> Document? {
    name.parent.flatMap { collections[NameKey($0)]?.documents[NameKey(name)] }
  }

  /// Stores or, with nil, deletes a document; `time` is later than that of every change before.
  mutating func put(_ document: Document?, as name: ResourceName, at time: Timestamp) {
    let key = NameKey(name)
    guard let collection = name.parent else { return }
    let parent = NameKey(collection)
    let before = collections[parent]?.documents[key]
    history.record(History.Change(name: name, before: before, time: time))
    collections[parent, default: Collection(name: collection)].documents[key] = document
    if collections[parent]?.documents.isEmpty == true { collections[parent] = nil }
  }
}
