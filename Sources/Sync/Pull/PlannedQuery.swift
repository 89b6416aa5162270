package import Firestore
import Model
package import Store

/// A query that a job would send, from the position where it would begin.
package struct PlannedQuery: Hashable, Sendable {
  package enum Purpose: String, Hashable, Sendable {
    /// Pages of documents that become rows.
    case load
    /// Pages of names, to find deleted documents.
    case list
    case count
  }

  package var purpose: Purpose
  /// The query from the start position, without a limit.
  package var query: StructuredQuery
  /// The document whose collections are queried; nil for root collections.
  package var parent: String?
  package var pageSize: Int
  /// The most documents still to read; nil for no limit.
  package var maxDocuments: Int?
  /// Whether a second type of the order field is requested; see `docs/loads.md#two-types`.
  package var asksByType = false

  package init(
    _ purpose: Purpose = .load, query: StructuredQuery, parent: String? = nil, pageSize: Int,
    maxDocuments: Int? = nil
  ) {
    self.purpose = purpose
    self.query = query
    self.parent = parent
    self.pageSize = pageSize
    self.maxDocuments = maxDocuments
  }

  /// Plans what a pull of the request would read now, from the position where it would continue.
  package init(_ request: PullRequest, _ reader: some Readable) throws {
    let resumed = try request.resumed(in: reader)
    self.init(resumed, from: try resumed.position(in: reader))
  }

  /// Plans the rest of the pull after `position`; nil for all of it.
  ///
  /// The rest of a pull in partitions or types has no single beginning: its query is the whole one,
  /// and at most the remaining documents are counted.
  package init(_ request: PullRequest, from position: PullCursor?) {
    let isSplit = position.map { !$0.partitions.isEmpty || !$0.bands.isEmpty } ?? false
    let paged = PagedQuery(request, cursor: isSplit ? PullCursor() : position ?? PullCursor())
    var query = paged.next?.query ?? request.query
    query.limit = nil
    let maxDocuments = request.options.maxDocuments
    self.init(
      query: query, parent: request.parent, pageSize: request.options.pageSize,
      maxDocuments: maxDocuments.map { $0 - (position?.documentCount ?? 0) })
    asksByType = request.asksByType
  }

  /// Returns the reads that Google bills for this number of matches; see `docs/firestore.md#cost`.
  ///
  /// A full last page is followed by an empty one, which is billed as one read.
  package func billedReads(documents: Int) -> Int {
    if purpose == .count { return FirestoreEdition.standard.rules.readsOfCount(documents) }
    let isCut = maxDocuments.map { documents >= $0 } ?? false
    let hasEmptyPage = documents.isMultiple(of: pageSize) && !isCut
    return documents + (hasEmptyPage ? 1 : 0) + (looksForType(among: documents) ? 1 : 0)
  }

  /// Returns whether the first page is full and a page of another type follows, which may be empty.
  private func looksForType(among documents: Int) -> Bool {
    guard asksByType, let maxDocuments else { return false }
    return documents >= min(pageSize, (maxDocuments + 1) / 2) && maxDocuments > 1
  }

  /// Returns the read units that an Enterprise database bills for the matching documents, estimated
  /// from a sample of sizes; see `docs/editions.md#plan`.
  package func readUnits(
    documents: Int, like sample: [DocumentVolume], by access: QueryAccess
  ) -> Int {
    func units(_ page: Range<Int>) -> Int {
      let volumes = page.lazy.map { sample.isEmpty ? .least : sample[$0 % sample.count] }
      return ReadVolume(of: volumes, query, by: access).units
    }
    var sum = looksForType(among: documents) ? units(0..<0) : 0
    var start = 0
    while true {
      let asked = min(pageSize, (maxDocuments ?? .max) - start)
      let end = min(documents, start + asked)
      sum += units(start..<end)
      if end - start < asked || end == maxDocuments { break }
      start = end
    }
    guard case .pass(let bytes) = access else { return sum }
    return max(sum, ReadVolume(bytes: bytes).units)
  }

  /// Returns whether the load scans a collection of `count` documents only once, whatever it finds.
  func scansOnce(_ count: Int, by access: QueryAccess) -> Bool {
    switch access {
    case .names, .index: false
    case .pass: true
    case .scan: count < pageSize
    }
  }
}

/// The matches and the cost of a planned query, from Firestore's count and explanation.
package struct QueryQuote: Hashable, Sendable {
  /// Whether Firestore has the index that the query needs; see `docs/firestore.md#explain`.
  package enum IndexState: Hashable, Sendable {
    case present([UsedIndex])
    /// The refusal contains the link and the entries of `firestore.indexes.json`.
    case missing(Refusal)
    case building(Refusal)
    /// The server does not explain queries; Google's emulator is an example.
    case unknown
    case scan(Scan)
  }

  /// The cost of a query without an index in an Enterprise database.
  package struct Scan: Hashable, Sendable {
    /// Documents in the collection.
    package var documents: Int
    /// Read units of one page, or of all pages if `isOnce`.
    package var units: Int
    /// Whether all pages together scan the collection only once.
    package var isOnce: Bool
    /// Read units of the whole load with the indexes.
    package var indexedUnits: Int
    package var indexes: [QueryIndex]
    /// Read units of the whole load without the indexes.
    package var loadUnits: Int

    /// Whether the load is cheaper with the indexes.
    package var isWorthAnIndex: Bool { indexedUnits < loadUnits }
  }

  /// Documents that would be read; nil when a missing index prevents the count.
  package var documents: Int?
  /// Documents that match, including those beyond the limit of the load; nil when not requested.
  package var matches: Int?
  package var billedReads: Int?
  /// Whether the documents are estimated from a sample; a count would scan as much as the load.
  package var isEstimated = false
  /// Nil for a query that is only counted.
  package var index: IndexState?
}

extension FirestorePort {
  /// Counts and explains a planned query; both requests are part of the traffic.
  ///
  /// With `countsAll`, matches beyond the limit of the load are counted. A query with a missing
  /// index also gets an estimate.
  ///
  /// - Throws: every `FirestoreError` except a missing index.
  package func quote(_ planned: PlannedQuery, countsAll: Bool = false) async throws -> QueryQuote {
    if edition == .enterprise { return try await quoteUnits(planned, countsAll: countsAll) }
    var quote = QueryQuote(documents: nil, billedReads: nil, index: nil)
    do {
      let parent = try planned.parent.map { path throws(WireError) in
        try root.appending(path: path)
      }
      if planned.purpose != .count {
        let used = try await explain(planned.query, under: parent)
        quote.index = used.map(QueryQuote.IndexState.present) ?? .unknown
      }
      var counted = planned.query
      counted.limit = countsAll ? nil : planned.maxDocuments
      let count = try await count(of: counted, under: planned.parent, readTime: nil)
      let read = min(count, planned.maxDocuments ?? .max)
      quote.matches = countsAll ? count : nil
      quote.documents = read
      quote.billedReads = planned.billedReads(documents: read)
    } catch FirestoreError.refused(let refusal) where refusal.reason == .missingIndex {
      quote.index = .missing(refusal)
    } catch FirestoreError.refused(let refusal) where refusal.reason == .buildingIndex {
      quote.index = .building(refusal)
    }
    return quote
  }

  /// Estimates a planned query of an Enterprise database, in read units.
  private func quoteUnits(_ planned: PlannedQuery, countsAll: Bool) async throws -> QueryQuote {
    let query = planned.query
    let access = try await access(of: query, under: planned.parent, upTo: nil) ?? .names
    let sample = try await sample(
      of: query, under: planned.parent,
      documents: min(CollectionSample.size, planned.maxDocuments ?? .max))
    let matches = try await matches(of: planned, access, sample, countsAll: countsAll)
    let read = min(matches.count, planned.maxDocuments ?? .max)
    var quote = QueryQuote(documents: read, billedReads: nil, index: nil)
    quote.matches = countsAll ? matches.count : nil
    quote.isEstimated = matches.isEstimated
    guard planned.purpose != .count else {
      quote.billedReads = access.scannedUnits ?? edition.rules.readsOfCount(read)
      return quote
    }
    let volumes = sample.documents.map { DocumentVolume($0, query) }
    // The load takes the sample again of a collection that it scans.
    let units =
      planned.readUnits(documents: read, like: volumes, by: access)
      + (access.scannedUnits == nil ? 0 : sample.units)
    quote.billedReads = units
    quote.index = index(of: query, access, sample, loadUnits: units) {
      planned.readUnits(documents: read, like: volumes, by: .index)
    }
    return quote
  }

  /// Returns the number of documents that the query finds, counted no further than the load reads.
  ///
  /// A count that scans would cost as much as a load that scans once. It is then estimated from the
  /// sample, unless all matches are requested.
  private func matches(
    of planned: PlannedQuery, _ access: QueryAccess, _ sample: CollectionSample, countsAll: Bool
  ) async throws -> (count: Int, isEstimated: Bool) {
    let query = planned.query
    let found = sample.documents.count(where: { query.finds($0, edition.rules) })
    let isFromStart = query.startAt == nil && query.endAt == nil
    if isFromStart, sample.isWhole { return (found, false) }
    if isFromStart, !countsAll {
      if access == .names, let most = planned.maxDocuments, found >= most { return (found, false) }
      if access.scannedUnits != nil, let count = sample.count,
        query.filter == nil || planned.scansOnce(count, by: access)
      {
        return (found * count / max(1, sample.documents.count), true)
      }
    }
    var counted = query
    counted.limit = countsAll ? nil : planned.maxDocuments
    return (try await count(of: counted, under: planned.parent, readTime: nil), false)
  }

  /// Returns the state of the query's indexes; nil for a query by name, which needs none.
  private func index(
    of query: StructuredQuery, _ access: QueryAccess, _ sample: CollectionSample, loadUnits: Int,
    indexedUnits: () -> Int
  ) -> QueryQuote.IndexState? {
    let indexes = QueryIndex.serving(query)
    switch access {
    case .names: return nil
    case .index: return .present(indexes.map { UsedIndex($0) })
    case .pass(let bytes), .scan(let bytes):
      let page = ReadVolume(bytes: bytes)
      let isOnce = if case .pass = access { true } else { false }
      return .scan(
        QueryQuote.Scan(
          documents: sample.count ?? sample.documents.count, units: page.units, isOnce: isOnce,
          indexedUnits: indexedUnits(), indexes: indexes, loadUnits: loadUnits))
    }
  }
}

extension StructuredQuery {
  /// Returns whether a document of the collection is a result: it passes the filter, and has the
  /// fields of the order.
  fileprivate func finds(_ document: Document, _ rules: EditionRules) -> Bool {
    (filter?.matches(document, rules) ?? true)
      && orderBy.allSatisfy { $0.field == .documentName || document[$0.field] != nil }
  }
}
