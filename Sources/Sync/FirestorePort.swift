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

  /// Sends for a page that `page` is going to be asked for soon, and gives up any other such.
  ///
  /// - Returns: what that one may have cost, in reads.
  func sendAhead(of query: StructuredQuery, under parent: String?, readTime: Timestamp?) -> Int

  /// Gives up the page that was sent for and not asked for; what it may have cost, in reads.
  func dropAhead() -> Int

  /// How many documents the query finds; billed as one read for each thousand, at least one.
  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int

  /// Names that cut a collection group into parts of about equal size, in their order, `count` at most.
  ///
  /// Empty where the server cannot tell.
  func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String]

  /// The document as it was at `readTime`, nil for now; nil when there is none.
  func document(at path: String, readTime: Timestamp?) async throws -> Document?

  /// The documents at these paths as they are now, by path; those that are missing are absent.
  func documents(at paths: [String]) async throws -> [String: Document]

  /// Creates a document that must not exist.
  ///
  /// Not idempotent: after a lost answer, `ALREADY_EXISTS` may be about one's own document.
  func create(documentId: String, in collection: String, fields: [String: Value]) async throws

  /// Creates documents that must not exist, each by itself, in one request.
  ///
  /// Not idempotent, as above. Those who may create one may not be allowed to create several.
  ///
  /// - Parameter documents: fields by path.
  /// - Returns: why a document was not created, by path; nothing for those that were.
  /// - Throws: when nothing is known of any of them.
  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError]
}

extension FirestorePort {
  package func sendAhead(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) -> Int { 0 }

  package func dropAhead() -> Int { 0 }

  package func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    []
  }
}

extension FirestoreClient: FirestorePort {
  package func partitionPoints(of query: StructuredQuery, count: Int) async throws -> [String] {
    do {
      return try await partitionPoints(of: query, count: count, readTime: nil)
    } catch let error as FirestoreError where error.status == .unimplemented {
      return []
    }
  }

  package func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    _ = try await runQueryPage(
      query, under: try parent.map(name(of:)), readTime: readTime, scan: scan)
  }

  package func sendAhead(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) -> Int {
    do {
      return sendAhead(query, under: try parent.map(name(of:)), readTime: readTime)
    } catch {
      // The page itself fails for the same reason.
      return 0
    }
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

  package func documents(at paths: [String]) async throws -> [String: Document] {
    let names = try paths.map { (path: $0, name: try name(of: $0)) }
    let found = try await batchGet(names.map(\.name))
    let pairs = names.compactMap { path, name in
      found[name.description].map { (path, $0) }
    }
    return Dictionary(pairs) { _, last in last }
  }

  package func create(
    _ documents: [String: [String: Value]]
  ) async throws -> [String: FirestoreError] {
    let paths = documents.keys.sorted()
    let writes = try paths.map { path in
      let document = Document(name: try name(of: path).description, fields: documents[path] ?? [:])
      return Write(.update(document, mask: nil), precondition: .exists(false))
    }
    let outcomes = try await batchWrite(writes)
    let failures = zip(paths, outcomes).compactMap { path, outcome -> (String, FirestoreError)? in
      guard case .failure(let error) = outcome else { return nil }
      return (path, error)
    }
    return Dictionary(failures) { _, last in last }
  }

  private func name(of path: String) throws -> ResourceName {
    do {
      return try endpoint.root.appending(path: path)
    } catch {
      throw FirestoreError.invalidRequest(error)
    }
  }
}
