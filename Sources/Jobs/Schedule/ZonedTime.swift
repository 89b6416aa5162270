package import Foundation
package import Model

extension TimeZone {
  /// Returns the zone with a name that was validated when the configuration was read.
  package init(checked name: String) {
    guard let zone = TimeZone(identifier: name) else {
      preconditionFailure("the time zone was checked when the configuration was read")
    }
    self = zone
  }
}

/// An instant in local time, with the offset that distinguishes a repeated time.
package struct ZonedTime: Hashable, Sendable {
  /// `2026-03-29`.
  package let day: String
  /// `03:00:00`, truncated to the second.
  package let time: String
  /// `+02:00`; `+00:00` for UTC.
  package let offset: String

  package init(_ instant: Instant, in zone: TimeZone) {
    let wall = WallClock(timeZone: zone).wallSeconds(at: instant.unixSeconds)
    // Local time, as if it were UTC.
    let parts = Instant(unixSeconds: wall).iso8601.split(separator: "T")
    day = String(parts.first ?? "")
    time = String(parts.last?.dropLast() ?? "")
    offset = Self.text(offset: wall - instant.unixSeconds)
  }

  /// Returns the offset in whole minutes, as all present-day offsets are.
  private static func text(offset seconds: Int64) -> String {
    let minutes = abs(seconds) / 60
    return (seconds < 0 ? "-" : "+") + String(format: "%02lld:%02lld", minutes / 60, minutes % 60)
  }

  /// `2026-03-29T03:00:00+02:00`.
  package var iso8601: String { "\(day)T\(time)\(offset)" }
}

extension ZonedTime: CustomStringConvertible {
  /// `2026-03-29 03:00:00 +02:00`.
  package var description: String { "\(day) \(time) \(offset)" }
}

/// A converter between Unix seconds and local time, which is counted as if it were UTC.
struct WallClock {
  let timeZone: TimeZone

  func wallSeconds(at unixSeconds: Int64) -> Int64 {
    unixSeconds + offset(at: unixSeconds)
  }

  /// Returns every Unix second at which the clock shows a local time, in ascending order.
  ///
  /// There are two when the time is repeated, none when it is skipped.
  func unixSeconds(showing wall: Int64) -> [Int64] {
    let (before, after) = offsets(around: wall)
    guard before != after else { return [wall - before] }
    let candidates = Set([wall - before, wall - after]).sorted()
    return candidates.filter { $0 + offset(at: $0) == wall }
  }

  /// Returns the first Unix second after the gap that contains a skipped time.
  ///
  /// - Precondition: `unixSeconds(showing: wall)` is empty.
  func endOfGap(skipping wall: Int64) -> Int64 {
    let (before, after) = offsets(around: wall)
    var beforeGap = wall - max(before, after)
    var afterGap = wall - min(before, after)
    while afterGap - beforeGap > 1 {
      let middle = beforeGap + (afterGap - beforeGap) / 2
      if offset(at: middle) == before { beforeGap = middle } else { afterGap = middle }
    }
    return afterGap
  }

  /// Returns the offsets a day before and after; a zone changes at most once in between.
  private func offsets(around wall: Int64) -> (before: Int64, after: Int64) {
    (offset(at: wall - 86_400), offset(at: wall + 86_400))
  }

  private func offset(at unixSeconds: Int64) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(unixSeconds))
    return Int64(timeZone.secondsFromGMT(for: date))
  }
}
