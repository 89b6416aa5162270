import HTTP
import Synchronization

/// A query that was sent before its answer is needed.
struct PrefetchedQuery: Sendable {
  let call: FirestoreCall
  let answer: Task<FirestoreResponse.Box, any Error>

  /// Whether the call would send the same request.
  func matches(_ call: FirestoreCall) -> Bool {
    self.call.url == call.url && self.call.body == call.body
  }
}

/// A response and the token of its request.
struct FirestoreResponse: Sendable {
  var response: HTTPResponse
  let token: AccessToken
}

extension FirestoreResponse {
  /// Holds an answer until it is taken.
  ///
  /// A task keeps its result, so an answer that is changed in place would be copied.
  final class Box: Sendable {
    private let answer: Mutex<FirestoreResponse?>

    init(_ answer: consuming FirestoreResponse) { self.answer = Mutex(answer) }

    func take() -> FirestoreResponse? {
      answer.withLock { answer in
        defer { answer = nil }
        return answer
      }
    }
  }
}

/// Requesting pages early; see `docs/firestore.md#pages-ahead`.
extension FirestoreClient {
  /// Sends the query now for a `runQueryPage` of the same query that follows; one at a time.
  ///
  /// That call gets the prefetched answer or error, and retries as usual. It replaces a prefetched
  /// query that was not used.
  ///
  /// - Returns: the reads that the unused query may have cost.
  package func prefetch(
    _ query: StructuredQuery, under parent: ResourceName? = nil, readTime: Timestamp? = nil
  ) -> Int {
    let call = pageCall(query, parent, readTime)
    guard prefetched.withLock({ $0?.matches(call) }) != true else { return 0 }
    let reads = cancelPrefetched()
    let answer = Task { FirestoreResponse.Box(try await attemptOnce(call)) }
    prefetched.withLock { $0 = PrefetchedQuery(call: call, answer: answer) }
    return reads
  }

  /// Cancels the prefetched query, and frees the memory kept for pages.
  ///
  /// Google may have begun to answer it, so it counts with all the reads that it may have cost.
  ///
  /// - Returns: those reads; 0 without a prefetched query.
  package func dropPrefetched() -> Int {
    pageBuffers.removeAll()
    return cancelPrefetched()
  }

  private func cancelPrefetched() -> Int {
    guard let dropped = takePrefetched(where: { _ in true }) else { return 0 }
    dropped.answer.cancel()
    let reads = max(1, dropped.call.query?.limit ?? 1)
    countReads(reads)
    return reads
  }

  private func takePrefetched(where isWanted: (PrefetchedQuery) -> Bool) -> PrefetchedQuery? {
    prefetched.withLock { prefetched in
      guard let query = prefetched, isWanted(query) else { return nil }
      prefetched = nil
      return query
    }
  }

  /// Sends the call once, or takes the answer of the same prefetched query.
  func answer(to call: FirestoreCall) async throws -> FirestoreResponse {
    guard let sent = takePrefetched(where: { $0.matches(call) }) else {
      return try await attemptOnce(call)
    }
    let box = try await withTaskCancellationHandler {
      try await sent.answer.value
    } onCancel: {
      sent.answer.cancel()
    }
    if let answer = box.take() { return answer }
    return try await attemptOnce(call)
  }
}
