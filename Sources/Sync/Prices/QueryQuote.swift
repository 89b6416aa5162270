package import Firestore

/// What a planned query would find and cost, by Firestore's word and without reading a document.
package struct QueryQuote: Hashable, Sendable {
  /// Whether Firestore has the index that the query needs; see `docs/firestore.md#explain`.
  package enum IndexState: Hashable, Sendable {
    case present([UsedIndex])
    /// The refusal holds the link and the entries of `firestore.indexes.json`.
    case missing(Refusal)
    case building(Refusal)
    /// The server explains no queries; Google's emulator is one.
    case unknown
  }

  /// Documents that would be read; nil when a missing index prevents the count.
  package var documents: Int?
  /// Documents that the query finds, including those beyond the limit of the load; nil when not
  /// asked.
  package var matches: Int?
  package var billedReads: Int?
  /// Nil for a query that is only counted.
  package var index: IndexState?

  package init(documents: Int?, billedReads: Int?, index: IndexState?) {
    self.documents = documents
    self.billedReads = billedReads
    self.index = index
  }

  /// Counts and explains the query; the client's traffic includes the reads.
  ///
  /// - Parameters:
  ///   - planned: the query.
  ///   - client: the Firestore to ask.
  ///   - countsAll: whether to count matches beyond the limit of the load.
  /// - Throws: every `FirestoreError` but for a missing index.
  package init(
    _ planned: PlannedQuery, client: FirestoreClient, countsAll: Bool = false
  ) async throws {
    do {
      let parent = try planned.parent.map { path throws(WireError) in
        try client.endpoint.root.appending(path: path)
      }
      if planned.purpose != .count {
        let used = try await client.explain(planned.query, under: parent)
        index = used.map(IndexState.present) ?? .unknown
      }
      let count = try await client.count(
        planned.query, under: parent, upTo: countsAll ? nil : planned.maxDocuments)
      let read = min(count, planned.maxDocuments ?? .max)
      matches = countsAll ? count : nil
      documents = read
      billedReads = planned.billedReads(documents: read)
    } catch FirestoreError.refused(let refusal) where refusal.reason == .missingIndex {
      index = .missing(refusal)
    } catch FirestoreError.refused(let refusal) where refusal.reason == .buildingIndex {
      index = .building(refusal)
    }
  }
}
