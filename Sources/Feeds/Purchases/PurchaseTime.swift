import Model

/// Times as the sources write them.
enum PurchaseTime {
  /// The last millisecond of the year 9999.
  private static let latest: Int64 = 253_402_300_799_999

  /// Milliseconds since 1970; nil for no text.
  static func milliseconds(_ text: String?, _ name: String) throws(PurchaseFault) -> Instant? {
    guard let text, !text.isEmpty else { return nil }
    guard let value = Int64(text) ?? CurrencyAmount.scaled(text.utf8, digits: 0),
      (0...latest).contains(value)
    else { throw PurchaseFault("\(name) is no time in milliseconds since 1970") }
    return Instant(microseconds: value * 1_000)
  }

  /// `2026-01-31 08:00:00` in UTC, with a fraction or a zone where it has one; nil for no text.
  static func text(_ text: String?, _ name: String) throws(PurchaseFault) -> Instant? {
    guard let text, !text.isEmpty else { return nil }
    if let instant = second(text.utf8) { return instant }
    var form = Array(text.utf8)
    if form.count > 10, form[10] == UInt8(ascii: " ") { form[10] = UInt8(ascii: "T") }
    let clock = form.dropFirst(11)
    let hasZone = clock.contains {
      $0 == UInt8(ascii: "Z") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
    }
    let instant = Instant(iso8601: String(decoding: form, as: UTF8.self) + (hasZone ? "" : "Z"))
    guard let instant else {
      throw PurchaseFault("\(name) is no time such as 2026-01-31 08:00:00")
    }
    return instant
  }

  /// Exactly `2026-01-31 08:00:00`, the form of nearly all times of an export; nil for any other.
  private static func second(_ text: String.UTF8View) -> Instant? {
    guard text.count == 19 else { return nil }
    return text.withContiguousStorageIfAvailable { bytes -> Instant? in
      /// The digits of two places; nil for anything else.
      func number(_ place: Int) -> Int64? {
        let (tens, ones) = (bytes[place] &- 0x30, bytes[place + 1] &- 0x30)
        return tens < 10 && ones < 10 ? Int64(tens * 10 + ones) : nil
      }
      guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
        bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
        bytes[16] == UInt8(ascii: ":"), let century = number(0), let year = number(2),
        let month = number(5), let day = number(8), let hour = number(11), hour < 24,
        let minute = number(14), minute < 60, let second = number(17), second < 60,
        let date = GregorianDate(year: century * 100 + year, month: month, day: day)
      else { return nil }
      return Instant(
        unixSeconds: date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second)
    } ?? nil
  }

  /// The first instant in UTC of `2026-01-31` or `01/31/2026`.
  static func day(_ text: String, _ name: String) throws(PurchaseFault) -> Instant {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let day = parts.count == 3 ? "\(parts[2])-\(parts[0])-\(parts[1])" : text
    guard let instant = Instant(iso8601: "\(day)T00:00:00Z") else {
      throw PurchaseFault("\(name) is no day such as 2026-01-31")
    }
    return instant
  }
}
