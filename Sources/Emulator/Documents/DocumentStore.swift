package import Firestore
import Synchronization

/// Documents in memory, of any number of projects and databases.
///
/// Every call is one atomic step. Times are microseconds and never repeat or go back, whatever the
/// clock does. Only the present is kept: a read at an earlier `readTime` answers with it.
package final class DocumentStore: Sendable {
  package typealias Clock = @Sendable () -> Timestamp

  /// What a read answers, with the time it is true for.
  package struct Snapshot<Content: Sendable>: Sendable {
    package var content: Content
    package var readTime: Timestamp
  }

  package struct CommitResult: Sendable {
    /// One per write, in their order.
    package var results: [WriteResult]
    package var commitTime: Timestamp
  }

  private struct Collection {
    let name: ResourceName
    var documents: [NameKey: Document] = [:]
  }

  private struct Contents {
    var collections: [NameKey: Collection] = [:]
    var latest = Timestamp(microseconds: 0)

    func document(_ name: ResourceName) -> Document? {
      name.parent.flatMap { collections[NameKey($0)]?.documents[NameKey(name)] }
    }

    mutating func put(_ document: Document?, as name: NameKey, in collection: ResourceName) {
      let key = NameKey(collection)
      collections[key, default: Collection(name: collection)].documents[name] = document
      if collections[key]?.documents.isEmpty == true { collections[key] = nil }
    }
  }

  private let contents = Mutex(Contents())
  private let clock: Clock

  package init(clock: @escaping Clock) {
    self.clock = clock
  }

  package func document(_ name: ResourceName) -> Snapshot<Document?> {
    read { $0.document(name) }
  }

  /// What the query answers below `parent`, a database's root or a document.
  package func results(
    of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> Snapshot<[Document]> {
    let plan = try QueryPlan(query)
    let found = candidates(query.from.first, below: parent)
    return Snapshot(content: plan.results(of: found.content), readTime: found.readTime)
  }

  /// The aggregations over what the query answers, in their order.
  ///
  /// A document takes part only when it has the field of every aggregation.
  package func aggregate(
    _ aggregations: [Aggregation], of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> Snapshot<[Value]> {
    let fields = aggregations.compactMap(\.field)
    let plan = try QueryPlan(query)
    let found = candidates(query.from.first, below: parent)
    let complete = found.content.lazy.filter { document in
      fields.allSatisfy { document[$0] != nil }
    }
    let documents = plan.ordered(complete)
    return Snapshot(
      content: aggregations.map { $0.value(over: documents) }, readTime: found.readTime)
  }

  /// Applies all writes or none; names must lie in one database.
  package func commit(_ writes: [StoredWrite]) throws(RefusedRequest) -> CommitResult {
    var names: [ResourceName] = []
    for write in writes {
      let name = try ResourceName(requested: write.name)
      try name.requireDocument()
      names.append(name)
    }
    guard Set(names.map(\.databaseName)).count <= 1 else {
      throw .invalid("all writes of a commit must be in the same database")
    }
    return try contents.withLock { contents throws(RefusedRequest) in
      let time = tick(&contents)
      var commit = Commit(at: time)
      var results: [WriteResult] = []
      for (write, name) in zip(writes, names) {
        results.append(try commit.apply(write, to: name, over: contents.document(name)))
      }
      for name in names {
        guard let collection = name.parent, let change = commit.changes[NameKey(name)] else {
          continue
        }
        contents.put(change, as: NameKey(name), in: collection)
      }
      return CommitResult(results: results, commitTime: time)
    }
  }

  /// Stores the documents as they are, over what had their names; all of them or none.
  package func seed(_ documents: [Document]) throws(RefusedRequest) {
    _ = try commit(documents.map { StoredWrite(Write(.update($0, mask: nil))) })
  }

  /// Forgets everything in the database that `name` lies in.
  package func wipe(databaseOf name: ResourceName) {
    contents.withLock { contents in
      contents.collections = contents.collections.filter {
        $0.value.name.databaseName != name.databaseName
      }
    }
  }

  /// The documents of a collection, by name; empty when there is none.
  package func documents(in collection: ResourceName) -> [Document] {
    read { $0.collections[NameKey(collection)].map { Array($0.documents.values) } ?? [] }.content
      .sorted { NameOrder.compare($0.name, $1.name) < 0 }
  }

  private func candidates(
    _ selector: StructuredQuery.CollectionSelector?, below parent: ResourceName
  ) -> Snapshot<[Document]> {
    read { contents in
      contents.collections.values
        .filter { selector.selects($0.name, below: parent) }
        .flatMap(\.documents.values)
    }
  }

  private func read<Content: Sendable>(_ body: (Contents) -> Content) -> Snapshot<Content> {
    contents.withLock { contents in
      Snapshot(content: body(contents), readTime: max(clock(), contents.latest))
    }
  }

  private func tick(_ contents: inout Contents) -> Timestamp {
    let next = Timestamp(microseconds: contents.latest.microseconds + 1)
    contents.latest = max(clock(), next)
    return contents.latest
  }
}

extension StructuredQuery.CollectionSelector? {
  /// Whether a query over `parent` looks into `collection`; no selector means any child collection.
  fileprivate func selects(_ collection: ResourceName, below parent: ResourceName) -> Bool {
    let depth = parent.segments.count
    guard collection.databaseName == parent.databaseName, collection.segments.count > depth,
      collection.segments.prefix(depth).elementsEqual(parent.segments)
    else { return false }
    guard self?.allDescendants == true || collection.segments.count == depth + 1 else {
      return false
    }
    return self?.collectionId.map { $0 == collection.id } ?? true
  }
}
