import CollectionMapping
package import Firestore
package import Jobs
import Model
import Sync
package import Workspace

/// A look-up of one document by its path; see `docs/query.md#get`.
package struct AdHocLookup: Sendable {
  private let typedPath: TypedPath
  package var path: String { typedPath.path }

  /// - Throws: `WorkspaceError.refused` for a text that is not a document's path.
  package init(_ path: String) throws(WorkspaceError) {
    typedPath = try TypedPath(parsing: path).checkedAsDocument()
  }

  /// Reads the document; returns nil when there is none.
  package func document(_ reads: AdHocReads) async throws -> Document? {
    _ = try typedPath.name(in: reads.database.root)
    return try await reads.spend(upTo: 1) { _ in
      (try await reads.database.document(at: path, readTime: nil), 1)
    }
  }

  /// Looks up the names that were probably meant, for the end of a sentence; empty for none.
  ///
  /// It costs at most 11 billed reads, and none once the budget is exhausted.
  package func hint(_ reads: AdHocReads) async throws -> String {
    let siblings = SiblingCollections(client: reads.database, reads: reads.meter)
    var ids = ResourceName.ids(in: path)
    let id = ids.removeLast()
    let collection = ids.joined(separator: "/")
    let near =
      try await siblings.documents(
        in: collection, from: String(decoding: id.utf8.prefix(3), as: UTF8.self)) ?? []
    guard near.isEmpty else {
      return EmptyLoad.hint(for: id, among: near, of: collection)
    }
    if let others = try await siblings.documents(in: collection), !others.isEmpty {
      return EmptyLoad.hint(for: id, among: others, of: collection)
    }
    let collectionId = ids.removeLast()
    let parent = ids.isEmpty ? nil : ids.joined(separator: "/")
    guard let names = try await siblings.collections(under: parent) else { return "" }
    guard !names.contains(collectionId) else { return "; \(collection) has no documents" }
    return EmptyLoad.hint(
      for: collectionId, among: names, of: siblings.place(under: parent))
  }
}

extension AdHocQuery {
  /// Looks up why nothing was found; returns a sentence.
  ///
  /// It costs at most one billed read.
  package func emptiness(_ reads: AdHocReads) async throws -> String {
    let siblings = SiblingCollections(client: reads.database, reads: reads.meter)
    let names =
      source.isGroup ? nil : try await siblings.collections(under: source.parent)
    let isMissing = names.map { !$0.contains(source.collectionId) } ?? false
    guard isMissing else { return "No document of \(source) was found.\(hintAtTypes)" }
    let hint = EmptyLoad.hint(
      for: source.collectionId, among: names, of: siblings.place(under: source.parent))
    return "There is no document in \(source)\(hint)."
  }
}
