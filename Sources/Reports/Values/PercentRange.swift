import Model

/// The range of a share in percent, as every format has it: docs/people.md#intervals.
struct PercentRange: Hashable {
  /// Rounded to one decimal.
  let lower: Double
  let upper: Double

  init(_ interval: ConfidenceInterval) {
    lower = PercentRange.rounded(interval.lower)
    upper = PercentRange.rounded(interval.upper)
  }

  /// `36–41`, `0.6–17.2`: one decimal when a bound is below 10 or above 99 and not the end.
  var words: String {
    let places = isFine(lower) || isFine(upper) ? 1 : 0
    func text(_ bound: Double) -> String {
      let isEnd = bound == 0 || bound == 100
      return NumberWords.decimal(bound, places: isEnd ? 0 : places)
    }
    return text(lower) + "–" + text(upper)
  }

  /// Whether a whole percent would say too little of the bound.
  private func isFine(_ bound: Double) -> Bool {
    (bound > 0 && bound < 9.95) || (bound > 99 && bound < 100)
  }

  /// In percent, to the tenth; adding 0 turns -0 into 0.
  static func rounded(_ share: Double) -> Double { (share * 1_000).rounded() / 10 + 0 }
}

extension Ratio {
  /// Wilson's interval; nil of 0.
  var interval: PercentRange? {
    Statistics.wilson(part, of: whole).map(PercentRange.init)
  }
}

/// The difference of two shares in percentage points, with Newcombe's interval.
struct PointChange: Hashable {
  /// Rounded to one decimal.
  let points: Double
  let lower: Double
  let upper: Double

  /// Nil when either share is of nothing.
  init?(from earlier: Ratio, to later: Ratio) {
    guard
      let interval = Statistics.difference(
        from: (earlier.part, earlier.whole), to: (later.part, later.whole))
    else { return nil }
    points = PercentRange.rounded(later.share - earlier.share)
    lower = PercentRange.rounded(interval.lower)
    upper = PercentRange.rounded(interval.upper)
  }

  /// `+3.2 points, −1.0 to +7.4`.
  var words: String {
    "\(Self.signed(points)) points, \(Self.signed(lower)) to \(Self.signed(upper))"
  }

  /// The parts under the same names in JSON and CSV.
  static func parts(from earlier: Ratio, to later: Ratio) -> [CellField] {
    let change = PointChange(from: earlier, to: later)
    return [
      CellField("points", change.map { .decimal($0.points) } ?? .null),
      CellField("low_points", change.map { .decimal($0.lower) } ?? .null),
      CellField("high_points", change.map { .decimal($0.upper) } ?? .null),
    ]
  }

  private static func signed(_ number: Double) -> String {
    (number > 0 ? "+" : "") + NumberWords.decimal(number, places: 1)
  }
}
