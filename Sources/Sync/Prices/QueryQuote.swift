package import Firestore

/// What a planned query would find and cost, asked of Firestore without reading a document.
package struct QueryQuote: Hashable, Sendable {
  /// Whether Firestore has the index that the query needs; see `docs/firestore.md#explain`.
  package enum IndexState: Hashable, Sendable {
    case present([UsedIndex])
    /// The refusal holds the link and the entries of `firestore.indexes.json`.
    case missing(Refusal)
    case building(Refusal)
    /// The server explains no queries, as Google's emulator.
    case untold
  }

  /// Documents that would be read; nil when they cannot be counted, for want of an index.
  package var documents: Int?
  package var billedReads: Int?
  /// Nil for what is only counted, which the count of the same documents tells.
  package var index: IndexState?

  package init(documents: Int?, billedReads: Int?, index: IndexState?) {
    self.documents = documents
    self.billedReads = billedReads
    self.index = index
  }

  /// Counts and explains the query; what that cost stands in the client's traffic.
  ///
  /// - Throws: every `FirestoreError` but for a missing index.
  package init(_ planned: PlannedQuery, client: FirestoreClient) async throws {
    do {
      let parent = try planned.parent.map { path throws(WireError) in
        try client.endpoint.root.appending(path: path)
      }
      if planned.purpose != .count {
        let used = try await client.explain(planned.query, under: parent)
        index = used.map(IndexState.present) ?? .untold
      }
      let count = try await client.count(
        planned.query, under: parent, upTo: planned.maxDocuments)
      documents = count
      billedReads = planned.billedReads(documents: count)
    } catch FirestoreError.refused(let refusal) where refusal.reason == .missingIndex {
      index = .missing(refusal)
    } catch FirestoreError.refused(let refusal) where refusal.reason == .buildingIndex {
      index = .building(refusal)
    }
  }
}
