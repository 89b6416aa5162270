import Model

/// A finding as JSON: docs/findings.md#findingsjson.
struct JSONFinding: Encodable {
  struct Support: Encodable {
    struct Expected: Encodable {
      var low: Double
      var high: Double
      /// The days that the expectation comes from.
      var days: Int?
    }

    var label: String
    var value: Double
    var unit: String
    var expected: Expected?

    init(_ evidence: Evidence) {
      label = evidence.label
      value = evidence.value
      unit = evidence.unit.rawValue
      expected = evidence.expected.map {
        Expected(low: $0.lowerBound, high: $0.upperBound, days: evidence.comparedDays)
      }
    }
  }

  var id: String
  var level: String
  var sentence: String
  var report: String
  var section: String
  var evidence: [Support]
  var quotes: [String]
  var advice: String?
  /// The place of the section on its page: `usage.html#days`; nil when the page is not written.
  var link: String?

  init(_ finding: Finding, in layout: PageLayout? = nil) {
    id = finding.id
    level = finding.level.rawValue
    sentence = finding.sentence
    report = finding.report.rawValue
    section = finding.section
    evidence = finding.evidence.map(Support.init)
    quotes = finding.quotes
    advice = finding.advice
    link = layout.flatMap { $0.fileAddress(of: finding.report, anchor: finding.section) }
  }
}
