import Firestore
import Model

/// Reads one snapshot for a request and records what it reads.
struct SnapshotReader {
  let snapshot: DatabaseSnapshot
  /// Decides between orders that the edition leaves open.
  let salt: UInt64
  private(set) var readSet: Set<ReadSetEntry> = []
  /// Documents, or read units where the edition has them.
  private(set) var billedReadCount = 0

  init(snapshot: DatabaseSnapshot, salt: UInt64) {
    self.snapshot = snapshot
    self.salt = salt
  }

  private var rules: EditionRules { snapshot.database.rules }

  mutating func document(_ name: ResourceName) -> Document? {
    readSet.insert(.document(name))
    let document = snapshot.document(name)
    billedReadCount += rules.readUnits(bytes: document.map(DocumentSize.bytes) ?? 0)
    return document
  }

  /// Adds a query with the bytes that it processed; see `docs/emulator.md#editions`.
  private mutating func bill(documents: Int, bytes: Int) {
    billedReadCount +=
      rules.readUnitBytes == nil ? max(1, documents) : rules.readUnits(bytes: bytes)
  }

  /// The query's results below `parent`, a database's root or a document.
  mutating func results(
    of query: StructuredQuery, below parent: ResourceName
  ) throws(RefusedRequest) -> QueryPlan.Results {
    readSet.insert(.query(query, below: parent))
    let results = try snapshot.results(of: query, below: parent, salt: salt)
    bill(
      documents: results.documents.count + results.skipped, bytes: results.processedByteCount)
    return results
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
    let results = try QueryPlan(query, rules).results(
      of: documents + missing.map { Document(name: $0.text, fields: [:]) })
    bill(documents: results.documents.count, bytes: 0)
    return results
  }

  /// Billed as one read, though Google may bill each collection: `docs/firestore.md#cost`.
  mutating func collectionIds(below parent: ResourceName) -> Set<String> {
    let depth = parent.segments.count
    let below = snapshot.collections.filter { parent.isAbove($0) }
    billedReadCount += 1
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
    let all = snapshot.documents(of: query.from.first, below: parent)
    let complete = all.filter { document in fields.allSatisfy { document[$0] != nil } }
    let plan = try QueryPlan(query, rules, aggregating: Set(fields), salt: salt)
    let found = plan.ordered(complete)
    let documents = Array(found.dropFirst(query.offset))
    // A count by name alone looks at no document: docs/editions.md#units.
    let isPlainCount =
      fields.isEmpty && query.filter == nil
      && query.orderBy.allSatisfy { $0.field == .documentName }
    bill(
      documents: (documents.count + 999) / 1000,
      bytes: isPlainCount
        ? found.count * ReadVolume.leastItemBytes
        : plan.processedByteCount(of: all, found: found))
    var values: [Value] = []
    for aggregation in aggregations { values.append(try aggregation.value(over: documents, rules)) }
    return Aggregation.Results(values: values, documentCount: documents.count)
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
