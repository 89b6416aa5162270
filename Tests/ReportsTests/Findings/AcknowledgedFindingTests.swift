import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// What a person has acknowledged: docs/findings.md#acknowledge.
@Suite struct AcknowledgedFindingTests {
  /// The sample reports with the findings of these ids acknowledged.
  private func reports(_ acknowledged: [Acknowledgement]) -> [Report] {
    var context = SampleReports.context
    context.acknowledged = acknowledged
    return SampleReports.reports(context: context)
  }

  private static func acknowledgement(_ id: String, until: String? = nil) -> Acknowledgement {
    Acknowledgement(id: id, at: SampleReports.context.now, until: until)
  }

  @Test func `it leaves its page, the index and the summary, and stands in one line`() throws {
    let all = reports([])[0].attention
    let first = try #require(all.first)
    let quiet = reports([Self.acknowledgement(first.id, until: "2026-12-01")])
    let index = quiet[0]
    #expect(index.attention == Array(all.dropFirst()))
    #expect(index.acknowledged.map(\.finding) == [first])
    #expect(!quiet.flatMap(\.findings).contains(first))
    #expect(!ReportSummary(of: quiet).findings.contains(first))
    let section = try #require(index.sections.first { $0.id == IndexAttention.id })
    let lines = section.blocks.compactMap { block -> String? in
      guard case .text(let text) = block else { return nil }
      return text
    }
    #expect(lines == ["1 acknowledged until 1 Dec 2026: \(first.id)."])
    #expect(!section.lead.isEmpty && section.lead != reports([])[0].sections[0].lead)
    // In the copy of the day it stays, so that the next report does not call it over.
    #expect(PastReport(of: quiet)?.findings.count == PastReport(of: reports([]))?.findings.count)
  }

  @Test func `several are one line, worst first, each with its end`() throws {
    let all = reports([])[0].attention
    let ids = [try #require(all.last).id, try #require(all.first).id]
    let quiet = reports([
      Self.acknowledgement(ids[0]), Self.acknowledgement(ids[1], until: "2026-12-01"),
      Self.acknowledgement("usage-nothing-is-called-so"),
    ])
    #expect(quiet[0].acknowledged.map(\.finding.id) == [ids[1], ids[0]])
    #expect(
      AcknowledgedFinding.line(quiet[0].acknowledged)
        == "2 acknowledged: \(ids[1]) until 1 Dec 2026, \(ids[0]) until it is over.")
    #expect(AcknowledgedFinding.line([]) == nil)
  }

  @Test func `the list says why, and all of it what is acknowledged`() throws {
    var finding = Finding(
      .error, "Outage on Fri 20 Nov: taps at 10%.", report: .usage, section: "days",
      subject: "outage 2026-11-20")
    finding.rule = .outage
    finding.since = "2026-11-20"
    finding.evidence = [Evidence("Taps", 212, .taps, expected: 830...1_210, comparedDays: 6)]
    finding.advice = "Look at the server."
    var index = reports([])[0]
    index.unjudged = nil
    index.context.findingSettings.floors[.outage] = 20
    index.attention = [
      finding, Finding(.notice, "A note.", report: .runs, section: "jobs", subject: "note"),
    ]
    let list = FindingList(of: index)
    #expect(
      list.text(all: false).split(separator: "\n").dropFirst().joined(separator: "\n") == """
        Platform: all
        1 error, worst first.
        \(Level.error.sign) \(Level.error.word): Outage on Fri 20 Nov: taps at 10%.
          Since: Fri 20 Nov 2026
          Taps: 212, expected 830 to 1,210 from 6 same weekdays
          Next: Look at the server.
          Rule: outage, floor 20
          Id: usage-outage-2026-11-20
        \(Level.notice.sign) \(Level.notice.word): A note.
          Id: runs-note
        """)
    #expect(list.needsPerson)
    let past = FindingList(of: index, on: "2026-11-20")
    #expect(past.findings == [finding])
    #expect(past.text(all: false).contains("\nAs on the morning after Fri 20 Nov 2026.\n"))
    index.attention = []
    index.acknowledged = [
      AcknowledgedFinding(
        finding: finding, acknowledgement: Self.acknowledgement(finding.id, until: "2026-12-01"))
    ]
    index.context.findingSettings.off = [.region]
    index.context.findingSettings.quiet = [
      QuietDays(from: "2026-12-24", to: "2026-12-26", reason: "holidays")
    ].compactMap(\.self)
    let quiet = FindingList(of: index)
    #expect(!quiet.needsPerson && quiet.ids == [finding.id])
    #expect(quiet.text(all: false).contains("1 acknowledged until 1 Dec 2026: \(finding.id)."))
    let text = quiet.text(all: true)
    #expect(text.contains("taps at 10%.\n  Acknowledged until 1 Dec 2026.\n  Since: Fri 20 Nov"))
    #expect(text.contains("\nOff: region\n"))
    #expect(text.contains("\nQuiet: Thu 24 Dec 2026 to Sat 26 Dec 2026: holidays\n"))
  }
}
