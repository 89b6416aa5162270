package import Firestore
import HTTP
import Sync
import SyncTesting
import Synchronization

/// A Firestore that a load loses once at each of its pages: when it asks for one the first time.
package final class DyingDatabase: FirestorePort {
  private let client: FirestoreClient
  private let asked = Mutex<Set<StructuredQuery>>([])

  package init(_ client: FirestoreClient) { self.client = client }

  /// Pages that were lost so far.
  package var deaths: Int { asked.withLock(\.count) }

  package var root: ResourceName { client.root }

  package func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    guard asked.withLock({ !$0.insert(query).inserted }) else {
      throw FirestoreError.transport(
        request: "test", .cutShort(host: "localhost", reason: "killed"))
    }
    try await client.page(of: query, under: parent, readTime: readTime, scan: scan)
  }

  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await client.count(of: query, under: parent, readTime: readTime)
  }

  package func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await client.document(at: path, readTime: readTime)
  }

  package func documents(at paths: [String]) async throws -> [String: Document] {
    try await client.documents(at: paths)
  }

  package func create(
    documentId: String, in collection: String, fields: [String: Value]
  ) async throws {
    try await client.create(documentId: documentId, in: collection, fields: fields)
  }

  package func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    try await client.create(documents)
  }

  package func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    try await client.collectionPage(under: parent, after: token)
  }

  package func documents(
    of query: StructuredQuery, under parent: ResourceName?
  ) async throws -> [Document] {
    try await client.documents(of: query, under: parent)
  }
}
