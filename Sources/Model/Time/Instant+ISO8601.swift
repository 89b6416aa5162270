package import FoundationEssentials

/// Text of instants: RFC 3339 in the Gregorian calendar of all times, as Firestore, SQLite and Go
/// count; docs/commands.md#times.
extension Instant {
  /// Reads `2026-01-31T08:00:00Z`, also with fractional seconds or an offset such as `+02:00`.
  ///
  /// Days are those of the years 0000 to 9999 that exist; hours end at 23, minutes and seconds at
  /// 59, offsets at 23:59. Cuts digits beyond the microsecond; at most nine. Nil for any other
  /// text.
  package init?(iso8601 text: String) {
    var reader = InstantReader(rest: Array(text.utf8)[...])
    guard let instant = reader.instant() else { return nil }
    self = instant
  }

  /// `2026-01-31T08:00:00Z`: UTC, cut to the whole second.
  ///
  /// Years have at least four digits; those before 0000 begin with a minus sign.
  package var iso8601: String {
    let (day, second) = unixSeconds.floored(by: 86_400)
    let date = GregorianDate(daysSince1970: day)
    let time = [second / 3_600, second / 60 % 60, second % 60].map(Self.twoDigits)
    return "\(date.iso8601)T\(time.joined(separator: ":"))Z"
  }

  fileprivate static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// What a clock on the wall shows at an instant, in the Gregorian calendar of all times.
///
/// Foundation's calendars have days of the Julian one before 15 October 1582.
package struct WallTime: Hashable, Sendable {
  package let day: GregorianDate
  /// Of the day, 0 to 86,399.
  package let second: Int64
  /// 1 for Monday to 7 for Sunday.
  package let weekday: Int

  package init(_ instant: Instant, in zone: TimeZone) {
    let offset = zone.secondsFromGMT(for: Instant(unixSeconds: instant.unixSeconds).date)
    let (days, second) = (instant.unixSeconds + Int64(offset)).floored(by: 86_400)
    day = GregorianDate(daysSince1970: days)
    self.second = second
    // 1 January 1970 was a Thursday.
    weekday = Int((days + 3).floored(by: 7).remainder) + 1
  }
}

/// A day of the Gregorian calendar, which is taken to hold before 1582, too.
package struct GregorianDate: Hashable, Sendable {
  package let year: Int64
  /// 1 to 12.
  package let month: Int64
  /// 1 to 31.
  package let day: Int64

  /// Nil for a day that the month does not have.
  package init?(year: Int64, month: Int64, day: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day that begins this number of days after 1970-01-01.
  package init(daysSince1970 days: Int64) {
    // Years begin in March, so that the leap day is the last one.
    let (era, dayOfEra) = (days + Self.epoch).floored(by: Self.daysOfEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floored(by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysOfEra + dayOfEra - Self.epoch
  }

  /// `2026-01-31`.
  package var iso8601: String {
    let digits = "\(year.magnitude)"
    let padding = String(repeating: "0", count: max(0, 4 - digits.utf8.count))
    return "\(year < 0 ? "-" : "")\(padding)\(digits)-\(Instant.twoDigits(month))"
      + "-\(Instant.twoDigits(day))"
  }

  /// Days from 0000-03-01 to 1970-01-01.
  private static let epoch: Int64 = 719_468
  /// Days of 400 years.
  private static let daysOfEra: Int64 = 146_097
}

/// Takes the parts of an instant's text from its beginning.
private struct InstantReader {
  var rest: ArraySlice<UInt8>

  mutating func instant() -> Instant? {
    guard let days = days(), take("T"), let seconds = secondsOfDay(),
      let fraction = microseconds(), let offset = offsetSeconds(), rest.isEmpty
    else { return nil }
    return Instant(microseconds: (days * 86_400 + seconds - offset) * 1_000_000 + fraction)
  }

  private mutating func days() -> Int64? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2)
    else { return nil }
    return GregorianDate(year: year, month: month, day: day)?.daysSince1970
  }

  private mutating func secondsOfDay() -> Int64? {
    guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60,
      take(":"), let second = number(2), second < 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// Of a fraction of a second, which may be missing.
  private mutating func microseconds() -> Int64? {
    guard take(".") else { return 0 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    // Nine digits are nanoseconds.
    let padded = Array(digits) + Array(repeating: 0x30, count: 9 - digits.count)
    return padded.reduce(0) { $0 * 10 + Int64($1 & 0x0F) } / 1_000
  }

  private mutating func offsetSeconds() -> Int64? {
    if take("Z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-"), let hour = number(2), hour < 24, take(":"),
      let minute = number(2), minute < 60
    else { return nil }
    return (isAhead ? 1 : -1) * (hour * 3_600 + minute * 60)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: scalar) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
  }
}

extension Int64 {
  /// Quotient and remainder; the remainder is never negative; `divisor` is above zero.
  package func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
