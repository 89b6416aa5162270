import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct FindingTests {
  /// A finding with everything that one can have.
  private static let whole: Finding = {
    var finding = Finding(
      .warn, "Taps fell on Thu 5 Nov: 212 instead of about 1,020.", report: .usage,
      section: "days", subject: "usage fell 2026-11-05")
    finding.evidence = [
      Evidence("Taps on Thu 5 Nov", 212, .taps, expected: 829.6...1_210.4, comparedDays: 6),
      Evidence("Chance of such a difference", 0.00094, .probability),
    ]
    finding.quotes = ["It <b>never</b> loads"]
    finding.advice = "Look for a release."
    return finding
  }()

  private static let index: Report = {
    var report = Report(
      name: .usage, title: "Usage", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Newest data", at: nil), summary: "",
      sections: [Section(id: "attention", title: "", lead: "", blocks: [.findings([whole])])])
    report.attention = [whole]
    return report
  }()

  @Test
  func `the id is the subject's, without what a link cannot have, whatever the sentence says`() {
    var finding = Self.whole
    #expect(finding.id == "usage-usage-fell-2026-11-05")
    finding.sentence = "Other words"
    #expect(finding.id == "usage-usage-fell-2026-11-05")
    finding.subject = nil
    #expect(finding.id == "usage-other-words")
    finding.subject = "job Über/α 3.2.1"
    #expect(finding.id == "usage-job-ber-3-2-1")
    finding.subject = String(repeating: "a", count: 200)
    #expect(finding.id.utf8.count == 86)
  }

  @Test func `the worst come first, then the heaviest, and others keep their order`() {
    func finding(_ level: Level, _ name: String, _ weight: Double = 0) -> Finding {
      var finding = Finding(level, name, report: .runs, section: "jobs")
      finding.weight = weight
      return finding
    }
    let all = [
      finding(.warn, "c"), finding(.notice, "f", 9), finding(.error, "b"),
      finding(.warn, "d"), finding(.error, "a", 1),
    ]
    #expect(Finding.worstFirst(all).map(\.sentence) == ["a", "b", "c", "d", "f"])
  }

  @Test func `evidence is written as it is rounded, with the sign of its unit`() {
    #expect(
      Self.whole.evidence.map(\.words) == [
        "Taps on Thu 5 Nov: 212, expected 830 to 1,210 from 6 same weekdays",
        "Chance of such a difference: 0.0009",
      ])
    #expect(Evidence("p", 0.00004, .probability).words == "p: less than 0.0001")
    #expect(Evidence("Share", 38.04, .percent).words == "Share: 38%")
    #expect(Evidence("Mean", 2.806, .stars).words == "Mean: 2.81")
  }

  @Test
  func `all four formats have evidence, texts and advice, and text from people is no markup`()
    throws
  {
    let html = String(decoding: try HTMLWriter.bytes(of: Self.index), as: UTF8.self)
    let text = String(decoding: TextWriter.bytes(of: Self.index), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for words in ["expected 830 to 1,210 from 6 same weekdays", "Next: Look for a release."] {
      #expect(html.contains(words) && text.contains(words))
    }
    #expect(html.contains("id=\"finding-usage-usage-fell-2026-11-05\""))
    #expect(html.contains("“It &lt;b&gt;never&lt;/b&gt; loads”"))
    let csv = try CSVReader.records(of: CSVWriter.bytes(of: Self.index))
    for (column, value) in [
      ("id", "usage-usage-fell-2026-11-05"), ("evidence.1.value", "212"),
      ("evidence.1.unit", "taps"), ("evidence.1.expected.low", "830"),
      ("evidence.1.expected.days", "6"), ("quotes.1", "It <b>never</b> loads"),
      ("advice", "Look for a release."),
    ] {
      #expect(csv.contains(["attention", "findings", "1", column, value]), "\(column)")
    }
  }

  @Test
  func `findings.json has numbers with units and a link to the page, if that is written`() throws {
    func finding(in layout: PageLayout) throws -> [String: Any] {
      let bytes = try FindingsFile.bytes(of: Self.index, in: layout)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      #expect(object["schemaVersion"] as? Int == 1 && object["app"] as? String == "ChatHub")
      return try #require((object["findings"] as? [[String: Any]])?.first)
    }
    let whole = try finding(in: .whole)
    #expect(whole["id"] as? String == "usage-usage-fell-2026-11-05")
    #expect(whole["link"] as? String == "usage.html#days")
    let evidence = try #require((whole["evidence"] as? [[String: Any]])?.first)
    #expect(evidence["value"] as? Double == 212 && evidence["unit"] as? String == "taps")
    let expected = try #require(evidence["expected"] as? [String: Any])
    #expect(expected["high"] as? Double == 1_210 && expected["days"] as? Int == 6)
    let single = try finding(in: PageLayout(isSingleFile: true))
    #expect(single["link"] as? String == "report.html#usage-days")
    #expect(try finding(in: PageLayout(formats: [.json]))["link"] == nil)
  }
}
