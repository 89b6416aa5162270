import Firestore

/// The state of a database at one time; valid while the store is locked.
struct DatabaseSnapshot {
  /// The documents that differ from the present; empty for a snapshot of the present.
  let past: [NameKey: DocumentChange]
  let database: Database

  /// Throws when the state at `moment` is no longer known; `moment` must not be in the future.
  init(of database: Database, at moment: Timestamp) throws(RefusedRequest) {
    guard let past = database.history.changes(after: moment) else { throw DatabaseSnapshot.tooOld }
    self.past = past
    self.database = database
  }

  static let tooOld = RefusedRequest(
    .failedPrecondition, "The requested snapshot version is too old.")

  func document(_ name: ResourceName) -> Document? {
    if let change = past[NameKey(name)] { return change.before }
    return database.document(name)
  }

  func results(
    of query: StructuredQuery, below parent: ResourceName, salt: UInt64 = 0
  ) throws(RefusedRequest) -> QueryPlan.Results {
    let plan = try QueryPlan(query, database.rules, salt: salt)
    let sorted = sortedDocuments(of: query.from.first, below: parent)
    if let found = sorted.flatMap(plan.results(ofSorted:)) { return found }
    return plan.results(of: documents(of: query.from.first, below: parent))
  }

  /// The documents below `parent` that the selector selects, in no order.
  func documents(
    of selector: StructuredQuery.CollectionSelector?, below parent: ResourceName
  ) -> [Document] {
    Array(present(selector, below: parent)) + former(selector, below: parent)
  }

  /// The collections that contain a document.
  ///
  /// May include a collection whose documents were created later; check its documents.
  var collections: [ResourceName] {
    guard !past.isEmpty else { return database.collections.values.map(\.name) }
    let now = database.collections.values.filter { collection in
      collection.documents.keys.contains { past[$0] == nil }
    }
    return now.map(\.name) + past.values.compactMap { $0.before == nil ? nil : $0.name.parent }
  }

  private func present(
    _ selector: StructuredQuery.CollectionSelector?, below parent: ResourceName
  ) -> some Sequence<Document> {
    database.collections.values.lazy
      .filter { selector.selects($0.name, below: parent) }
      .flatMap(\.documents)
      .filter { past.isEmpty || past[$0.key] == nil }
      .map(\.value)
  }

  private func former(
    _ selector: StructuredQuery.CollectionSelector?, below parent: ResourceName
  ) -> [Document] {
    past.values.compactMap { change in
      guard let before = change.before, let collection = change.name.parent,
        selector.selects(collection, below: parent)
      else { return nil }
      return before
    }
  }
}

extension StructuredQuery.CollectionSelector? {
  /// Whether a query below `parent` covers `collection`; nil covers all child collections.
  func selects(_ collection: ResourceName, below parent: ResourceName) -> Bool {
    let depth = parent.segments.count
    guard collection.segments.count > depth,
      collection.segments.prefix(depth).elementsEqual(parent.segments)
    else { return false }
    guard self?.allDescendants == true || collection.segments.count == depth + 1 else {
      return false
    }
    return self?.collectionId.map { $0 == collection.id } ?? true
  }
}
