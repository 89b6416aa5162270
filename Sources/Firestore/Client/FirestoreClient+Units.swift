package import Model
import Synchronization

/// The way a query finds its documents, which decides what an Enterprise database bills; see
/// `docs/editions.md#scans`.
package enum QueryAccess: Hashable, Sendable {
  /// By name, in the order of the results: each document is read once.
  case names
  /// By an index, whose entries are scanned, and each document looked up.
  case index
  /// All requests together scan the collection once; `bytes` is its size.
  case pass(bytes: Int)
  /// Each request scans the whole collection; `bytes` is its size.
  case scan(bytes: Int)
}

/// The parts of a query that decide how it finds its documents, the same for all of its pages.
struct QueryShape: Hashable, Sendable {
  let from: [StructuredQuery.CollectionSelector]
  let parent: String?
  let filter: StructuredQuery.Filter?
  let orderBy: [StructuredQuery.Order]

  init(_ query: StructuredQuery, _ parent: String?) {
    from = query.from
    self.parent = parent
    filter = query.filter
    orderBy = query.orderBy
  }
}

extension ReadVolume {
  /// Calculates what a request of the query reads if its answer has these documents.
  package init(
    of documents: some Sequence<DocumentVolume>, _ query: StructuredQuery, by access: QueryAccess
  ) {
    self.init()
    let readsThem = query.select != [.documentName]
    switch access {
    case .names, .pass: for document in documents { scan(bytes: readsThem ? document.bytes : 0) }
    case .index:
      for document in documents {
        scan(bytes: document.entryBytes)
        if readsThem { look(up: 1, bytes: document.bytes) }
      }
    case .scan(let bytes): scan(bytes: bytes)
    }
  }
}

/// The sizes of a document and of its entry in the index that serves a query.
package struct DocumentVolume: Hashable, Sendable {
  package var bytes: Int
  package var entryBytes: Int

  package init(_ document: Document, _ query: StructuredQuery) {
    let index = QueryIndex.serving(query).first
    bytes = DocumentSize.bytes(of: document)
    entryBytes = index?.entryBytes(of: document) ?? 0
  }

  /// The smallest volume, for a document of unknown size.
  package static let least = DocumentVolume(
    bytes: ReadVolume.leastItemBytes, entryBytes: ReadVolume.leastItemBytes)

  init(bytes: Int, entryBytes: Int) {
    self.bytes = bytes
    self.entryBytes = entryBytes
  }
}

extension QueryIndex {
  /// The bytes of a document's entry: the indexed values, the name, and 32, as documented.
  package func entryBytes(of document: Document) -> Int {
    let paths = (matched + ordered).map(\.path)
    let values = paths.compactMap { document[$0] }.map { DocumentSize.bytes(of: $0) }
    return values.reduce(32, +)
  }
}

/// A sample of a collection's documents.
package struct CollectionSample: Sendable {
  /// The most documents that are read to estimate sizes; see `docs/editions.md#plan`.
  package static let size = 100

  package var documents: [Document]
  /// The number of documents in the whole collection.
  package var count: Int

  /// The estimated bytes of the whole collection, by the mean of the sample.
  package var bytes: Int {
    guard !documents.isEmpty else { return 0 }
    let sum = documents.reduce(0) {
      $0 + max(ReadVolume.leastItemBytes, DocumentSize.bytes(of: $1))
    }
    return count <= documents.count
      ? sum : Int(Double(sum) * Double(count) / Double(documents.count))
  }
}

extension FirestorePort {
  package func sample(
    of query: StructuredQuery, under parent: String?
  ) async throws -> CollectionSample {
    var whole = StructuredQuery(from: query.from, orderBy: [.init(field: .documentName)])
    let count = try await count(of: whole, under: parent, readTime: nil)
    whole.limit = CollectionSample.size
    let under = try parent.map { path throws(WireError) in try root.appending(path: path) }
    return CollectionSample(
      documents: count == 0 ? [] : try await documents(of: whole, under: under), count: count)
  }
}

extension FirestoreClient {
  /// Returns how the query finds its documents; `.names` on Standard, where that costs nothing by
  /// itself.
  ///
  /// On Enterprise, it requests the indexes once, and samples a collection that is scanned.
  package func access(
    of query: StructuredQuery, under parent: String?
  ) async throws -> QueryAccess {
    let needed = QueryIndex.serving(query).filter { !$0.isByNameAlone }
    guard edition == .enterprise, !needed.isEmpty else { return .names }
    let shape = QueryShape(query, parent)
    if let known = knowledge.withLock({ $0.accesses[shape] }) { return known }
    let access: QueryAccess
    let stored = try await storedIndexes()
    if needed.allSatisfy({ $0.isServed(by: stored) }) {
      access = .index
    } else {
      let bytes = try await sample(of: query, under: parent).bytes
      let isByName = query.completeOrders().first?.field == .documentName
      access = isByName ? .pass(bytes: bytes) : .scan(bytes: bytes)
    }
    knowledge.withLock { $0.accesses[shape] = access }
    return access
  }

  /// Returns the billed reads of the answer to a query whose access is already known.
  func billedReads(
    _ result: QueryResult, of query: StructuredQuery, under parent: String?
  ) -> Int {
    let count = result.documents.count + result.skippedCount
    guard edition == .enterprise else { return max(1, count) }
    let access = knowledge.withLock { $0.accesses[QueryShape(query, parent)] } ?? .names
    return ReadVolume(
      of: result.documents.map { DocumentVolume($0, query) }, query, by: access
    ).units
  }

  package func billedReads(
    ofPage bytes: [UInt8], of query: StructuredQuery, under parent: String?
  ) -> Int? {
    guard edition == .enterprise else { return nil }
    do {
      return billedReads(try QueryResult(answer: bytes), of: query, under: parent)
    } catch {
      // The scan of the page will report the same error.
      return nil
    }
  }

  /// Returns the billed reads of a count.
  func billedReads(ofCount count: Int, _ access: QueryAccess) -> Int {
    switch access {
    case .names, .index: return edition.rules.readsOfCount(count)
    case .pass(let bytes), .scan(let bytes):
      var volume = ReadVolume()
      volume.scan(bytes: bytes)
      return volume.units
    }
  }

  /// Returns the billed reads of documents that were requested by name.
  func billedReads(ofLookUps documents: [Document], missing: Int = 0) -> Int {
    guard edition == .enterprise else { return documents.count + missing }
    var volume = ReadVolume()
    for document in documents { volume.look(up: 1, bytes: DocumentSize.bytes(of: document)) }
    volume.look(up: missing)
    return volume.units
  }
}
