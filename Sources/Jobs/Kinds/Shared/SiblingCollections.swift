package import Firestore
package import Sync

/// The names beside one that was not found, to say which may have been meant.
///
/// Each look is billed, and stays within the run's budget. Nil where the server does not tell: what
/// the run has to say is true without it.
package struct SiblingCollections: Sendable {
  /// Documents whose names are read at most, one billed read each.
  private static let mostDocuments = 10

  let client: any FirestorePort
  let reads: ReadBudgetMeter

  package init(client: any FirestorePort, reads: ReadBudgetMeter) {
    self.client = client
    self.reads = reads
  }

  /// What holds the collections under a document's path; nil for the database itself.
  package func place(under parent: String?) -> String {
    parent ?? "the database of the project \(client.root.project)"
  }

  /// The ids of the collections under a document's path; nil for those of the database itself.
  package func collections(under parent: String?) async throws -> [String]? {
    try await refusable {
      try await reads.spend(upTo: 1) { _ in
        let name = try parent.map { try client.root.appending(path: $0) }
        return (try await client.collectionPage(under: name, after: nil).ids, 1)
      }
    }
  }

  /// The ids of some documents of the collection at a path, the first ones or those from `start`.
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
      // Who may read documents may be refused to list collections.
      return nil
    }
  }
}
