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
    orderBy = query.completeOrders()
  }
}

extension QueryAccess {
  /// The read units of a request that scans the whole collection; nil where documents decide.
  package var scannedUnits: Int? {
    switch self {
    case .names, .index: nil
    case .pass(let bytes), .scan(let bytes): ReadVolume(bytes: bytes).units
    }
  }
}

/// The progress of a query whose pages together scan its collection once.
///
/// An answer does not tell how many documents it passed over. So a full page counts the number that
/// the sample's share of matches predicts, and the last page the rest.
struct CollectionPass: Hashable, Sendable {
  let bytes: Int
  /// Nil when nothing of the sample matched.
  private let bytesPerMatch: Int?
  private(set) var bytesLeft: Int

  init(_ query: StructuredQuery, over sample: CollectionSample, _ rules: EditionRules) {
    let matches = sample.documents.count(where: { query.filter?.matches($0, rules) ?? true })
    bytes = sample.bytes
    bytesPerMatch = matches == 0 ? nil : sample.sampledBytes / matches
    bytesLeft = sample.bytes
  }

  /// Returns the bytes up to the last of this many matches, from any position.
  func bytes(upTo matches: Int) -> Int {
    bytesPerMatch.map { min(bytes, $0 * matches) } ?? bytes
  }

  /// Returns the bytes that the next page scans, and counts them as read.
  ///
  /// Its answer has `count` documents of `own` bytes in all.
  mutating func read(_ count: Int, own: Int, by query: StructuredQuery) -> Int {
    if query.startAt == nil { bytesLeft = bytes }
    let endsBefore = query.limit.map { count >= $0 } ?? false || query.endAt != nil
    let read = max(own, endsBefore ? min(bytesLeft, bytes(upTo: count)) : bytesLeft)
    bytesLeft = max(0, bytesLeft - read)
    return read
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

extension FirestoreClient {
  /// Returns the indexes that the query needs besides the order of names; none on Standard, where a
  /// missing index is an error.
  private func neededIndexes(of query: StructuredQuery) -> [QueryIndex] {
    edition == .enterprise ? QueryIndex.serving(query).filter { !$0.isByNameAlone } : []
  }

  /// Returns `.names` on Standard, where finding documents costs nothing by itself.
  package func knownAccess(of query: StructuredQuery, under parent: String?) -> QueryAccess? {
    guard !neededIndexes(of: query).isEmpty else { return .names }
    return knowledge.withLock { $0.accesses[QueryShape(query, parent)] }
  }

  /// Lists the indexes of an Enterprise database once, and samples a collection that is scanned.
  package func access(
    of query: StructuredQuery, under parent: String?, upTo most: Int?
  ) async throws -> QueryAccess? {
    if let known = knownAccess(of: query, under: parent) { return known }
    let shape = QueryShape(query, parent)
    let stored = try await storedIndexes()
    if neededIndexes(of: query).allSatisfy({ $0.isServed(by: stored) }) {
      knowledge.withLock { $0.accesses[shape] = .index }
      return .index
    }
    guard let sample = try await countedSample(of: query, under: parent, upTo: most) else {
      return nil
    }
    let isByName = query.completeOrders().first?.field == .documentName
    let access = isByName ? QueryAccess.pass(bytes: sample.bytes) : .scan(bytes: sample.bytes)
    let pass = isByName ? CollectionPass(query, over: sample, edition.rules) : nil
    knowledge.withLock { ($0.accesses[shape], $0.passes[shape]) = (access, pass) }
    return access
  }

  package func scannedUnits(of query: StructuredQuery, under parent: String?) -> Int? {
    let access = knownAccess(of: query, under: parent)
    guard case .pass = access, query.startAt != nil else { return access?.scannedUnits }
    let pass = knowledge.withLock { $0.passes[QueryShape(query, parent)] }
    return pass.map { ReadVolume(bytes: $0.bytesLeft).units } ?? access?.scannedUnits
  }

  /// Returns the most billed reads of a page whose documents have at most 4 KiB each.
  func mostReads(of query: StructuredQuery, under parent: String?) -> Int {
    scannedUnits(of: query, under: parent) ?? max(1, query.limit ?? 1)
  }

  /// Returns the billed reads of the answer to a query whose access is already known.
  func billedReads(
    _ result: QueryResult, of query: StructuredQuery, under parent: String?
  ) -> Int {
    let count = result.documents.count + result.skippedCount
    guard edition == .enterprise else { return max(1, count) }
    let shape = QueryShape(query, parent)
    let volume = knowledge.withLock { knowledge in
      let access = knowledge.accesses[shape] ?? .names
      let documents = result.documents.map { DocumentVolume($0, query) }
      guard case .pass = access else { return ReadVolume(of: documents, query, by: access) }
      let own = documents.reduce(0) { $0 + max(ReadVolume.leastItemBytes, $1.bytes) }
      return ReadVolume(
        bytes: knowledge.passes[shape]?.read(count, own: own, by: query) ?? own)
    }
    return volume.units
  }

  /// Returns the billed reads of the answer to a page; nil on Standard, where each document is one.
  func billedReads(
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
  func billedReads(
    ofCount count: Int, of query: StructuredQuery, under parent: String?, _ access: QueryAccess
  ) -> Int {
    guard let whole = access.scannedUnits else { return edition.rules.readsOfCount(count) }
    let isPart =
      query.startAt != nil || query.endAt != nil || query.limit.map { count >= $0 } ?? false
    guard case .pass = access, isPart,
      let pass = knowledge.withLock({ $0.passes[QueryShape(query, parent)] })
    else { return whole }
    return ReadVolume(bytes: pass.bytes(upTo: count)).units
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
