package import Foundation
package import Model

/// An instant as a clock on the wall shows it, with the offset that tells it from its double.
package struct ZonedTime: Hashable, Sendable {
  /// `2026-03-29`.
  package let day: String
  /// `03:00:00`, cut to the second.
  package let time: String
  /// `+02:00`; `+00:00` for UTC.
  package let offset: String

  package init(_ instant: Instant, in zone: TimeZone) {
    let wall = WallClock(timeZone: zone).wallSeconds(at: instant.unixSeconds)
    // A clock on the wall, counted as if it were UTC.
    let parts = Instant(unixSeconds: wall).iso8601.split(separator: "T")
    day = String(parts.first ?? "")
    time = String(parts.last?.dropLast() ?? "")
    offset = Self.text(offset: wall - instant.unixSeconds)
  }

  /// Whole minutes, as all offsets of our time are.
  private static func text(offset seconds: Int64) -> String {
    let minutes = abs(seconds) / 60
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return (seconds < 0 ? "-" : "+") + digits.joined(separator: ":")
  }

  /// `2026-03-29T03:00:00+02:00`.
  package var iso8601: String { "\(day)T\(time)\(offset)" }
}

extension ZonedTime: CustomStringConvertible {
  /// `2026-03-29 03:00:00 +02:00`.
  package var description: String { "\(day) \(time) \(offset)" }
}
