package import HTTP
package import Model
import Synchronization

/// A client of Firestore's REST API for one database.
///
/// Every call retries as `docs/firestore.md#errors` describes and throws `FirestoreError`, or
/// `CancellationError` when its task was cancelled. Any number of tasks may share a client.
package final class FirestoreClient: FirestorePort {
  package typealias Sleep = @Sendable (Duration) async throws -> Void

  package let endpoint: Endpoint
  let http: HTTPClient
  let credentials: Credentials
  private let retry: RetryPolicy
  private let sendsTags: Bool
  private let now: @Sendable () -> Timestamp
  private let sleep: Sleep
  /// A callback for the sentence about each retry.
  private let onRetry: (@Sendable (String) -> Void)?
  /// A callback for the edition that an error revealed.
  let onEdition: (@Sendable (FirestoreEdition) -> Void)?
  private let counters = Mutex(Traffic())
  let knowledge = Mutex(DatabaseKnowledge())
  let prefetched = Mutex<PrefetchedQuery?>(nil)
  let pageBuffers = BodyBuffers()

  /// `sendsTags` adds `RequestTags` to requests for data, which an emulator may refuse.
  package init(
    http: HTTPClient, endpoint: Endpoint, credentials: Credentials,
    retry: RetryPolicy = RetryPolicy(), sendsTags: Bool = false,
    now: @escaping @Sendable () -> Timestamp,
    sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
    onRetry: (@Sendable (String) -> Void)? = nil,
    onEdition: (@Sendable (FirestoreEdition) -> Void)? = nil
  ) {
    self.http = http
    self.endpoint = endpoint
    self.credentials = credentials
    self.retry = retry
    self.sendsTags = sendsTags
    self.now = now
    self.sleep = sleep
    self.onRetry = onRetry
    self.onEdition = onEdition
  }

  package var root: ResourceName { endpoint.root }
  package var traffic: Traffic { counters.withLock { $0 } }

  /// Returns a token for another API of the same project.
  package func token() async throws -> AccessToken { try await credentials.token() }

  func countReads(_ count: Int) {
    countLostReads(count)
    ReadTally.current?.add(count, on: edition)
  }

  /// Counts the reads of a request whose answer nobody awaits, so that they belong to no task.
  func countLostReads(_ count: Int) { counters.withLock { $0.billedReadCount += count } }

  /// Sends the call, with retries, and decodes the answer with `read`.
  ///
  /// Calls `read` once per 2xx answer. It may throw `WireError` or `JSONError` for a malformed
  /// answer, `ErrorEnvelope` for an error in it, or `FirestoreError`.
  func perform<Result>(
    _ call: FirestoreCall, read: (inout [UInt8]) throws -> BilledResult<Result>
  ) async throws -> Result {
    var backoff = RetryBackoff(policy: retry, repetition: call.repetition)
    var call = call
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
      learn(from: failure)
      call.followsSilence = call.followsSilence || failure.isSilence
      try await prepareRetry(&backoff, after: failure)
    }
  }

  /// Waits until the call may be sent again; throws when it must not be repeated.
  private func prepareRetry(
    _ backoff: inout RetryBackoff, after failure: FirestoreError
  ) async throws {
    try Task.checkCancellation()
    let hadUnknownOutcome = backoff.hasUnknownOutcome
    switch backoff.on(failure) {
    case .giveUp: throw failure.marked(followsUnknownOutcome: hadUnknownOutcome)
    case .refreshToken: onRetry?("Retry with a new token: \(failure)")
    case .pause(let duration):
      onRetry?("Retry in \(Int(duration / .milliseconds(1))) ms: \(failure)")
      try await sleep(duration)
    }
    counters.withLock { $0.retryCount += 1 }
  }

  private func attempt<Result>(
    _ call: FirestoreCall, _ read: (inout [UInt8]) throws -> BilledResult<Result>
  ) async throws -> BilledResult<Result> {
    var answer = try await answer(to: call)
    counters.withLock { [count = answer.response.receivedBytes] in $0.receivedBytes += count }
    guard answer.response.isSuccess else {
      let failure = failure(of: call, answer.response)
      if failure.reason == .unauthenticated { await credentials.discard(answer.token) }
      throw await naming(failure, call)
    }
    do {
      return try read(&answer.response.body)
    } catch let error as JSONError {
      throw malformed(call, answer.response, "the answer is \(error)")
    } catch let error as WireError {
      throw malformed(call, answer.response, error.clause(about: "the answer"))
    } catch let envelope as ErrorEnvelope {
      throw await naming(refusal(call, answer.response, envelope), call)
    }
  }

  /// Adds the account to an error about missing rights.
  private func naming(_ failure: FirestoreError, _ call: FirestoreCall) async -> FirestoreError {
    guard case .refused(var refusal) = failure, refusal.reason == .permissionDenied else {
      return failure
    }
    refusal.account = await credentials.account
    refusal.isWrite = call.repetition != .read
    return .refused(refusal)
  }

  func attemptOnce(_ call: FirestoreCall) async throws -> FirestoreResponse {
    let token = try await credentials.token()
    return FirestoreResponse(response: try await send(call, token), token: token)
  }

  private func send(_ call: FirestoreCall, _ token: AccessToken) async throws -> HTTPResponse {
    counters.withLock { $0.requestCount += 1 }
    do {
      var request = call.tagged(sendsTags ? RequestTags.current : [])
        .httpRequest(headers: token.headers)
      if call.followsSilence {
        request.timeouts = http.configuration.timeouts
        request.timeouts?.stall = min(http.configuration.timeouts.stall, retry.secondSilence)
      }
      return try await http.send(request)
    } catch let error as HTTPError {
      try Task.checkCancellation()
      throw FirestoreError.transport(request: call.request, error)
    }
  }

  /// The error of an answer other than 2xx; the HTTP status counts only without an envelope.
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
    // A busy gateway sends the time of the next attempt, whatever else it sends.
    let isBusy = response.status == 503 && retryAfter(of: response) != nil
    guard !isBusy, ![401, 429, 501].contains(response.status) else {
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
        retryAfter: retryAfter(of: response), query: call.query, api: call.api,
        parent: call.parent))
  }

  private func retryAfter(of response: HTTPResponse) -> Duration? {
    response.retryAfter(now: now().microseconds / 1_000_000)
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

/// A request to Firestore without its credentials.
struct FirestoreCall: Sendable {
  var url: String
  /// The body of a POST; nil makes the call a GET.
  var body: JSON?
  var repetition: RetryBackoff.Repetition
  /// Completes "Could not ..." in messages, such as `read projects/...`.
  var request: String
  /// The query, for advice about a missing index; nil for calls that need no index.
  var query: StructuredQuery?
  /// The document or the root below which the request searches; nil for other requests.
  var parent: ResourceName?
  /// The buffers that provide the memory of the answer's body; nil allocates it.
  var buffers: BodyBuffers?
  var api = GoogleAPI.firestore
  var tagPlace = TagPlace.body
  /// Whether an earlier attempt ended in silence, which shortens the stall timeout.
  var followsSilence = false

  func httpRequest(headers: HTTPHeaders) -> HTTPRequest {
    var headers = headers
    if body != nil { headers["Content-Type"] = "application/json" }
    return HTTPRequest(
      body == nil ? .get : .post, url, headers: headers, body: body?.serialized() ?? [],
      buffers: buffers)
  }
}

/// The result read from an answer and the reads that Google bills for it.
struct BilledResult<Result> {
  var result: Result
  var billedReadCount: Int
}

package struct Traffic: Codable, Hashable, Sendable {
  /// Requests sent to Firestore, retries included, token requests excluded.
  package var requestCount = 0
  package var retryCount = 0
  /// Bytes of response bodies on the wire, before unpacking.
  package var receivedBytes = 0
  /// The reads that Google bills: documents, or the read units of an Enterprise database; see
  /// `docs/firestore.md#cost`.
  package var billedReadCount = 0

  package init() {}

  package static func + (left: Traffic, right: Traffic) -> Traffic { left.with(right, +) }

  /// The increase since `earlier`.
  package static func - (later: Traffic, earlier: Traffic) -> Traffic { later.with(earlier, -) }

  private func with(_ other: Traffic, _ combine: (Int, Int) -> Int) -> Traffic {
    var traffic = Traffic()
    traffic.requestCount = combine(requestCount, other.requestCount)
    traffic.retryCount = combine(retryCount, other.retryCount)
    traffic.receivedBytes = combine(receivedBytes, other.receivedBytes)
    traffic.billedReadCount = combine(billedReadCount, other.billedReadCount)
    return traffic
  }
}

/// The server's address and the name of a database on it.
package struct Endpoint: Hashable, Sendable {
  package static let googleURL = "https://firestore.googleapis.com/v1"
  package static let googleIdentityURL = "https://identitytoolkit.googleapis.com/v1"

  /// The URL with the version and without a trailing slash, such as
  /// `https://firestore.googleapis.com/v1`.
  package var baseURL: String
  package var root: ResourceName
  /// The URL for the accounts of Firebase Authentication, with the version.
  package var identityURL: String

  package init(
    baseURL: String = Endpoint.googleURL, project: String, database: String = "(default)",
    identityURL: String = Endpoint.googleIdentityURL
  ) {
    self.baseURL = baseURL.withoutTrailingSlashes
    self.identityURL = identityURL.withoutTrailingSlashes
    root = ResourceName(project: project, database: database)
  }

  /// Returns whether an address is one of Google's, including regional ones.
  package static func isGoogle(_ address: String) -> Bool {
    let host = address.split(separator: "/").dropFirst().first ?? ""
    return address.hasPrefix("https://") && host.hasSuffix(".googleapis.com")
  }

  /// The base URL that `FIRESTORE_EMULATOR_HOST` names; nil when it is unset or empty.
  ///
  /// See `docs/firestore.md#addresses`.
  package static func emulatorURL(in environment: [String: String]) -> String? {
    emulatorAddress(in: environment).map(baseURL(of:))
  }

  /// The base URL of a server address, with or without trailing slashes.
  package static func baseURL(of address: String) -> String {
    address.withoutTrailingSlashes + "/v1"
  }

  /// The emulator's address without a version, for its other APIs; nil when none is named.
  package static func emulatorAddress(in environment: [String: String]) -> String? {
    guard let host = environment["FIRESTORE_EMULATOR_HOST"], !host.isEmpty else { return nil }
    return host.contains("://") ? host : "http://\(host)"
  }

  /// Returns the base URL of accounts on the emulator from `FIREBASE_AUTH_EMULATOR_HOST`, or else
  /// from `FIRESTORE_EMULATOR_HOST`, so that a trial sends no request to Google; nil without both.
  package static func identityEmulatorURL(in environment: [String: String]) -> String? {
    let host = environment["FIREBASE_AUTH_EMULATOR_HOST"].flatMap { $0.isEmpty ? nil : $0 }
    let address = host.map { $0.contains("://") ? $0 : "http://\($0)" }
    return (address ?? emulatorAddress(in: environment)).map {
      $0.withoutTrailingSlashes + "/identitytoolkit.googleapis.com/v1"
    }
  }

  /// The URL of a resource, or of a method on it such as `:runQuery`.
  ///
  /// `query` contains names and values that are not encoded yet.
  func url(
    _ name: ResourceName, method: String = "", query: [(String, String)] = []
  ) -> String {
    url(path: name.encodedPath + method, query)
  }

  /// Returns the URL of the database itself in the Admin API, or of a resource below it.
  func databaseURL(_ path: String = "", _ query: [(String, String)] = []) -> String {
    let database = ["projects", root.project, "databases", root.database]
    return url(path: database.map(PercentEncoding.path).joined(separator: "/") + path, query)
  }

  private func url(path: String, _ query: [(String, String)]) -> String {
    let parameters = (query + [("prettyPrint", "false")]).map { name, value in
      "\(PercentEncoding.query(name))=\(PercentEncoding.query(value))"
    }
    return "\(baseURL)/\(path)?\(parameters.joined(separator: "&"))"
  }
}
