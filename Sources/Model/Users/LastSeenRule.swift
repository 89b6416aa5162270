/// Corrects last-seen times of devices whose clocks are ahead; docs/loads.md#last-seen.
package enum LastSeenRule {
  /// The name of a correction in the counts of a run.
  package static let countedAs = "clock-ahead"
  /// How far ahead of `now` a time may lie, inclusive; docs/loads.md#last-seen.
  package static let toleranceSeconds: Int64 = 300
  /// The age that a corrected time is stored with: 30 days; docs/loads.md#last-seen.
  package static let standInAgeSeconds: Int64 = 30 * 86_400

  /// The unix seconds to store instead; nil when the time is credible.
  package static func correction(of lastSeen: Instant, now: Instant) -> Int64? {
    guard lastSeen - now > .seconds(toleranceSeconds) else { return nil }
    return now.unixSeconds - standInAgeSeconds
  }
}
