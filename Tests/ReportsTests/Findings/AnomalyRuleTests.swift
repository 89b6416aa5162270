import Testing

@testable import Reports

@Suite struct AnomalyRuleTests {
  private func rule(
    _ references: [Double], deviation: Double = 1, difference: Double = 0, collapses: Bool = false
  ) -> AnomalyRule {
    AnomalyRule(
      references: references, leastDeviation: { _ in deviation },
      leastDifference: { _ in difference }, canCollapse: collapses)
  }

  @Test func `the bound is still expected, beyond it is an anomaly: four and a half deviations`() {
    // Median 100, median deviation 2 of 98, 98, 98, 102, 102, 102: 2 · 1.4826 · 4.5 = 13.3434.
    let six = rule([98, 98, 98, 102, 102, 102])
    #expect(six.expected == (100 - 13.3434)...(100 + 13.3434))
    for (value, direction) in [
      (86.0, Detection.Direction.fell), (86.65, .fell), (86.66, nil), (100, nil),
      (113.34, nil), (113.35, .rose), (114, .rose),
    ] as [(Double, Detection.Direction?)] {
      #expect(six.direction(of: value) == direction, "\(value)")
    }
  }

  @Test
  func `the deviation of chance holds when the same weekdays are equal, also when all are 0`() {
    for (level, deviation, values) in [
      (50.0, 2.0, [(40.0, Detection.Direction.fell), (41, nil), (59, nil), (60, .rose)]),
      (0, 1, [(0, nil), (4, nil), (4.5, nil), (5, .rose)]),
    ] as [(Double, Double, [(Double, Detection.Direction?)])] {
      let flat = rule(Array(repeating: level, count: 6), deviation: deviation)
      for (value, direction) in values {
        #expect(flat.direction(of: value) == direction, "\(level): \(value)")
      }
    }
  }

  @Test func `usual are the tenths at both ends of a normal distribution, not the bound`() throws {
    // The 10th and the 90th percentile lie 1.2816 deviations from the median.
    let wide = rule(Array(repeating: 200, count: 6), deviation: 10)
    #expect(wide.usual == (200 - 12.816)...(200 + 12.816))
    // The six say how far, where they vary by more than chance: 2 · 1.4826 · 1.2816.
    let six = rule([98, 98, 98, 102, 102, 102])
    #expect(abs(six.usual.upperBound - 103.8002) < 1e-4)
    #expect(abs(six.usual.lowerBound - 96.1998) < 1e-4)
    #expect(try #require(six.expected).upperBound > 113, "an alarm is farther out")
    #expect(rule([0, 0, 0, 1], deviation: 1).usual.lowerBound == 0, "no count is below 0")
  }

  @Test func `a difference that matters to nobody is none`() {
    let flat = rule(Array(repeating: 100, count: 6), difference: 20)
    #expect(flat.direction(of: 80) == nil && flat.direction(of: 79) == .fell)
    #expect(flat.direction(of: 120) == nil && flat.direction(of: 121) == .rose)
  }

  @Test(arguments: 0...6)
  func `three same weekdays are too few, four suffice`(count: Int) {
    let flat = rule(Array(repeating: 100, count: count))
    #expect((flat.direction(of: 0) != nil) == (count >= 4))
    #expect((flat.expected == nil) == (count < 4))
  }

  @Test func `less than a third of the lowest is a collapse at three deviations, not at fewer`() {
    // Median 100, lowest 90; 4.5 deviations of 20 would reach down to 10.
    let references: [Double] = [90, 95, 100, 100, 105, 110]
    let restless = rule(references, deviation: 20, collapses: true)
    #expect(restless.direction(of: 30) == nil && restless.direction(of: 29.9) == .fell)
    #expect(rule(references, deviation: 20).direction(of: 29.9) == nil)
    // Three deviations of 25 reach down to 25, below the third.
    let wild = rule(references, deviation: 25, collapses: true)
    #expect(wild.direction(of: 25) == nil && wild.direction(of: 24.9) == .fell)
    // A small app cannot collapse below what chance gives.
    #expect(rule([1, 1, 1, 1, 1, 1], deviation: 1, collapses: true).direction(of: 0) == nil)
  }

  @Test func `the median of an even number of values is the mean of the two in the middle`() {
    #expect([].median == 0 && [3].median == 3 && [4, 1].median == 2.5)
    #expect([9, 1, 5].median == 5 && [1, 2, 10, 100].median == 6)
  }
}

@Suite struct MannWhitneyTests {
  @Test func `the probability is that of SciPy's mannwhitneyu with ties and continuity`() {
    let new = StarCounts([10, 5, 5, 8, 12])
    let old = StarCounts([3, 4, 9, 20, 60])
    // mannwhitneyu(new, old, method="asymptotic").pvalue
    #expect(abs(MannWhitney(new, old).probability - 1.8543594571344194e-05) < 1e-12)
    #expect(MannWhitney(new, old).probability == MannWhitney(old, new).probability)
  }

  @Test func `equal groups, empty groups and equal stars differ by chance`() {
    let some = StarCounts([1, 2, 3, 4, 5])
    let none = StarCounts([0, 0, 0, 0, 0])
    let best = StarCounts([0, 0, 0, 0, 9])
    for (left, right) in [(some, some), (some, none), (none, none), (best, best)] {
      #expect(MannWhitney(left, right).probability == 1)
    }
  }
}
