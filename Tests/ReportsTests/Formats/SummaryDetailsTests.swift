import Testing

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

  @Test func `evidence goes first, then notes, and the worst keeps what to do longest`() {
    #expect(
      steps([.error, .warn, .notice])
        == ["eee", "een", "enn", "nnn", "nns", "nn", "ns", "n", "s", ""])
    #expect(steps([.notice]) == ["e", "n", "s", ""])
    #expect(steps([]) == [""])
  }
}
