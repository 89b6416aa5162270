import Foundation

/// Whether one group of ratings tends to have more stars than another.
///
/// The test of Mann and Whitney by ranks, with the correction for ties and for continuity. Stars
/// are an order and not a measure, and most are at the ends: docs/decisions/032-findings.md.
struct MannWhitney {
  /// How often chance alone would part the groups as far, in either direction; 1 when one of them
  /// is empty or all stars are equal.
  let probability: Double

  /// Counts by stars: index 0 is one star.
  init(_ left: StarDistribution, _ right: StarDistribution) {
    let sizes = (left: Double(left.count), right: Double(right.count))
    let total = sizes.left + sizes.right
    guard sizes.left > 0, sizes.right > 0 else {
      probability = 1
      return
    }
    var ranked = 0.0
    var rankSum = 0.0
    var ties = 0.0
    for (one, other) in zip(left.counts, right.counts) {
      let tied = Double(one + other)
      rankSum += Double(one) * (ranked + (tied + 1) / 2)
      ties += tied * tied * tied - tied
      ranked += tied
    }
    let statistic = rankSum - sizes.left * (sizes.left + 1) / 2
    let mean = sizes.left * sizes.right / 2
    let variance =
      sizes.left * sizes.right / 12 * (total + 1 - ties / (total * max(total - 1, 1)))
    guard variance > 0 else {
      probability = 1
      return
    }
    let distance = max(0, abs(statistic - mean) - 0.5) / variance.squareRoot()
    probability = min(1, erfc(distance / 2.0.squareRoot()))
  }
}
