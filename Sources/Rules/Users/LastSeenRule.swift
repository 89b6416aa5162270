package import Model

/// What is stored for a last-seen time that the device's clock made up; docs/rules.md#last-seen.
package enum LastSeenRule {
  /// The reason under which a corrected time is counted.
  package static let countedAs = "clock-ahead"
  /// How far ahead of `now` a time may lie, inclusive; docs/rules.md#last-seen.
  package static let toleranceSeconds: Int64 = 300
  /// How old a made-up time is stored as: 30 days; docs/rules.md#last-seen.
  package static let standInAgeSeconds: Int64 = 30 * 86_400

  /// The seconds to store; nil when the time is believable and stays as it is.
  package static func correction(of lastSeen: Instant, now: Instant) -> Int64? {
    guard lastSeen - now > .seconds(toleranceSeconds) else { return nil }
    return now.unixSeconds - standInAgeSeconds
  }
}
