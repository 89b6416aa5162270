/// How fast writes may leave, by the rule 500/50/5; see `docs/firestore.md#ramp`.
///
/// Writes are spread evenly: a batch leaves when those before it have had their time.
package struct WriteRamp: Hashable, Sendable {
  /// Writes a second in the beginning.
  package static let startingRate = 500.0
  /// The factor by which each step raises the rate.
  package static let growth = 1.5
  package static let step = Duration.seconds(5 * 60)

  /// When the first write left; nil before it has.
  private var start: Duration?
  /// When the next write may leave.
  private var free = Duration.zero

  package init() {}

  /// The rate, in writes a second, so long after the first write.
  package static func rate(after elapsed: Duration) -> Double {
    let steps = min(Int(elapsed / step), longestClimb)
    return (0..<max(steps, 0)).reduce(startingRate) { rate, _ in rate * growth }
  }

  /// How long the next writes have to wait; they count as sent after that.
  ///
  /// - Parameters:
  ///   - count: how many leave together.
  ///   - now: of a monotonic clock.
  /// - Returns: zero for writes that may leave at once.
  package mutating func pause(before count: Int, at now: Duration) -> Duration {
    let leaves = max(now, free)
    let start = start ?? leaves
    self.start = start
    free = leaves + .seconds(1) * (Double(count) / Self.rate(after: leaves - start))
    return leaves - now
  }

  /// The last step that counts: its rate is beyond what any client sends.
  private static let longestClimb = 50
}
