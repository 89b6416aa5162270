import Firestore
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

  /// The position before its first document.
  var start: PullCursor {
    var cursor = PullCursor()
    cursor.partitions = [PullCursor.Partition(start: from, end: to)]
    cursor.readTime = Timestamp(readTime)
    cursor.firstReadTime = cursor.readTime
    return cursor
  }
}

extension PullRequest {
  /// Whether names split it into parts: its pages are ordered by name, and it reads all documents.
  package var canBeSplit: Bool {
    query.orderBy == [.init(field: .documentName)] && options.maxDocuments == nil
  }
}

extension FirestorePort {
  /// The present time of the server, by reading the first name: one billed read.
  ///
  /// Nil from a server that names no time.
  package func presentTime(of request: PullRequest) async throws -> Instant? {
    try await firstName(of: request.query, under: request.parent, readTime: nil)?
      .readTime.map(Instant.init)
  }
}
