import Foundation

/// The text form of durations in configuration files: `90s`, `10m`, `2h`, `1d`.
package enum DurationText {
  /// Parses a duration; nil unless it is a positive integer with one of the four units.
  package static func duration(_ text: String) -> Duration? {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let last = text.last, let unit = units[last], text.utf8.count <= 10,
      let count = Int64(text.dropLast()), count > 0, text.first != "+"
    else { return nil }
    return .seconds(count * unit)
  }

  /// Returns the duration in the largest unit that divides it, such as `10m`, `90s`; it is rounded
  /// up to a whole second.
  package static func text(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let seconds = attoseconds > 0 ? whole + 1 : whole
    for (unit, length) in [("d", Int64(86_400)), ("h", 3_600), ("m", 60)]
    where seconds >= length && seconds % length == 0 {
      return "\(seconds / length)\(unit)"
    }
    return "\(seconds)s"
  }
}

/// The names of time zones that the files and the command line accept.
package enum TimeZoneName {
  /// Whether the name is `UTC` or an IANA name of an area and a place; abbreviations are ambiguous.
  package static func isValid(_ name: String) -> Bool {
    name == "UTC" || (name.contains("/") && TimeZone(identifier: name) != nil)
  }
}
