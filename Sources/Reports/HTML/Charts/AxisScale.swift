/// The ticks of an axis that begins at zero: round numbers, few of them.
struct AxisScale: Hashable, Sendable {
  /// From 0 to the top, evenly spaced; the top is at or above the largest value.
  let ticks: [Int]

  init(most: Double) {
    let step = AxisScale.step(for: most)
    let count = max(1, Int((most / Double(step)).rounded(.up)))
    ticks = (0...count).map { $0 * step }
  }

  var top: Double { Double(ticks.last ?? 1) }

  /// The smallest of 1, 2, 5, 10, 20, 25, 50 and so on that needs at most five steps.
  private static func step(for most: Double) -> Int {
    var power = 1
    while power < 1_000_000_000_000_000 {
      for step in [power, 2 * power, power / 2 * 5, 5 * power]
      where step > 0 && Double(5 * step) >= most {
        return step
      }
      power *= 10
    }
    return power
  }
}
