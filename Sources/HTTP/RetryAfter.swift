import CCurl
import Foundation

/// The `Retry-After` header, RFC 9110 section 10.2.3: seconds, or a date.
enum RetryAfter {
  /// The pause from `now` (Unix seconds) on, not negative; nil for another text.
  static func duration(_ text: String, now: Int64) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return Int64(text).map { .seconds(min($0, 1_000_000_000)) }
    }
    return date(text).map { .seconds(max(0, $0 - now)) }
  }

  /// Unix seconds of `Sun, 06 Nov 1994 08:49:37 GMT`, the form of RFC 9110 section 5.6.7, or of
  /// `Sunday, 06-Nov-94 08:49:37 GMT`, which it has readers accept; nil for any other text.
  static func date(_ text: String) -> Int64? {
    // libcurl takes days that no month has, and dates without a time.
    let seconds = curl_getdate(text, nil)
    let forms = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT"]
    guard seconds >= 0, forms.contains(where: { formatted(seconds, $0) == text }) else {
      return nil
    }
    return Int64(seconds)
  }

  /// A time in UTC, as `strftime` has it without a locale.
  private static func formatted(_ seconds: time_t, _ form: String) -> String {
    var (seconds, parts) = (seconds, tm())
    gmtime_r(&seconds, &parts)
    return String(unsafeUninitializedCapacity: 64) { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        strftime($0.baseAddress, $0.count, form, &parts)
      }
    }
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
