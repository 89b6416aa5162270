import HTTP

/// One request to Firestore, before it has credentials.
struct FirestoreCall: Sendable {
  var url: String
  /// Posted; a call without a body is a GET.
  var body: JSON?
  var repetition: Backoff.Repetition
  /// Completes "Could not ...", with the thing.
  var request: String
  /// What is asked, for the index that it may lack; nil when it needs none.
  var query: StructuredQuery?
  /// Where the answer finds its memory; nil for memory of its own.
  var buffers: BodyBuffers?

  func httpRequest(headers: HTTPHeaders) -> HTTPRequest {
    var headers = headers
    if body != nil { headers["Content-Type"] = "application/json" }
    return HTTPRequest(
      body == nil ? .get : .post, url, headers: headers, body: body?.serialized() ?? [],
      buffers: buffers)
  }
}

/// What became of an answer's body, and the reads it cost.
struct Reading<Result> {
  var result: Result
  var billedReadCount: Int
}
