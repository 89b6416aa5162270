import CCurl

/// A server's response, whatever its status.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: HTTPHeaders = HTTPHeaders()
  /// The decoded body; gzip is already unpacked.
  ///
  /// Libcurl does not detect a gzip stream that ends early in a body of the announced length: the
  /// reader must reject an incomplete body.
  package var body: [UInt8] = []
  /// Size of the body on the wire in bytes, before unpacking.
  package var receivedBytes: Int = 0
  /// From the start of the request to the last byte.
  package var duration = Duration.zero

  /// Unix seconds of the `Date` header: the server's clock; nil without a valid one.
  package var date: Int64? { headers["Date"].flatMap(RetryAfter.date) }

  /// Whether the status is 200 to 299.
  package var isSuccess: Bool { (200...299).contains(status) }
}

/// The `Retry-After` header, RFC 9110 section 10.2.3: seconds, or a date.
enum RetryAfter {
  /// The pause from `now` (Unix seconds) on, not negative; nil for text that is neither.
  static func duration(_ text: String, now: Int64) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(text).map { .seconds(min($0, 1_000_000_000)) }
    }
    return date(text).map { .seconds(max(0, $0 - now)) }
  }

  /// Unix seconds of `Sun, 06 Nov 1994 08:49:37 GMT`, the form of RFC 9110 section 5.6.7.
  static func date(_ text: String) -> Int64? {
    guard text.hasSuffix(" GMT") else { return nil }
    let seconds = curl_getdate(text, nil)
    return seconds < 0 ? nil : Int64(seconds)
  }
}

extension HTTPResponse {
  /// The pause that the server requests before the next request; nil without a valid header.
  ///
  /// A date is relative to the response's `Date`, or to `now` (Unix seconds) when it has none.
  package func retryAfter(now: Int64) -> Duration? {
    headers["Retry-After"].flatMap { text in
      RetryAfter.duration(text, now: date ?? now)
    }
  }
}
