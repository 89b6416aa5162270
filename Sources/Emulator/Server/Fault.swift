package import Firestore

/// Something that goes wrong on purpose, for one request.
package enum Fault: Hashable, Sendable {
  /// An error envelope instead of an answer; the request is not performed.
  ///
  /// `retryAfterSeconds` adds a `Retry-After` header, `insideArray` wraps the envelope as streaming
  /// calls may.
  case status(
    RPCStatus, message: String = "injected fault", retryAfterSeconds: Int? = nil,
    insideArray: Bool = false)
  /// A body that is no JSON, with HTTP 200 as a proxy would send it; the request is not performed.
  case garbage(body: String = "<!DOCTYPE html><html><body>It works!</body></html>")
  /// The connection closes without an answer; the request is not performed.
  case drop
  /// The request is performed, and its answer sent only after that time.
  case delay(Duration)
  /// The request is performed, and the connection closes after so many bytes of the answer's body.
  ///
  /// With 0 the client learns that there was an answer, and nothing of it.
  case cut(afterBytes: Int)
  /// The request is performed, and the connection closes without an answer: was it, or not?
  case lostAnswer
  /// The request is performed, and its array ends in the middle, though HTTP ends properly.
  case truncatedArray
}
