import Firestore

/// What a request reads with: looks at one moment, and remembers at what.
struct Reader {
  let view: View
  private(set) var sights: Set<Sight> = []

  init(_ view: View) { self.view = view }

  mutating func document(_ name: ResourceName) -> Document? {
    sights.insert(.document(name))
    return view.document(name)
  }

  /// What the query answers below `parent`, a database's root or a document.
  mutating func results(
    of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> QueryPlan.Results {
    sights.insert(.query(query, below: parent))
    return try view.results(of: query, below: parent)
  }

  /// As before, of a query by name over one collection, with the documents that are missing.
  ///
  /// Missing is one that was never written but has documents below it: it has a name only.
  mutating func resultsWithMissing(
    of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> QueryPlan.Results {
    sights.insert(.query(query, below: parent))
    let documents = view.documents(of: query.from.first, below: parent)
    var missing = parentNames(in: query.from.first?.collectionId, below: parent)
    missing.subtract(documents.map { NameKey(text: $0.name) })
    return try QueryPlan(query).results(
      of: documents, and: missing.map { Document(name: $0.text, fields: [:]) })
  }

  /// The ids of the collections below a document or a root, in no order.
  func collectionIds(below parent: ResourceName) -> Set<String> {
    let depth = parent.segments.count
    let below = view.collections.filter { parent.isAbove($0) }
    return Set(below.map { $0.segments[depth] })
  }

  /// The aggregations over what the query answers, in their order.
  ///
  /// A document takes part only when it has the field of every aggregation.
  mutating func aggregate(
    _ aggregations: [Aggregation], of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> Aggregation.Results {
    sights.insert(.query(query, below: parent))
    let fields = aggregations.compactMap(\.field)
    let complete = view.documents(of: query.from.first, below: parent).lazy.filter { document in
      fields.allSatisfy { document[$0] != nil }
    }
    let plan = try QueryPlan(query, aggregating: Set(fields))
    let documents = plan.ordered(complete).dropFirst(query.offset)
    return Aggregation.Results(
      values: aggregations.map { $0.value(over: Array(documents)) }, documentCount: documents.count)
  }

  /// The names of documents of that collection that have collections below them.
  private func parentNames(in id: String?, below parent: ResourceName) -> Set<NameKey> {
    let depth = parent.segments.count
    return view.collections.reduce(into: []) { names, collection in
      let segments = collection.segments
      guard parent.isAbove(collection), segments.count > depth + 2, segments[depth] == id else {
        return
      }
      names.insert(NameKey(text: parent.descendant(segments[depth...(depth + 1)])))
    }
  }
}

extension ResourceName {
  /// Whether `other`, of the same database, lies somewhere below.
  fileprivate func isAbove(_ other: ResourceName) -> Bool {
    other.segments.count > segments.count
      && other.segments.prefix(segments.count).elementsEqual(segments)
  }

  fileprivate func descendant(_ ids: ArraySlice<String>) -> String {
    ([description] + ids).joined(separator: "/")
  }
}
