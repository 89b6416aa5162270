package import Model

/// The requests to a Firestore; `FirestoreClient` sends them over HTTP.
///
/// Paths are relative to the database's documents (`AppSettings/com.example`). Errors are
/// `FirestoreError`, thrown after the retries that the error allows.
package protocol FirestorePort: Sendable {
  var root: ResourceName { get }

  /// One page of a query, read by `scan`; over the collections under `parent`, nil for the root's.
  ///
  /// `scan` is called once for each answer; a page that it throws for is requested again. The same
  /// `readTime` reads the same page; nil reads the latest state.
  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws

  /// Where the documents of that page must be; nil accepts any place.
  func origin(of query: StructuredQuery, under parent: String?) throws -> DocumentOrigin?

  /// Prefetches a page that `page` will soon ask for; drops the page prefetched before.
  ///
  /// - Returns: the reads that a dropped one may have cost.
  func prefetch(of query: StructuredQuery, under parent: String?, readTime: Timestamp?) -> Int

  /// Gives up the prefetched page that nothing asked for, and the memory kept for pages.
  ///
  /// - Returns: the reads that the page may have cost.
  func dropPrefetched() -> Int

  /// How many documents the query finds; billed as one read for each thousand, at least one.
  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int

  /// Names that cut a collection group into partitions of about equal size, in their order.
  ///
  /// At most `count`, fewer or none for few documents; none where the server cannot cut. The query
  /// must be by name and without a filter; see `docs/firestore.md#partitions`.
  func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String]

  /// The document as it was at `readTime`, nil for now; nil when there is none.
  func document(at path: String, readTime: Timestamp?) async throws -> Document?

  /// The documents at these paths as they are now, in one request, by path; those that are missing
  /// are absent.
  func documents(at paths: [String]) async throws -> [String: Document]

  /// Creates a document that must not exist.
  ///
  /// Not idempotent: after a lost answer, `ALREADY_EXISTS` may be about one's own document.
  func create(documentId: String, in collection: String, fields: [String: Value]) async throws

  /// Creates documents that must not exist, independently of each other, in one request.
  ///
  /// Not idempotent, as above. The right to create one document does not imply the right to do
  /// this.
  ///
  /// - Returns: why a document was not created, by path; documents that were created are absent.
  /// - Throws: when the outcome of all of them is unknown.
  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError]

  /// Writes these fields of a document that did not change since `updateTime`; the others stay.
  ///
  /// Not idempotent: repeated after a lost answer, it is refused as if another client had written
  /// first.
  ///
  /// - Throws: `FirestoreError` whose reason is `.preconditionFailed` or `.notFound` when the
  ///   document changed or is gone; nothing was written then.
  func update(
    _ path: String, fields: [String: Value], ifUnchangedSince updateTime: Timestamp
  ) async throws

  /// A page of the ids of the collections under a document, nil for those of the database itself;
  /// `token` is that of the page before, nil for the first.
  func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage

  /// At most `count` ids of the collection's documents, including documents that do not exist but
  /// have subcollections.
  func documentIds(in collection: ResourceName, count: Int) async throws -> [String]

  /// The documents of one query, in one request.
  func documents(of query: StructuredQuery, under parent: ResourceName?) async throws -> [Document]

  /// The indexes that the query uses; nil from a server that explains no queries.
  func explain(_ query: StructuredQuery, under parent: ResourceName?) async throws -> [UsedIndex]?

  /// The TTL policies of the database; nothing is billed.
  func expiryPolicies() async throws -> [ExpiryPolicy]

  /// The edition of the database, as far as it is known; Standard until then.
  var edition: FirestoreEdition { get }

  /// What the database says of itself; nil from one that cannot. Nothing is billed.
  func databaseFacts() async throws -> DatabaseFacts?

  /// The size of a query's collection, without its filter; counts it and reads its first documents.
  func sample(of query: StructuredQuery, under parent: String?) async throws -> CollectionSample

  /// How the query finds its documents; may list indexes, and sample a collection that is scanned.
  func access(of query: StructuredQuery, under parent: String?) async throws -> QueryAccess

  /// What the answer to a page is billed; nil for a read for each document, and at least one.
  func billedReads(
    ofPage bytes: [UInt8], of query: StructuredQuery, under parent: String?
  ) -> Int?
}

/// A database that says nothing of itself is a Standard one.
extension FirestorePort {
  package var edition: FirestoreEdition { .standard }

  package func databaseFacts() async throws -> DatabaseFacts? { nil }

  package func access(
    of query: StructuredQuery, under parent: String?
  ) async throws -> QueryAccess { .names }

  package func billedReads(
    ofPage bytes: [UInt8], of query: StructuredQuery, under parent: String?
  ) -> Int? { nil }
}
