package import Firestore
package import Model

/// A part of a pull's documents at a fixed snapshot, which one shard reads; see `docs/shards.md`.
package struct PullSlice: Hashable, Sendable {
  /// The first name that may be in it; nil for the beginning.
  package var from: String?
  /// The first name after it; nil for the end.
  package var to: String?
  package var readTime: Instant

  package init(from: String?, to: String?, readTime: Instant) {
    self.from = from
    self.to = to
    self.readTime = readTime
  }

  /// The snapshot as the wire has it.
  package var time: Timestamp { Timestamp(readTime) }

  /// The position before its first document.
  var start: PullCursor {
    var cursor = PullCursor()
    cursor.partitions = [PullCursor.Partition(start: from, end: to)]
    cursor.readTime = time
    cursor.firstReadTime = cursor.readTime
    return cursor
  }
}

extension PullRequest {
  /// The query of the documents of a slice.
  package func query(of slice: PullSlice) -> StructuredQuery {
    query.range(from: slice.from, to: slice.to)
  }

  /// Whether names cut it into parts: its pages are ordered by name, and it reads all documents.
  package var canBeCut: Bool {
    query.orderBy == [.init(field: .documentName)] && options.maxDocuments == nil
  }
}

extension FirestorePort {
  /// The present time of the server, by reading the first name: one billed read.
  ///
  /// Nil from a server that names no time.
  package func presentTime(of request: PullRequest) async throws -> Instant? {
    var query = request.query
    query.select = [.documentName]
    query.limit = 1
    var time: Timestamp?
    try await page(of: query, under: request.parent, readTime: nil) { bytes in
      var scanner = KeyMapping(pathsOrderedBy: nil).scanner
      let page = try scanner.scan(&bytes) { _, _ in }
      time = page.readTime
      return page
    }
    return time.map(Instant.init)
  }
}
