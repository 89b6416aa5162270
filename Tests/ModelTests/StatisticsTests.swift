import Model
import Testing

@Suite("Intervals")
struct StatisticsTests {
  private func isNear(_ found: Double, _ expected: Double, _ tolerance: Double = 0.000_06) -> Bool {
    abs(found - expected) < tolerance
  }

  @Test
  func `Wilson's interval has Newcombe's published values, and the shares at both ends`() throws {
    // R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
    for (part, whole, lower, upper) in [
      (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
      (1, 29, 0.0061, 0.1718), (20, 20, 0.8389, 1), (0, 1, 0, 0.7935), (1, 1, 0.2065, 1),
    ] {
      let found = try #require(Statistics.wilson(part, of: whole))
      #expect(isNear(found.lower, lower), "\(part) of \(whole): \(found)")
      #expect(isNear(found.upper, upper), "\(part) of \(whole): \(found)")
    }
    #expect(Statistics.wilson(0, of: 20)?.lower == 0 && Statistics.wilson(20, of: 20)?.upper == 1)
    #expect(Statistics.wilson(0, of: 0) == nil)
  }

  @Test
  func `the interval of a difference has Newcombe's published values, in both directions`() throws {
    // R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10.
    for (later, earlier, lower, upper) in [
      ((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090),
      ((6, 7), (2, 7), 0.0582, 0.8062), ((5, 56), (0, 29), -0.0381, 0.1926),
      ((0, 10), (0, 20), -0.1611, 0.2775), ((10, 10), (0, 20), 0.6791, 1),
    ] {
      let found = try #require(Statistics.difference(from: earlier, to: later))
      #expect(isNear(found.lower, lower), "\(later) - \(earlier): \(found)")
      #expect(isNear(found.upper, upper), "\(later) - \(earlier): \(found)")
      let back = try #require(Statistics.difference(from: later, to: earlier))
      #expect(isNear(back.lower, -found.upper) && isNear(back.upper, -found.lower))
    }
    #expect(Statistics.difference(from: (0, 0), to: (1, 2)) == nil)
    #expect(Statistics.difference(from: (1, 2), to: (0, 0)) == nil)
  }

  @Test func `a verdict needs an interval on one side of zero`() {
    #expect(ShareVerdict(from: (48, 80), to: (56, 70)) == .higher)
    #expect(ShareVerdict(from: (56, 70), to: (48, 80)) == .lower)
    #expect(ShareVerdict(from: (0, 29), to: (5, 56)) == .notProven)
    #expect(ShareVerdict(from: (5, 10), to: (5, 10)) == .notProven)
    #expect(ShareVerdict(from: (0, 0), to: (5, 10)) == nil)
  }

  @Test
  func `Poisson's interval is Wilson's of a rare event, and begins at 0 for no event`() throws {
    let whole = 100_000_000
    for count in [0, 1, 5, 10, 100, 1_000] {
      let found = Statistics.poisson(count)
      let wilson = try #require(Statistics.wilson(count, of: whole))
      #expect(isNear(found.lower, wilson.lower * Double(whole), 0.01), "\(count)")
      #expect(isNear(found.upper, wilson.upper * Double(whole), 0.01), "\(count)")
    }
    #expect(Statistics.poisson(0).lower == 0)
    #expect(isNear(Statistics.poisson(0).upper, 3.8415))
    #expect(isNear(Statistics.poisson(10).lower, 5.4323, 0.001))
    #expect(isNear(Statistics.poisson(10).upper, 18.4092, 0.001))
  }
}
