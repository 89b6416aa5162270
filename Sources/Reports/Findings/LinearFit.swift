import Foundation

/// A line through the logarithms of counts, by least squares weighted with the counts.
struct LinearFit {
  /// The logarithm at 0, and what is added from one to the next.
  let start: Double
  let slope: Double
  /// The standard deviation of the slope.
  let deviation: Double
  /// Whether one step between two levels fits clearly better.
  let isStep: Bool

  /// What is left beside the best step must be below so much of what is left beside the line.
  private static let clearly = 0.8

  /// - Precondition: there are at least three points.
  init(_ points: [(place: Double, count: Double)]) {
    let weights = points.map { max($0.count, 0.5) }
    let logarithms = points.map { log(max($0.count, 0.5)) }
    let total = weights.reduce(0, +)
    func mean(_ values: [Double]) -> Double {
      zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / total
    }
    let places = points.map(\.place)
    let middle = (place: mean(places), height: mean(logarithms))
    var (spread, product) = (0.0, 0.0)
    for (index, weight) in weights.enumerated() {
      let distance = places[index] - middle.place
      spread += weight * distance * distance
      product += weight * distance * (logarithms[index] - middle.height)
    }
    slope = spread > 0 ? product / spread : 0
    start = middle.height - slope * middle.place
    var squares = 0.0
    for (index, weight) in weights.enumerated() {
      let rest = logarithms[index] - start - slope * places[index]
      squares += weight * rest * rest
    }
    let squaresOfStep = (1..<points.count).map { split in
      Self.squares(weights[..<split], logarithms[..<split])
        + Self.squares(weights[split...], logarithms[split...])
    }.min()
    isStep = (squaresOfStep ?? squares) < Self.clearly * squares
    // Chance alone gives a dispersion of 1; less than that is chance, too.
    let dispersion = max(1, squares / Double(max(points.count - 2, 1)))
    deviation = spread > 0 ? (dispersion / spread).squareRoot() : .infinity
  }

  /// The weighted squares around the weighted mean.
  private static func squares(_ weights: ArraySlice<Double>, _ values: ArraySlice<Double>) -> Double
  {
    let total = weights.reduce(0, +)
    let mean = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 } / total
    return zip(weights, values).reduce(0) { $0 + $1.0 * ($1.1 - mean) * ($1.1 - mean) }
  }
}

extension Double {
  var exponential: Double { exp(self) }
}
