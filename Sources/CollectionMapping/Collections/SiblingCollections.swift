package import Firestore
package import Sync

/// The names beside a missing one, to suggest which one may have been meant.
///
/// Each look-up is billed and stays within the run's budget. It returns nil when the server
/// refuses: the run's message is true without it.
package struct SiblingCollections: Sendable {
  /// The largest number of documents whose names are read, one billed read each.
  private static let mostDocuments = 10

  let client: any FirestorePort
  let reads: ReadBudgetMeter

  package init(client: any FirestorePort, reads: ReadBudgetMeter) {
    self.client = client
    self.reads = reads
  }

  /// Names the parent of the collections: a document's path, or the database if `parent` is nil.
  package func place(under parent: String?) -> String {
    parent ?? "the database of the project \(client.root.project)"
  }

  /// Returns the ids of the collections under a document's path; for nil, of root collections.
  package func collections(under parent: String?) async throws -> [String]? {
    try await refusable {
      try await reads.spend(upTo: 1) { _ in
        let name = try parent.map { try client.root.appending(path: $0) }
        return (try await client.collectionPage(under: name, after: nil).ids, 1)
      }
    }
  }

  /// Returns the ids of some documents in a collection: the first ones, or those from `start`.
  package func documents(in collection: String, from start: String? = nil) async throws -> [String]?
  {
    let ids = ResourceName.ids(in: collection)
    guard let id = ids.last else { return nil }
    let parent = ids.dropLast().joined(separator: "/")
    return try await refusable {
      try await reads.spend(upTo: Self.mostDocuments) { granted in
        let root = client.root
        var query = StructuredQuery(
          from: [.init(collectionId: id)], select: [.documentName],
          orderBy: [.init(field: .documentName)])
        query.limit = granted
        if let start {
          let name = try root.appending(path: collection).appending([start])
          query.startAt = .init(values: [.reference(name.description)], before: true)
        }
        let found = try await client.documents(
          of: query, under: parent.isEmpty ? nil : try root.appending(path: parent))
        return (found.compactMap { ResourceName.ids(in: $0.name).last }, max(1, found.count))
      }
    }
  }

  private func refusable<Answer>(
    _ look: () async throws -> Answer?
  ) async throws -> Answer? {
    do {
      return try await look()
    } catch is FirestoreError {
      // An account that may read documents may still be refused to list collections.
      return nil
    }
  }
}
