import HTTP
import Synchronization

/// A query on its way before anyone has asked for its answer.
struct QueryAhead: Sendable {
  let call: FirestoreCall
  let answer: Task<FirestoreAnswer.Box, any Error>

  /// Whether it is what the call would send.
  func isOf(_ call: FirestoreCall) -> Bool {
    self.call.url == call.url && self.call.body == call.body
  }
}

/// An answer as it came, and the token that the question went with.
struct FirestoreAnswer: Sendable {
  var response: HTTPResponse
  let token: AccessToken
}

extension FirestoreAnswer {
  /// Holds an answer until it is taken, once: a task would hold on to it, and its body be copied.
  final class Box: Sendable {
    private let answer: Mutex<FirestoreAnswer?>

    init(_ answer: consuming FirestoreAnswer) { self.answer = Mutex(answer) }

    func take() -> FirestoreAnswer? {
      answer.withLock { answer in
        defer { answer = nil }
        return answer
      }
    }
  }
}

/// Pages that are sent for early; see `docs/firestore.md#pages-ahead`.
extension FirestoreClient {
  /// Sends the query now, for a `runQueryPage` of the same that comes soon; one at a time.
  ///
  /// Its failures are that page's, which tries again as ever. An answer that nobody asks for is
  /// never read.
  ///
  /// - Returns: what another one that was sent and never asked for may have cost, in reads.
  package func sendAhead(
    _ query: StructuredQuery, under parent: ResourceName? = nil, readTime: Timestamp? = nil
  ) -> Int {
    let call = pageCall(query, parent, readTime)
    guard !isAhead(call) else { return 0 }
    let reads = dropAhead()
    keepAhead(QueryAhead(call: call, answer: Task { .init(try await ask(call)) }))
    return reads
  }

  /// Gives up the query that was sent and not asked for.
  ///
  /// Google may have begun to answer it: it counts with all that it may have cost.
  ///
  /// - Returns: those reads; 0 when there is none.
  package func dropAhead() -> Int {
    guard let dropped = keepAhead(nil) else { return 0 }
    dropped.answer.cancel()
    let reads = max(1, dropped.call.query?.limit ?? 1)
    countReads(reads)
    return reads
  }

  /// What the call is answered, by the query sent ahead where it is the same.
  func answer(to call: FirestoreCall) async throws -> FirestoreAnswer {
    guard let sent = takeAhead(of: call) else { return try await ask(call) }
    let box = try await withTaskCancellationHandler {
      try await sent.answer.value
    } onCancel: {
      sent.answer.cancel()
    }
    if let answer = box.take() { return answer }
    return try await ask(call)
  }
}
