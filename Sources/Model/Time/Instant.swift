package import FoundationEssentials

/// A point in time, counted in whole microseconds since 1970-01-01T00:00:00Z.
///
/// Firestore stores and GA4 exports microseconds; an `Int64` of them reaches the year 294,246.
package struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since the Unix epoch; negative before it.
  package let microseconds: Int64

  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Seconds beyond the representable years become the nearest instant.
  package init(unixSeconds: Int64) {
    self.init(microseconds: unixSeconds.multipliedOrClamped(by: 1_000_000))
  }

  /// Rounds to the nearest microsecond; nil for NaN, infinity and numbers beyond 64 bits.
  package init?(fractionalUnixSeconds seconds: Double) {
    guard let microseconds = Int64(exactly: (seconds * 1_000_000).rounded()) else { return nil }
    self.init(microseconds: microseconds)
  }

  package init(_ date: Date) {
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }

  /// Whole seconds since the epoch, rounded down.
  package var unixSeconds: Int64 {
    microseconds.floored(by: 1_000_000).quotient
  }

  /// Seconds since the epoch with their fraction; exact to the microsecond until the year 2255.
  package var fractionalUnixSeconds: Double {
    Double(microseconds) / 1_000_000
  }

  package var date: Date {
    Date(timeIntervalSince1970: fractionalUnixSeconds)
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds.addingOrClamped(duration.microseconds))
  }

  package static func - (instant: Instant, duration: Duration) -> Instant {
    instant + (.zero - duration)
  }

  package static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds) - .microseconds(right.microseconds)
  }
}

/// Stored times that a wrong clock wrote.
extension Instant {
  /// How far ahead of `now` a stored time may lie, inclusive;
  /// docs/running.md#times-in-the-future.
  package static let toleratedLead = Duration.seconds(300)

  /// The latest stored time that counts now, inclusive; a later one counts as missing.
  package var latestCounted: Instant { self + Self.toleratedLead }

  package func counts(at now: Instant) -> Bool { self <= now.latestCounted }
}

/// Unix seconds in decimal digits, read without conversion to `Double`.
extension Instant {
  /// The years 1 to 9999, with four digits in ISO 8601; docs/replay.md#replay.
  package static let fourDigitYears =
    Instant(microseconds: -62_135_596_800_000_000)...Instant(microseconds: 253_402_300_799_999_999)

  /// Reads a JSON number of seconds; nil outside of `fourDigitYears`.
  ///
  /// Rounds to the nearest microsecond, halves away from zero.
  package init?(unixSeconds number: UnsafeBufferPointer<UInt8>) {
    let instant =
      Self.microseconds(number).map(Instant.init(microseconds:))
      ?? Double(String(decoding: number, as: UTF8.self)).flatMap(Self.init(fractionalUnixSeconds:))
    guard let instant, Self.fourDigitYears.contains(instant) else { return nil }
    self = instant
  }

  /// Nil for a number with an exponent or with more than 12 digits before the point.
  private static func microseconds(_ number: UnsafeBufferPointer<UInt8>) -> Int64? {
    var value: Int64 = 0
    var position = number.first == UInt8(ascii: "-") ? 1 : 0
    let start = position
    while position < number.count, let digit = digit(number[position]) {
      guard position - start < 12 else { return nil }
      value = value * 10 + digit
      position += 1
    }
    var scale: Int64 = 1_000_000
    value *= scale
    if position < number.count, number[position] == UInt8(ascii: ".") {
      position += 1
      while position < number.count, let digit = digit(number[position]) {
        position += 1
        // Only the seventh digit decides the rounding.
        if scale == 1, digit >= 5 { value += 1 }
        scale /= 10
        value += digit * scale
      }
    }
    guard position == number.count else { return nil }
    return start == 1 ? -value : value
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    byte >= 0x30 && byte <= 0x39 ? Int64(byte & 0x0F) : nil
  }
}

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC, with microseconds unless the second is whole.
  package var description: String {
    let fraction = microseconds - Instant(unixSeconds: unixSeconds).microseconds
    guard fraction != 0 else { return iso8601 }
    let digits = String(1_000_000 + fraction).dropFirst()
    return iso8601.dropLast() + "." + digits + "Z"
  }
}

extension Instant: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let instant = Instant(iso8601: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not an ISO 8601 instant")
    }
    self = instant
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Sums and products that end at the bounds of 64 bits.
extension Int64 {
  func addingOrClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  func multipliedOrClamped(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    guard overflow else { return product }
    return (self < 0) == (factor < 0) ? .max : .min
  }
}

extension Duration {
  /// Whole microseconds, rounded towards zero and clamped to 64 bits.
  package var microseconds: Int64 {
    components.seconds.multipliedOrClamped(by: 1_000_000)
      .addingOrClamped(components.attoseconds / 1_000_000_000_000)
  }

  /// Seconds with their fraction, to the microsecond.
  package var fractionalSeconds: Double {
    Double(microseconds) / 1_000_000
  }

  /// Whole seconds, rounded up, so that a countdown shows 0:00 only at its end.
  package var wholeSecondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  /// `120 s`, or with milliseconds when there are any: `0.501 s`, `-1.500 s`.
  ///
  /// Cut to the millisecond.
  package var secondsText: String {
    let milliseconds = (microseconds / 1_000).magnitude
    let sign = microseconds <= -1_000 ? "-" : ""
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
    guard rest != 0 else { return "\(sign)\(seconds) s" }
    return "\(sign)\(seconds).\(String(1_000 + rest).dropFirst()) s"
  }

  /// Minutes and seconds as a countdown shows them: `2:00`, `0:09`, `61:01`.
  ///
  /// Rounded up to a whole second; `0:00` for zero and below.
  package var countdownText: String {
    let (minutes, seconds) = max(0, wholeSecondsRoundedUp).quotientAndRemainder(dividingBy: 60)
    return seconds < 10 ? "\(minutes):0\(seconds)" : "\(minutes):\(seconds)"
  }
}

/// A calendar day in a time zone.
///
/// A day can have 23 to 25 hours, begin at one o'clock, or be missing where a country crossed the
/// date line; the calendar library knows.
package struct LocalDay: Hashable, Sendable {
  /// `2026-01-31`, Gregorian.
  package let text: String
  package let start: Instant
  /// The first instant of the next day.
  package let end: Instant
  /// 1 for Monday to 7 for Sunday.
  package let weekday: Int

  /// The day of the instant; an unknown time zone counts as UTC: `TimeZone(knownOrUTC:)`.
  package init(of instant: Instant, in timeZone: String) {
    let calendar = Calendar(in: TimeZone(knownOrUTC: timeZone))
    // Days begin at whole seconds: the fraction decides nothing, and a `Date` would round it.
    let date = Instant(unixSeconds: instant.unixSeconds).date
    let day =
      calendar.dateInterval(of: .day, for: date) ?? DateInterval(start: date, duration: 86_400)
    let wall = WallTime(instant, in: calendar.timeZone)
    text = wall.day.iso8601
    weekday = wall.weekday
    // A day at the end of the representable years is shorter.
    start = Instant(fractionalUnixSeconds: day.start.timeIntervalSince1970) ?? instant
    end = Instant(fractionalUnixSeconds: day.end.timeIntervalSince1970) ?? instant
  }

  /// The days that a span touches, oldest first, at most `limit` of them.
  package static func days(
    touching span: Range<Instant>, in timeZone: String, limit: Int = .max
  ) -> [LocalDay] {
    var days: [LocalDay] = []
    var instant = span.lowerBound
    while instant < span.upperBound, days.count < limit {
      let day = LocalDay(of: instant, in: timeZone)
      // At the end of the representable years a day is empty.
      guard day.start < day.end else { break }
      days.append(day)
      instant = day.end
    }
    return days
  }

  /// What a clock on the wall shows at an instant of the day, since midnight.
  ///
  /// On a day on which the clocks change it is not the time since the day began.
  package func timeByTheClock(of instant: Instant, in timeZone: String) -> Duration {
    let zone = TimeZone(knownOrUTC: timeZone)
    let turned = zone.secondsFromGMT(for: instant.date) - zone.secondsFromGMT(for: start.date)
    return instant - start + .seconds(turned)
  }
}

extension Calendar {
  /// The Gregorian calendar of a zone.
  package init(in zone: TimeZone) {
    self.init(identifier: .gregorian)
    timeZone = zone
  }
}

extension TimeZone {
  /// The zone of an IANA name; UTC where this machine does not know it: docs/reports.md#days.
  ///
  /// Files and options with an unknown name are refused, so only a machine that has lost the zone
  /// comes here; the index of the reports and `firetally doctor` say so.
  package init(knownOrUTC name: String) { self = TimeZone(identifier: name) ?? .gmt }
}
