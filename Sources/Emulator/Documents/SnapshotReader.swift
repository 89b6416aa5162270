import Firestore

/// Reads one snapshot for a request and records what it reads.
struct SnapshotReader {
  let snapshot: DatabaseSnapshot
  private(set) var readSet: Set<ReadSetEntry> = []

  mutating func document(_ name: ResourceName) -> Document? {
    readSet.insert(.document(name))
    return snapshot.document(name)
  }

  /// The query's results below `parent`, a database's root or a document.
  mutating func results(
    of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> QueryPlan.Results {
    readSet.insert(.query(query, below: parent))
    return try snapshot.results(of: query, below: parent)
  }

  /// The results of a query by name over one collection, missing documents included.
  ///
  /// A missing document was never written but has documents below it; only its name is set.
  mutating func resultsWithMissing(
    of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> QueryPlan.Results {
    readSet.insert(.query(query, below: parent))
    let documents = snapshot.documents(of: query.from.first, below: parent)
    var missing = parentNames(in: query.from.first?.collectionId, below: parent)
    missing.subtract(documents.map { NameKey(text: $0.name) })
    return try QueryPlan(query).results(
      of: documents + missing.map { Document(name: $0.text, fields: [:]) })
  }

  func collectionIds(below parent: ResourceName) -> Set<String> {
    let depth = parent.segments.count
    let below = snapshot.collections.filter { parent.isAbove($0) }
    return Set(below.map { $0.segments[depth] })
  }

  /// The values of the aggregations over the query's results, in order.
  ///
  /// Only documents with the fields of all aggregations count.
  mutating func aggregate(
    _ aggregations: [Aggregation], of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> Aggregation.Results {
    readSet.insert(.query(query, below: parent))
    let fields = aggregations.compactMap(\.field)
    let complete = snapshot.documents(of: query.from.first, below: parent).lazy.filter { document in
      fields.allSatisfy { document[$0] != nil }
    }
    let plan = try QueryPlan(query, aggregating: Set(fields))
    let documents = plan.ordered(complete).dropFirst(query.offset)
    return Aggregation.Results(
      values: aggregations.map { $0.value(over: Array(documents)) }, documentCount: documents.count)
  }

  /// The names of the collection's documents that have collections below them.
  private func parentNames(in id: String?, below parent: ResourceName) -> Set<NameKey> {
    let depth = parent.segments.count
    return snapshot.collections.reduce(into: []) { names, collection in
      let segments = collection.segments
      guard parent.isAbove(collection), segments.count > depth + 2, segments[depth] == id else {
        return
      }
      let name = [parent.description] + segments[depth...(depth + 1)]
      names.insert(NameKey(text: name.joined(separator: "/")))
    }
  }
}

extension ResourceName {
  /// Whether `other`, of the same database, is a descendant.
  fileprivate func isAbove(_ other: ResourceName) -> Bool {
    other.segments.count > segments.count
      && other.segments.prefix(segments.count).elementsEqual(segments)
  }
}

/// A document or query that a transaction has read.
enum ReadSetEntry: Hashable, Sendable {
  case document(ResourceName)
  case query(StructuredQuery, below: ResourceName)

  /// The documents that it reads in a snapshot, with their update times.
  func versions(in snapshot: DatabaseSnapshot) throws(RefusedRequest) -> [Version] {
    switch self {
    case .document(let name): snapshot.document(name).map { [Version($0)] } ?? []
    case .query(let query, let parent):
      try snapshot.results(of: query, below: parent).documents.map(Version.init)
    }
  }

  struct Version: Equatable {
    let name: String
    let time: Timestamp?

    init(_ document: Document) {
      name = document.name
      time = document.updateTime
    }
  }
}
