/// The `Retry-After` header, RFC 9110 section 10.2.3: seconds, or a date.
enum RetryAfter {
  /// The pause from `now` on, not negative; nil for text that is neither.
  static func duration(_ text: String, now: Timestamp) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy(JSONNumber.isDigit) {
      return Int64(text).map { .seconds(min($0, 1_000_000_000)) }
    }
    guard let date = date(text) else { return nil }
    return max(.zero, .microseconds(date.microseconds - now.microseconds))
  }

  /// Reads the preferred form of RFC 9110 section 5.6.7, `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func date(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT",
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
