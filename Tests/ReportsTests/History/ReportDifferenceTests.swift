import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// What the index says about the last report: docs/reports.md#history.
@Suite struct ReportDifferenceTests {
  private func report(
    _ figures: [(String, Cell)] = [], _ findings: [Finding] = [],
    context: ReportContext = SampleReports.context
  ) throws -> PastReport {
    try #require(
      PastReport(of: [
        Report(
          name: .usage, title: "Usage", context: context,
          dataTime: Report.DataTime(label: "Newest event", at: nil), summary: "",
          headline: figures.map { Figure(id: $0.0, label: $0.0, value: $0.1) },
          findings: findings, sections: [])
      ]))
  }

  private func finding(
    _ level: Level, _ sentence: String, _ subject: String? = nil
  ) -> Finding {
    Finding(level, sentence, report: .usage, section: "days", subject: subject)
  }

  @Test func `only figures that differ are listed, with both numbers`() throws {
    let then = try report([
      ("same", .count(1)), ("count", .count(1)), ("ratio", .ratio(Ratio(1, of: 2))),
      ("gone", .count(4)), ("kind", .count(5)),
    ])
    let now = try report([
      ("same", .count(1)), ("count", .count(2)), ("ratio", .ratio(Ratio(2, of: 4))),
      ("new", .count(4)), ("kind", .mean(Mean(total: 5, count: 1))), ("text", .text("x")),
    ])
    let found = ReportDifference(from: then, to: now).figures
    #expect(found.map { $0.now.id } == ["count", "ratio", "kind"])
    #expect(found.first?.then == .count(number: 1) && found.first?.now.value == .count(number: 2))
  }

  @Test
  func `findings are new, worse, better, changed or gone, matched by subject or sentence`() throws {
    let then = try report(
      [],
      [
        finding(.warn, "2 wait", "waiting"), finding(.warn, "Job a is late", "job a"),
        finding(.error, "Job b is overdue", "job b"), finding(.notice, "stays"),
        finding(.warn, "goes"),
      ])
    let now = try report(
      [],
      [
        finding(.warn, "3 wait", "waiting"), finding(.error, "Job a is overdue", "job a"),
        finding(.warn, "Job b is late", "job b"), finding(.notice, "stays"),
        finding(.notice, "comes"),
      ])
    let found = ReportDifference(from: then, to: now).findings
    #expect(
      found.map { "\($0.change) \($0.finding.level) \($0.finding.sentence), \($0.before ?? "-")" }
        == [
          "worse error Job a is overdue, Job a is late", "new notice comes, -",
          "better warn Job b is late, Job b is overdue", "changed warn 3 wait, 2 wait",
          "gone warn goes, -",
        ])
  }

  @Test func `a report compared with itself has no difference`() throws {
    let sample = try #require(PastReport(of: SampleReports.reports()))
    let difference = ReportDifference(from: sample, to: sample)
    #expect(difference.figures.isEmpty && difference.findings.isEmpty)
  }

  @Test func `a summary is read back as it was written, and only from all its bytes`() throws {
    let sample = try #require(PastReport(of: SampleReports.reports()))
    let bytes = try sample.bytes()
    #expect(PastReport(decoding: bytes) == sample)
    for count in stride(from: 0, to: bytes.count - 2, by: 97) {
      #expect(PastReport(decoding: Array(bytes.prefix(count))) == nil, "\(count)")
    }
  }

  @Test(arguments: [
    (PastValue.count(number: 0), true), (.count(number: 1 << 53), true),
    (.count(number: -1), false), (.count(number: .min), false), (.count(number: .max), false),
    (.ratio(part: 1, whole: 2), true), (.ratio(part: .min, whole: 2), false),
    (.ratio(part: 1, whole: .max), false), (.mean(total: .max, count: 1), false),
    (.mean(total: 1, count: -1), false), (.money(amount: 0.5, currency: "USD"), true),
    (.money(amount: 1e300, currency: "USD"), false),
  ])
  func `a summary with numbers that no report comes to is none`(value: PastValue, isPossible: Bool)
    throws
  {
    var report = try #require(PastReport(of: SampleReports.reports()))
    report.figures[0].value = value
    let read = PastReport(decoding: try report.bytes())
    #expect(read == (isPossible ? report : nil))
  }

  private func since(_ earlier: EarlierReport?, _ now: PastReport) -> Section? {
    SampleReports.reports(earlier: earlier)[0].sections.first { $0.id == IndexSince.id }
  }

  @Test
  func `without a history the index has no such section; with one it says what it compares`() throws
  {
    let now = try #require(PastReport(of: SampleReports.reports()))
    #expect(since(nil, now) == nil)
    let absent = try #require(since(.absent, now))
    #expect(absent.lead.contains("no report of an earlier day") && absent.blocks.isEmpty)
    let unreadable = try #require(since(.unreadable(day: "2026-03-01"), now))
    #expect(unreadable.lead.contains("2026-03-01") && unreadable.blocks.isEmpty)
    var then = now
    then.writtenAt = SampleReports.at("2026-03-01T06:30:00Z")
    let compared = try #require(since(.report(then), now))
    #expect(compared.lead.contains("1 Mar 2026, 07:30") && compared.blocks.count == 2)
  }

  @Test(
    arguments: [
      (PastValue.ratio(part: 1, whole: 4), 0.25), (.ratio(part: 0, whole: 0), nil),
      (.count(number: 3), nil),
    ] as [(PastValue, Double?)])
  func `shares differ by points, where both are known`(then: PastValue, share: Double?) throws {
    let now = try #require(PastReport(of: SampleReports.reports()))
    var earlier = now
    earlier.writtenAt = SampleReports.at("2026-03-01T06:30:00Z")
    let at = try #require(earlier.figures.firstIndex { $0.id == "high-share" })
    earlier.figures[at].value = then
    guard case .ratio(let part, let whole) = now.figures[at].value,
      case .table(let table)? = since(.report(earlier), now)?.blocks.last
    else {
      Issue.record("no table of a share")
      return
    }
    let expected = share.map { Cell.pointError(100 * (Double(part) / Double(whole) - $0)) }
    #expect(table.rows.map(\.cells.last) == [expected ?? .missing])
  }

  /// The last cell of the row of a figure that had another value before; nil without such a row.
  private func difference(of id: String, from then: PastValue, to value: PastValue) throws -> Cell?
  {
    var now = try #require(PastReport(of: SampleReports.reports()))
    let at = try #require(now.figures.firstIndex { $0.id == id })
    now.figures[at].value = value
    var earlier = now
    earlier.writtenAt = SampleReports.at("2026-03-01T06:30:00Z")
    earlier.figures[at].value = then
    let section = IndexSince.section(
      .report(earlier), now: now, TimeWords(context: SampleReports.context))
    return section.blocks.last?.table?.rows.first?.cells.last
  }

  @Test(
    arguments: [
      (PastValue.mean(total: 385, count: 100), .mean(total: 325, count: 100), "−0.60 from 3.85"),
      (.mean(total: 0, count: 0), .mean(total: 325, count: 100), nil),
      (.mean(total: 385, count: 100), .mean(total: 0, count: 0), nil),
      (.money(amount: 10, currency: "$"), .money(amount: 12.5, currency: "$"), "+$2.50"),
      (.money(amount: 10, currency: "$"), .money(amount: 9, currency: "$"), "−$1.00"),
      (.money(amount: 10, currency: "$"), .money(amount: 12.5, currency: "EUR"), nil),
    ] as [(PastValue, PastValue, String?)])
  func `means and amounts of one currency differ by what is shown of them`(
    then: PastValue, now: PastValue, words: String?
  ) throws {
    let found = try difference(of: "mean-stars", from: then, to: now)
    #expect(found == words.map(Cell.text) ?? .missing)
  }

  @Test(
    arguments: [
      ("whole", "whole", nil), ("whole", "3 Feb is incomplete", "3 Feb is incomplete."),
      ("3 Feb is incomplete", "whole", "in the last report, 3 Feb is incomplete."),
      (nil, "whole", "does not say whether it knew all of its days."), ("whole", nil, nil),
    ] as [(String?, String?, String?)])
  func `counts of events have no difference where either report does not know all of its days`(
    then: String?, now: String?, words: String?
  ) throws {
    var context = SampleReports.context
    if now != PastReport.wholeCoverage, now != nil {
      context.periodFault = .missingLines(SampleReports.at("2026-02-02T23:00:00Z"))
    }
    let reports = SampleReports.reports(context: context)
    var earlier = try #require(PastReport(of: reports))
    #expect(earlier.coverage == now ?? PastReport.wholeCoverage)
    earlier.coverage = then
    for index in earlier.figures.indices where ["taps", "runs"].contains(earlier.figures[index].id)
    {
      earlier.figures[index].value = .count(number: 40)
    }
    let index = SampleReports.reports(context: context, earlier: .report(earlier))[0]
    let section = try #require(index.sections.first { $0.id == IndexSince.id })
    #expect(section.lead.contains("have no difference") == (words != nil))
    #expect(
      section.lead.hasSuffix(
        words ?? "of 2 Mar 2026, 07:30, whose period began 16 Feb 2026, 00:00."))
    guard case .table(let table)? = section.blocks.last else {
      Issue.record("no table")
      return
    }
    let rows = table.rows.map(\.cells)
    #expect(rows.map(\.first) == [.text("Taps"), .text("Runs")])
    let taps = Cell.change(PeriodChange(from: 40, to: 1_275))
    #expect(rows[0].last == (words == nil ? taps : .missing))
    // The ledger of runs is not that of events.
    #expect(rows[1].last == .change(PeriodChange(from: 40, to: 3)))
  }

  @Test
  func `reports of other lengths, zones or people are not compared, and the index says why`() throws
  {
    let now = try #require(PastReport(of: SampleReports.reports()))
    let changes: [(String, (inout PastReport) -> Void)] = [
      ("7 days, not 14", { $0.dayCount = 7 }), ("Asia/Tokyo", { $0.timeZone = "Asia/Tokyo" }),
      ("pseudonyms", { $0.isAnonymous = true }), ("other people", { $0.scope = "anna" }),
    ]
    for (words, change) in changes {
      var then = now
      change(&then)
      let section = try #require(since(.report(then), now))
      #expect(section.lead.contains("cannot be compared") && section.lead.contains(words))
      #expect(section.blocks.isEmpty)
    }
  }
}
