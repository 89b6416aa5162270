/// How fast writes may leave, by the rule 500/50/5; see `docs/firestore.md#ramp`.
///
/// Writes are spread evenly: a batch leaves when those before it have had their time.
package struct WriteRamp: Hashable, Sendable {
  /// Writes a second in the beginning.
  package static let startingRate = 500.0
  /// Each step lets half as many more leave.
  package static let growth = 1.5
  package static let step = Duration.seconds(5 * 60)

  /// When the first write left; nil before it has.
  private var start: Duration?
  /// When the writes so far have had their time.
  private var free = Duration.zero

  package init() {}

  /// Writes a second that may leave so long after the first one.
  package static func rate(after elapsed: Duration) -> Double {
    let steps = min(Int(elapsed / step), longestClimb)
    return (0..<max(steps, 0)).reduce(startingRate) { rate, _ in rate * growth }
  }

  /// How long these writes have to wait; they count as sent after that.
  ///
  /// - Parameters:
  ///   - count: how many leave together.
  ///   - now: from a clock that never goes back.
  /// - Returns: zero for writes that may leave at once.
  package mutating func pause(before count: Int, at now: Duration) -> Duration {
    let leaves = max(now, free)
    let start = start ?? leaves
    self.start = start
    free = leaves + .seconds(1) * (Double(count) / Self.rate(after: leaves - start))
    return leaves - now
  }

  /// After so many steps the rate is beyond what any client sends.
  private static let longestClimb = 50
}
