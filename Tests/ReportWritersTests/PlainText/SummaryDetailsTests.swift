import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct SummaryDetailsTests {
  /// What is said of each finding after so many steps: e(vidence), n(ext) or s(entence).
  private func steps(_ levels: [Level]) -> [String] {
    var details = SummaryDetails(levels)
    var steps: [String] = []
    repeat {
      steps.append(
        details.all.map { $0 == .evidence ? "e" : $0 == .next ? "n" : "s" }.joined())
    } while details.drop()
    return steps
  }

  @Test func `the two worst keep what they say until the others are gone, and the worst longest`() {
    #expect(
      steps([.error, .warn, .warn, .warn])
        == [
          "eeee", "eeen", "eenn", "eens", "eess", "ees", "ee", "en", "es", "e", "n", "s", "",
        ])
  }

  @Test func `of the others notes go before what to do about warnings`() {
    #expect(
      steps([.error, .warn, .warn, .notice])
        == [
          "eeee", "eeen", "eenn", "eens", "een", "ees", "ee", "en", "es", "e", "n", "s", "",
        ])
    #expect(steps([.error, .notice]) == ["ee", "en", "es", "e", "n", "s", ""])
    #expect(steps([.notice]) == ["e", "n", "s", ""])
    #expect(steps([]) == [""])
  }
}
