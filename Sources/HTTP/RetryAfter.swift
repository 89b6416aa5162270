import CCurl

/// The `Retry-After` header, RFC 9110 section 10.2.3: seconds, or a date.
enum RetryAfter {
  /// The pause from `now` on, in Unix seconds, not negative; nil for text that is neither.
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
  /// What the server asks to wait at least before the next request; nil when it does not say.
  ///
  /// A date counts from the answer's own `Date`, without one from `now` in Unix seconds.
  package func retryAfter(now: Int64) -> Duration? {
    headers["Retry-After"].flatMap { text in
      RetryAfter.duration(text, now: headers["Date"].flatMap(RetryAfter.date) ?? now)
    }
  }
}
