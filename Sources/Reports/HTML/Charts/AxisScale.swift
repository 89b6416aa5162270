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

  /// A tick in at most six characters: 250; 7,500; 12.5k; 0.25M; 2bn.
  func words(_ tick: Int) -> String {
    let units = [(1_000_000_000, "bn", 1), (1_000_000, "M", 1), (1_000, "k", 10)]
    for (unit, sign, least) in units where tick > 0 && top >= Double(least * unit) {
      let (whole, rest) = tick.quotientAndRemainder(dividingBy: unit)
      let hundredths = rest / (unit / 100)
      let fraction = SVGNumber.text(Double(hundredths) / 100).dropFirst()
      return "\(NumberWords.grouped(whole))\(fraction)\(sign)"
    }
    return NumberWords.grouped(tick)
  }

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
