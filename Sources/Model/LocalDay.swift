import FoundationEssentials

/// A calendar day of a time zone, from its first instant to the first of the next.
///
/// Days have 23, 24 or 25 hours, may begin at one o'clock, and may be missing where a country
/// changed sides of the date line; the calendar library knows.
package struct LocalDay: Hashable, Sendable {
  /// `2026-01-31`, in the Gregorian calendar.
  package let text: String
  package let start: Instant
  /// Not a part of the day: the first instant of the next one.
  package let end: Instant

  /// The day that the instant falls on; a zone that this machine does not know counts as UTC.
  package init(of instant: Instant, in timeZone: String) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    // Days begin at whole seconds: the fraction decides nothing, and a `Date` would round it.
    let date = Instant(unixSeconds: instant.unixSeconds).date
    let day =
      calendar.dateInterval(of: .day, for: date) ?? DateInterval(start: date, duration: 86_400)
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    text = [parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    // Beyond the years that an instant can hold, a day is what is left of it.
    start = Instant(fractionalUnixSeconds: day.start.timeIntervalSince1970) ?? instant
    end = Instant(fractionalUnixSeconds: day.end.timeIntervalSince1970) ?? instant
  }
}
