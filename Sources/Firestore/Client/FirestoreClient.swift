package import HTTP
import Synchronization

/// Firestore's REST API for one database.
///
/// Every call retries as `docs/firestore.md#errors` says and throws `FirestoreError`, or
/// `CancellationError` when its task was cancelled. It may be used from any number of tasks.
package final class FirestoreClient: Sendable {
  package typealias Sleep = @Sendable (Duration) async throws -> Void

  package let endpoint: Endpoint
  let http: HTTPClient
  let credentials: Credentials
  private let retry: RetryPolicy
  private let now: @Sendable () -> Timestamp
  private let sleep: Sleep
  private let counters = Mutex(Traffic())
  private let ahead = Mutex<QueryAhead?>(nil)
  let pageBuffers = BodyBuffers()

  package init(
    http: HTTPClient, endpoint: Endpoint, credentials: Credentials,
    retry: RetryPolicy = RetryPolicy(), now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping Sleep = { try await Task.sleep(for: $0) }
  ) {
    self.http = http
    self.endpoint = endpoint
    self.credentials = credentials
    self.retry = retry
    self.now = now
    self.sleep = sleep
  }

  /// What all calls so far have cost.
  package var traffic: Traffic { counters.withLock { $0 } }

  /// The token of the next call, for another API of the same project.
  package func token() async throws -> AccessToken { try await credentials.token() }

  /// Keeps a query that was sent ahead, or none, and returns the one kept before.
  @discardableResult
  func keepAhead(_ query: QueryAhead?) -> QueryAhead? {
    ahead.withLock { ahead in
      defer { ahead = query }
      return ahead
    }
  }

  func isAhead(_ call: FirestoreCall) -> Bool { ahead.withLock { $0?.isOf(call) == true } }

  /// The query that was sent ahead, if it is the call's.
  func takeAhead(of call: FirestoreCall) -> QueryAhead? {
    ahead.withLock { ahead in
      guard let sent = ahead, sent.isOf(call) else { return nil }
      ahead = nil
      return sent
    }
  }

  func countReads(_ count: Int) { counters.withLock { $0.billedReadCount += count } }

  /// Sends the call until it is answered or given up, and reads the answer with `read`.
  ///
  /// `read` is called once for each try that got a 2xx answer, and may throw `WireError` or
  /// `JSONError` for one that is malformed, or `FirestoreError`.
  func perform<Result>(
    _ call: FirestoreCall, read: (inout [UInt8]) throws -> Reading<Result>
  ) async throws -> Result {
    var backoff = Backoff(policy: retry, repetition: call.repetition)
    while true {
      let failure: FirestoreError
      do {
        let reading = try await attempt(call, read)
        countReads(reading.billedReadCount)
        return reading.result
      } catch let error as FirestoreError {
        failure = error
      } catch let error as CredentialsError {
        failure = .credentials(error)
      }
      try await prepareRetry(&backoff, after: failure)
    }
  }

  /// Returns when the call may be sent again, and throws when it may not.
  private func prepareRetry(
    _ backoff: inout Backoff, after failure: FirestoreError
  ) async throws {
    try Task.checkCancellation()
    let hadUnknownOutcome = backoff.hasUnknownOutcome
    switch backoff.on(failure) {
    case .giveUp: throw failure.marked(followsUnknownOutcome: hadUnknownOutcome)
    case .refreshToken: break
    case .pause(let duration): try await sleep(duration)
    }
    counters.withLock { $0.retryCount += 1 }
  }

  private func attempt<Result>(
    _ call: FirestoreCall, _ read: (inout [UInt8]) throws -> Reading<Result>
  ) async throws -> Reading<Result> {
    var answer = try await answer(to: call)
    counters.withLock { [count = answer.response.receivedBytes] in $0.receivedBytes += count }
    guard answer.response.isSuccess else {
      let failure = failure(of: call, answer.response)
      if failure.reason == .unauthenticated { await credentials.discard(answer.token) }
      throw failure
    }
    do {
      return try read(&answer.response.body)
    } catch let error as JSONError {
      throw malformed(call, answer.response, error.description)
    } catch let error as WireError {
      throw malformed(call, answer.response, error.description)
    } catch let envelope as ErrorEnvelope {
      throw refusal(call, answer.response, envelope)
    }
  }

  /// Sends the call once.
  func ask(_ call: FirestoreCall) async throws -> FirestoreAnswer {
    let token = try await credentials.token()
    return FirestoreAnswer(response: try await send(call, token), token: token)
  }

  private func send(_ call: FirestoreCall, _ token: AccessToken) async throws -> HTTPResponse {
    counters.withLock { $0.requestCount += 1 }
    do {
      return try await http.send(call.httpRequest(headers: token.headers))
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw FirestoreError.transport(request: call.request, error)
    }
  }

  /// What an answer other than 2xx means; its status decides only when its body names none.
  private func failure(of call: FirestoreCall, _ response: HTTPResponse) -> FirestoreError {
    let problem: String
    do {
      if let envelope = ErrorEnvelope(in: try JSON(parsing: response.body)) {
        return refusal(call, response, envelope)
      }
      problem = "JSON without an error in it"
    } catch {
      problem = error.description
    }
    guard ![401, 429, 501].contains(response.status) else {
      let status = RPCStatus(httpStatus: response.status)
      return refusal(call, response, ErrorEnvelope(status: status, message: ""))
    }
    return malformed(call, response, problem)
  }

  private func refusal(
    _ call: FirestoreCall, _ response: HTTPResponse, _ envelope: ErrorEnvelope
  ) -> FirestoreError {
    .refused(
      Refusal(
        envelope, httpStatus: response.status, request: call.request,
        retryAfter: response.retryAfter(now: now().microseconds / 1_000_000), query: call.query))
  }

  private func malformed(
    _ call: FirestoreCall, _ response: HTTPResponse, _ problem: String
  ) -> FirestoreError {
    .malformedAnswer(request: call.request, httpStatus: response.status, problem: problem)
  }
}

extension FirestoreError {
  fileprivate func marked(followsUnknownOutcome: Bool) -> FirestoreError {
    guard followsUnknownOutcome, case .refused(var refusal) = self else { return self }
    refusal.followsUnknownOutcome = true
    return .refused(refusal)
  }
}
