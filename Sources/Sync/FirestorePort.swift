package import Firestore

/// What a sync needs of a Firestore; `FirestoreClient` is the one that speaks HTTP.
///
/// Paths are relative to the database's documents (`AppSettings/com.example`). Errors are
/// `FirestoreError`; what is worth a retry was retried before one is thrown.
package protocol FirestorePort: Sendable {
  /// One page of a query, read by `scan`; over the collections under `parent`, nil for the root's.
  ///
  /// `scan` is called once for each answer that came; one that it throws for is asked for again.
  /// Reading twice reads the same at the same `readTime`; nil reads the latest state.
  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws

  /// How many documents the query finds; billed as one read for each thousand, at least one.
  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int

  /// The document as it was at `readTime`, nil for now; nil when there is none.
  func document(at path: String, readTime: Timestamp?) async throws -> Document?

  /// Creates a document that must not exist.
  ///
  /// Not idempotent: after a lost answer, `ALREADY_EXISTS` may be about one's own document.
  func create(documentId: String, in collection: String, fields: [String: Value]) async throws
}

extension FirestoreClient: FirestorePort {
  package func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    _ = try await runQueryPage(
      query, under: try parent.map(name(of:)), readTime: readTime, scan: scan)
  }

  package func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await count(query, under: try parent.map(name(of:)), readTime: readTime)
  }

  package func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await get(try name(of: path), readTime: readTime)
  }

  package func create(
    documentId: String, in collection: String, fields: [String: Value]
  ) async throws {
    _ = try await createDocument(in: try name(of: collection), id: documentId, fields: fields)
  }

  private func name(of path: String) throws -> ResourceName {
    do {
      return try endpoint.root.appending(path: path)
    } catch {
      throw FirestoreError.invalidRequest(error)
    }
  }
}
