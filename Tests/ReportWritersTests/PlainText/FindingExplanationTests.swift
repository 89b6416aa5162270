import Testing

@testable import ReportWriters
@testable import Reports

/// What `firetally findings --explain` prints: docs/findings.md#list.
@Suite struct FindingExplanationTests {
  private static let finding = Finding(
    .warn, "Most people have no country.", report: .users, section: "places")

  private static func judgement(_ dayCount: Int, _ probability: Double) -> Finding.Judgement {
    Finding.Judgement(
      label: "Share of the people without a country", dayCount: dayCount, count: 40 * dayCount,
      whole: 100 * dayCount, expected: 0.0012, probability: probability)
  }

  @Test func `an explanation lists all that was judged, and what is not listed by itself`() {
    var finding = Self.finding
    finding.judgements = [Self.judgement(1, 1e-12), Self.judgement(20, 0.001)]
    finding.explained = ["India has stopped."]
    #expect(
      FindingExplanation(finding: finding, text: "The finding.").words == """
        The finding.

        Judged, the surest first:
          1. Share of the people without a country, 1 day: 40 of 100, expected 0.1;
             by chance less often than once in 1,000,000,000 times.
          2. Share of the people without a country, 20 days: 800 of 2,000, expected
             2.4; by chance once in 1,000 times.

        Explains, and so not listed:
          - India has stopped.

        """)
  }

  @Test func `without a judgement the finding stands alone`() {
    let words = FindingExplanation(finding: Self.finding, text: "The finding.").words
    #expect(words == "The finding.\n")
  }
}
