package import Model

/// The requests to a Firestore; `FirestoreClient` sends them over HTTP.
///
/// Paths are relative to the database's documents (`AppSettings/com.example`). Errors are
/// `FirestoreError`, thrown after the retries that the error allows.
package protocol FirestorePort: Sendable {
  var root: ResourceName { get }

  /// Reads one page of a query with `scan`; over the collections under `parent`, nil for the
  /// root's.
  ///
  /// `scan` is called once for each answer; if it throws, the page is requested again. The same
  /// `readTime` reads the same page; nil reads the latest state.
  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws

  /// Returns the required place of that page's documents; nil accepts any place.
  func origin(of query: StructuredQuery, under parent: String?) throws -> DocumentOrigin?

  /// Prefetches a page that `page` will soon request; drops the previous prefetched page.
  ///
  /// - Returns: the reads that a dropped one may have cost.
  func prefetch(of query: StructuredQuery, under parent: String?, readTime: Timestamp?) -> Int

  /// Drops an unused prefetched page and the memory kept for pages.
  ///
  /// - Returns: the reads that the page may have cost.
  func dropPrefetched() -> Int

  /// Counts the documents of a query; billed as one read for each thousand, at least one.
  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int

  /// Returns names that split a collection group into partitions of about equal size, in order.
  ///
  /// They are at most `count`, fewer or none for few documents, and none if the server cannot
  /// split. The query must be by name and without a filter; see `docs/firestore.md#partitions`.
  func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String]

  /// Returns the document as it was at `readTime`, nil for now; nil when it does not exist.
  func document(at path: String, readTime: Timestamp?) async throws -> Document?

  /// Returns the documents at these paths as they are now, by path, in one request; missing
  /// documents are left out.
  func documents(at paths: [String]) async throws -> [String: Document]

  /// Creates a document that must not exist.
  ///
  /// Not idempotent: after a lost answer, `ALREADY_EXISTS` may be about the caller's own document.
  func create(documentId: String, in collection: String, fields: [String: Value]) async throws

  /// Creates documents that must not exist, independently of each other, in one request.
  ///
  /// Not idempotent, as above. The right to create one document does not imply the right to do
  /// this.
  ///
  /// - Returns: why a document was not created, by path; documents that were created are absent.
  /// - Throws: when the outcome of all of them is unknown.
  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError]

  /// Writes these fields of a document that did not change since `updateTime`; other fields are
  /// kept.
  ///
  /// Not idempotent: repeated after a lost answer, it is refused as if another client had written
  /// first.
  ///
  /// - Throws: `FirestoreError` whose reason is `.preconditionFailed` or `.notFound` when the
  ///   document changed or is gone; nothing was written then.
  func update(
    _ path: String, fields: [String: Value], ifUnchangedSince updateTime: Timestamp
  ) async throws

  /// Returns a page of the ids of the collections under a document, or of root collections for nil;
  /// `token` is from the previous page, nil for the first.
  func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage

  /// Returns at most `count` ids of the collection's documents, including documents that do not
  /// exist but have subcollections.
  func documentIds(in collection: ResourceName, count: Int) async throws -> [String]

  /// Returns the documents of a query, with one request.
  func documents(of query: StructuredQuery, under parent: ResourceName?) async throws -> [Document]

  /// Returns the indexes that the query uses; nil from a server that does not explain queries.
  func explain(_ query: StructuredQuery, under parent: ResourceName?) async throws -> [UsedIndex]?

  /// Returns the TTL policies of the database; nothing is billed.
  func expiryPolicies() async throws -> [ExpiryPolicy]

  /// The edition of the database; Standard until it is known.
  var edition: FirestoreEdition { get }

  /// Returns the facts that the database reports, nil if it reports none; nothing is billed.
  func databaseFacts() async throws -> DatabaseFacts?

  /// Returns how the query finds its documents; nil if that takes a request to find out.
  func knownAccess(of query: StructuredQuery, under parent: String?) -> QueryAccess?

  /// Returns how the query finds its documents; may list indexes, and sample a collection that is
  /// scanned.
  ///
  /// The result is nil when a scan would exceed `most` reads; a nil `most` allows any number.
  func access(
    of query: StructuredQuery, under parent: String?, upTo most: Int?
  ) async throws -> QueryAccess?

  /// Returns the most read units of a page of a query that scans, whatever it finds; nil for other
  /// queries, whose documents determine them.
  func scannedUnits(of query: StructuredQuery, under parent: String?) -> Int?

  /// Returns a sample of at most `most` documents of the query's collection.
  func sample(
    of query: StructuredQuery, under parent: String?, documents most: Int
  ) async throws -> CollectionSample
}

/// The defaults are those of a Standard database that reports no facts.
extension FirestorePort {
  package var edition: FirestoreEdition { .standard }

  package func databaseFacts() async throws -> DatabaseFacts? { nil }

  package func knownAccess(of query: StructuredQuery, under parent: String?) -> QueryAccess? {
    .names
  }

  package func access(
    of query: StructuredQuery, under parent: String?, upTo most: Int?
  ) async throws -> QueryAccess? { .names }

  package func scannedUnits(of query: StructuredQuery, under parent: String?) -> Int? { nil }

  package func sample(
    of query: StructuredQuery, under parent: String?, documents most: Int
  ) async throws -> CollectionSample { CollectionSample(documents: [], count: 0) }
}
