/// A Firestore timestamp: microseconds since 1970-01-01T00:00:00Z, as Firestore stores them.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// Reads RFC 3339 text of the years 1 to 9999, with any offset and up to nine fractional digits.
  ///
  /// What is finer than a microsecond is dropped, as Firestore does.
  package init?(rfc3339 text: some StringProtocol) {
    var copy = String(text)
    let microseconds = copy.withUTF8 { RFC3339.microseconds(UnsafeRawBufferPointer($0)) }
    guard let microseconds else { return nil }
    self.init(microseconds: microseconds)
  }

  init(json: JSON) throws(WireError) {
    guard let timestamp = Timestamp(rfc3339: try json.text()) else {
      throw WireError("is not an RFC 3339 timestamp")
    }
    self = timestamp
  }

  /// RFC 3339 in UTC with 0, 3 or 6 fractional digits; the years are 1 to 9999.
  package var rfc3339: String {
    let second = microseconds.flooredQuotient(by: 1_000_000)
    let fraction = microseconds - second * 1_000_000
    let day = second.flooredQuotient(by: 86_400)
    let time = second - day * 86_400
    let date = RFC3339.date(ofDay: day)
    return "\(date.year.digits(4))-\(date.month.digits(2))-\(date.day.digits(2))T"
      + "\((time / 3600).digits(2)):\((time / 60 % 60).digits(2)):\((time % 60).digits(2))"
      + Timestamp.fraction(fraction) + "Z"
  }

  package var description: String { rfc3339 }

  private static func fraction(_ microseconds: Int64) -> String {
    if microseconds == 0 { return "" }
    guard microseconds % 1000 == 0 else { return "." + microseconds.digits(6) }
    return "." + (microseconds / 1000).digits(3)
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  /// The number with zeros in front up to `width`; not negative.
  fileprivate func digits(_ width: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
  }
}
