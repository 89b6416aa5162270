import HTTP

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
  /// Provides the memory of the answer's body; nil allocates it.
  var buffers: BodyBuffers?
  var api = GoogleAPI.firestore
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

/// Counts of a client's requests, retries, bytes and reads.
package struct Traffic: Hashable, Sendable {
  /// Requests sent to Firestore, retries included, token requests excluded.
  package var requestCount = 0
  package var retryCount = 0
  /// Bytes of response bodies on the wire, before unpacking.
  package var receivedBytes = 0
  /// Documents read as Google bills them; see `docs/firestore.md#cost`.
  package var billedReadCount = 0

  package init() {}

  package static func + (left: Traffic, right: Traffic) -> Traffic {
    var sum = left
    sum.requestCount += right.requestCount
    sum.retryCount += right.retryCount
    sum.receivedBytes += right.receivedBytes
    sum.billedReadCount += right.billedReadCount
    return sum
  }

  /// The increase since `earlier`.
  package static func - (later: Traffic, earlier: Traffic) -> Traffic {
    var difference = later
    difference.requestCount -= earlier.requestCount
    difference.retryCount -= earlier.retryCount
    difference.receivedBytes -= earlier.receivedBytes
    difference.billedReadCount -= earlier.billedReadCount
    return difference
  }
}
