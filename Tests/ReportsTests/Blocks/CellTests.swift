import Testing

@testable import Reports

@Suite struct RatioTests {
  @Test(arguments: [
    (0, 8, 0.0), (8, 8, 100), (1, 8, 13), (1, 3, 33), (2, 3, 67), (1, 10, 10), (99, 1_000, 9.9),
    (100, 1_000, 10), (1, 1_000, 0.1), (1, 1_000_000, 0.1), (999_999, 1_000_000, 99.9),
    (99, 100, 99), (995, 1_000, 99.5), (9_904, 10_000, 99), (12, 8, 150),
  ])
  func `a percentage is whole, with a decimal near its ends, and 0 or 100 only when it is`(
    part: Int, whole: Int, expected: Double
  ) {
    #expect(Ratio(part, of: whole).percent == expected)
  }

  @Test func `a whole of 0 has no percentage, and nothing to draw`() {
    #expect(Ratio(0, of: 0).percent == nil)
    #expect(Ratio(3, of: 0).percent == nil)
    #expect(Ratio(0, of: 0).share == 0)
  }

  @Test(arguments: [(29, true), (30, false), (31, false), (0, true)])
  func `counts below 30 are small`(whole: Int, expected: Bool) {
    #expect(Ratio(1, of: whole).isSmall == expected)
    #expect(Mean(total: whole, count: whole).isSmall == expected)
  }
}

@Suite struct ChangeTests {
  @Test(arguments: [
    (30, 33, 10.0 as Double?), (29, 58, nil), (0, 5, nil), (100, 0, -100), (200, 199, -1),
    (1_000, 999, 0),
    (200, 201, 1),
  ])
  func `a change is a percentage of what was before, unless that was small`(
    previous: Int, current: Int, expected: Double?
  ) {
    #expect(PeriodChange(from: previous, to: current).percent == expected)
  }
}

@Suite struct MeanTests {
  @Test func `a mean has two decimals, and no value without numbers`() {
    #expect(Mean(total: 10, count: 3).value == 3.33)
    #expect(Mean(total: 5, count: 3).value == 1.67)
    #expect(Mean().value == nil)
  }
}
