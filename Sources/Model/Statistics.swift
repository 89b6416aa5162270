/// A range that holds the true value in 95 of 100 samples: docs/people.md#intervals.
package struct ConfidenceInterval: Hashable, Sendable {
  package var lower: Double
  package var upper: Double

  package init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }
}

/// Intervals of shares, differences and counts, and quantiles: docs/people.md#intervals.
package enum Statistics {
  /// The 97.5% quantile of the normal distribution, for 95% intervals.
  package static let z = 1.959_963_984_540_054

  /// Wilson's score interval of a share; nil when the whole is 0.
  ///
  /// E. B. Wilson, Probable inference, JASA 22 (1927) 209-212; without correction for continuity.
  /// - Precondition: `part` is 0 to `whole`.
  package static func wilson(_ part: Int, of whole: Int) -> ConfidenceInterval? {
    guard whole > 0 else { return nil }
    let count = Double(whole)
    let share = Double(part) / count
    let centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    let reach =
      z / (1 + z * z / count)
      * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    // At the ends the bound is the share itself, which rounding may miss.
    return ConfidenceInterval(
      lower: part == 0 ? 0 : centre - reach, upper: part == whole ? 1 : centre + reach)
  }

  /// Newcombe's interval of the difference of two independent shares; nil when either whole is 0.
  ///
  /// Positive when the later share is larger. R. G. Newcombe, Interval estimation for the
  /// difference between independent proportions, Statistics in Medicine 17 (1998) 873-890, method
  /// 10.
  package static func difference(
    from earlier: (part: Int, whole: Int), to later: (part: Int, whole: Int)
  ) -> ConfidenceInterval? {
    guard let first = wilson(earlier.part, of: earlier.whole),
      let second = wilson(later.part, of: later.whole)
    else { return nil }
    return difference(
      from: (Double(earlier.part) / Double(earlier.whole), first),
      to: (Double(later.part) / Double(later.whole), second))
  }

  /// The interval of the difference of two independent estimates, by the interval of each.
  ///
  /// Positive when the later one is larger. G. Y. Zou and A. Donner, Construction of confidence
  /// limits about effect measures (MOVER), Statistics in Medicine 27 (2008) 1693-1702.
  package static func difference(
    from earlier: (value: Double, interval: ConfidenceInterval),
    to later: (value: Double, interval: ConfidenceInterval)
  ) -> ConfidenceInterval {
    func length(_ one: Double, _ other: Double) -> Double {
      (one * one + other * other).squareRoot()
    }
    let (before, after) = (earlier.value, later.value)
    return ConfidenceInterval(
      lower: after - before
        - length(after - later.interval.lower, earlier.interval.upper - before),
      upper: after - before
        + length(later.interval.upper - after, before - earlier.interval.lower))
  }

  /// The score interval of the mean of a Poisson count, the counterpart of Wilson's.
  ///
  /// The solutions of `(count - mean)^2 = z^2 mean`. L. Barker, A comparison of nine confidence
  /// intervals for a Poisson parameter, The American Statistician 56 (2002) 85-89.
  package static func poisson(_ count: Int) -> ConfidenceInterval {
    let centre = Double(count) + z * z / 2
    let reach = z * (Double(count) + z * z / 4).squareRoot()
    return ConfidenceInterval(lower: count == 0 ? 0 : centre - reach, upper: centre + reach)
  }

  /// The 80% quantile of the normal distribution: how likely a true difference is found.
  package static let power = 0.841_621_233_572_914

  /// The people that each side needs to distinguish a share that moves by `difference` from chance,
  /// in 80 of 100 samples at 95%.
  ///
  /// The usual formula of two independent shares: J. L. Fleiss, Statistical Methods for Rates and
  /// Proportions (1981), chapter 3, without correction for continuity.
  /// - Precondition: `share` is 0 to 1, `difference` is not 0; their sum is held within 0 and 1.
  package static func peopleNeeded(share: Double, difference: Double) -> Int {
    let other = min(1, max(0, share + difference))
    let spread = share * (1 - share) + other * (1 - other)
    let people = (z + power) * (z + power) * spread / (difference * difference)
    return max(1, Int(min(people, 1e15).rounded(.up)))
  }
}

/// What two shares prove about each other: docs/people.md#experiments.
package enum ShareVerdict: String, Sendable {
  case higher, lower
  case notProven = "not proven"

  /// What became of a share: `higher`, `lower`, `no change is proven`.
  package var changeWords: String { self == .notProven ? "no change is proven" : rawValue }

  /// By the interval of the difference; nil when either whole is 0.
  package init?(from earlier: (part: Int, whole: Int), to later: (part: Int, whole: Int)) {
    guard let difference = Statistics.difference(from: earlier, to: later) else { return nil }
    self = difference.lower > 0 ? .higher : difference.upper < 0 ? .lower : .notProven
  }
}
