import Foundation

/// A line through the logarithms of counts that bends once, by least squares weighted with the
/// counts: docs/findings.md#drift.
///
/// The trend before the bend is held near 0, as apps grow and shrink, by a ridge penalty: that of a
/// normal prior (A. E. Hoerl and R. W. Kennard, Ridge regression, 1970).
struct BentLine {
  /// The logarithm just before the bend.
  let start: Double
  /// What is added from one place to the next after the bend.
  let slope: Double
  /// What of `slope` the bend adds to the trend before it, and the standard deviation of that.
  let bend: Double
  let deviation: Double
  private let sample: Sample
  private let penalty: Double
  /// What is left beside the line.
  private let squares: Double

  /// The standard deviation of the trend of a place that is taken for usual.
  private static let usualTrend = 0.002
  /// What is left beside the best step must be below so much of what is left beside the line.
  private static let clearly = 0.8

  /// The line bends before place 0.
  ///
  /// - Precondition: there are at least four points, in the order of their places, on both sides of
  ///   the bend.
  init(_ points: [(place: Double, count: Double)]) {
    sample = Sample(points)
    let bent = points.map { max(0, $0.place + 1) }
    // Chance alone gives a dispersion of 1; less than that is chance, too.
    var dispersion = 1.0
    var fit = sample.fit(bent, penalty: 0)
    for _ in 0..<3 {
      fit = sample.fit(bent, penalty: dispersion / (Self.usualTrend * Self.usualTrend))
      dispersion = max(1, fit.squares / Double(points.count - 3))
    }
    penalty = dispersion / (Self.usualTrend * Self.usualTrend)
    squares = fit.squares
    start = fit.start - fit.trend
    slope = fit.effect + fit.trend
    bend = fit.effect
    deviation = (dispersion * fit.spread).squareRoot()
  }

  /// Whether a step between two levels fits clearly better.
  var isStep: Bool {
    let places = sample.places.indices
    let least = places.dropFirst().map { split in
      sample.fit(places.map { $0 < split ? 0 : 1 }, penalty: penalty).squares
    }.min()
    return (least ?? squares) < Self.clearly * squares
  }

  /// What a regression beside a trend gives.
  private struct Fit {
    /// The logarithm where the regressor and the place are 0.
    let start: Double
    let effect: Double
    let trend: Double
    /// The variance of the effect, in units of the dispersion.
    let spread: Double
    let squares: Double
  }

  /// Points by their logarithms and weights.
  private struct Sample {
    let places: [Double]
    let weights: [Double]
    let logarithms: [Double]

    init(_ points: [(place: Double, count: Double)]) {
      places = points.map(\.place)
      weights = points.map { max($0.count, 0.5) }
      logarithms = weights.map { log($0) }
    }

    /// The weighted mean.
    private func mean(_ values: [Double]) -> Double {
      zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
    }

    /// The weighted sum of products.
    private func product(_ left: [Double], _ right: [Double]) -> Double {
      weights.indices.reduce(0) { $0 + weights[$1] * left[$1] * right[$1] }
    }

    /// The logarithms by a regressor and the place; the second is held near 0.
    func fit(_ regressor: [Double], penalty: Double) -> Fit {
      let means = (regressor: mean(regressor), place: mean(places), height: mean(logarithms))
      let own = regressor.map { $0 - means.regressor }
      let trend = places.map { $0 - means.place }
      let heights = logarithms.map { $0 - means.height }
      let (ownSquares, both) = (product(own, own), product(own, trend))
      let trendSquares = product(trend, trend) + penalty
      let (ownHeights, trendHeights) = (product(own, heights), product(trend, heights))
      let determinant = ownSquares * trendSquares - both * both
      let effect = (ownHeights * trendSquares - trendHeights * both) / determinant
      let slope = (ownSquares * trendHeights - both * ownHeights) / determinant
      let rests = heights.indices.map { heights[$0] - effect * own[$0] - slope * trend[$0] }
      return Fit(
        start: means.height - effect * means.regressor - slope * means.place, effect: effect,
        trend: slope, spread: trendSquares / determinant, squares: product(rests, rests))
    }
  }
}
