import FoundationEssentials

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

  /// The day of the instant; an unknown time zone counts as UTC.
  package init(of instant: Instant, in timeZone: String) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    // Days begin at whole seconds: the fraction decides nothing, and a `Date` would round it.
    let date = Instant(unixSeconds: instant.unixSeconds).date
    let day =
      calendar.dateInterval(of: .day, for: date) ?? DateInterval(start: date, duration: 86_400)
    let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
    text = [parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    // The calendar counts from Sunday; 1 January 1970 was a Thursday.
    weekday = ((parts.weekday ?? 5) + 5) % 7 + 1
    // A day at the end of the representable years is shorter.
    start = Instant(fractionalUnixSeconds: day.start.timeIntervalSince1970) ?? instant
    end = Instant(fractionalUnixSeconds: day.end.timeIntervalSince1970) ?? instant
  }

  /// What a clock on the wall shows at an instant of the day, since midnight.
  ///
  /// On a day on which the clocks change it is not the time since the day began.
  package func timeByTheClock(of instant: Instant, in timeZone: String) -> Duration {
    let zone = TimeZone(identifier: timeZone) ?? .gmt
    let turned = zone.secondsFromGMT(for: instant.date) - zone.secondsFromGMT(for: start.date)
    return instant - start + .seconds(turned)
  }
}
