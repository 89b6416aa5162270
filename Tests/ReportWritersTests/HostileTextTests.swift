import Fixtures
import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

/// Texts that people can put into a name, feedback or a setting: docs/reports.md#hostile-text.
@Suite struct HostileTextTests {
  static let texts: [SampleText] = [
    "<script>alert(1)</script>", "javascript:alert(1)", "\"><img src=x onerror=alert(1)>",
    "]]></style><b>", "&lt;b&gt; &#0; &nbsp;", "\u{202E}gnp.exe\u{202C}", "\u{2066}isolate",
    "a\u{0}b", "bell\u{7} escape \u{1B}[31m red", "c1 \u{85} \u{9B}31m", "line\r\nfeed\ttab",
    "\u{FFFE}\u{FFFF}\u{1FFFE}", "مرحبا بالعالم", "שלום", "👩‍👩‍👧‍👦 🤦🏽‍♂️ 🇩🇪", "山田 花子",
    "=HYPERLINK(\"http://evil.example\")", "+1", "-1", "@SUM(A1)", ",;\"'", "",
    "quote\"\u{301}\r\n=1+1", "\"\u{200D},\"\u{FE0F}\n@SUM(A1)", "<\u{338}b>\u{301}&\u{301}",
    SampleText(String(repeating: "x", count: 100_000)),
    SampleText("Z" + String(repeating: "\u{301}", count: 5_000)),
  ]

  /// Results of queries in which every text from the network is the given one.
  private static func results(of text: String) -> SampleResults.Rows {
    let text = SQLValue.text(text)
    return [
      "usage/heaviest-users": [[text, text, 36, 36, 96, 96, 60, 58]],
      "usage/funnel-by-country": [[text, 150, 50, 150, 6, 150, 2]],
      "users/newest": [[1_772_431_200_000_000, text, text, 27, text, text, text, 1]],
      "users/by-gender": [[text, 1, 1, 1]], "users/by-country": [[text, 1, 1, 1]],
      "users/by-language": [[text, 1, 1, 1]],
      "users/demand-by-gender": [[text, 45, 70, 2_514, 4_862]],
      "users/demand-by-country": [[text, 5, 70, 0, 4_862]],
      "ratings/by-version": [[text, 1, 3, 1, 0, 0, 1, 0, 0]],
      "ratings/by-country": [[text, 1, 3, 1, 0, 0, 1, 0, 0]],
      "limits/fetched-settings": [[text, text, text, 1_772_403_600_000_000]],
      "limits/setting-changes": [[1_772_403_600_000_000, text, text, text, text]],
      "runs/skipped": [[text, "online-users", 3, 3, 3]],
      "runs/warnings": [[1_772_403_600_000_000, "online-users", "error", "Error", text, 1]],
    ]
  }

  /// Reports in which every text from the network is the given one.
  private static func reports(of text: String) -> [Report] {
    var limits = SampleReports.limits
    limits.fetched[0].wireName = text
    limits.fetched[0].rawValue = text
    limits.changes[0].newValue = text
    limits.profiles[0].profile.name = text
    limits.price = text
    var users = SampleReports.users
    users.topCountry = text
    var runs = SampleReports.runs
    runs.lastRuns["upload-feedback"]?.error = text
    var context = SampleReports.context
    context.appName = text
    let rating = SampleReports.rating("2026-02-17T12:00:00Z", 3)
    var review = SampleReports.review("1", 1, text, "Title \(text)", text)
    review.author = text
    review.version = text
    let ratings = RatingsData(
      ratings: [rating], feedback: [SampleReports.feedback(text, stars: 2)], outbox: [:],
      reviews: ReviewData(
        count: 1, stars: 1, newest: [review], fetchedAt: context.now))
    return ReportSet.make(
      context: context, usage: SampleReports.usage, limits: limits, ratings: ratings, users: users,
      runs: runs, queries: SampleResults.sections(context, with: results(of: text)))
  }

  /// The pages of reports with harmless texts.
  private static let harmless = Result {
    try reports(of: "harmless").map { HTMLNode(parsing: try HTMLWriter.bytes(of: $0)) }
  }

  @Test(arguments: texts)
  func `never becomes markup, steers a terminal or starts a formula, in any format`(
    sample: SampleText
  ) throws {
    let reports = Self.reports(of: sample.text)
    let pages = try Self.harmless.get()
    try #require(pages.count == reports.count)
    for (report, page) in zip(reports, pages) {
      try html(report, plain: try #require(page))
      text(report)
      try csv(report)
    }
    try json(try #require(reports.first { $0.name == .ratings }), sample.text)
  }

  /// The page keeps its elements and stays well-formed.
  private func html(_ report: Report, plain: HTMLNode) throws {
    let bytes = try HTMLWriter.bytes(of: report)
    let root = try #require(HTMLNode(parsing: bytes), "\(report.name)")
    #expect(Set(root.all.map(\.name)) == Set(plain.all.map(\.name)))
    #expect(root.all("script").map(\.text) == plain.all("script").map(\.text))
    #expect(root.all("img").isEmpty)
    #expect(root.all("a").allSatisfy { isOwnLink($0.attributes["href"]) })
    #expect(bytes.count < 1_000_000)
    #expect(!acts(String(decoding: bytes, as: UTF8.self)))
  }

  private func isOwnLink(_ href: String?) -> Bool {
    guard let href else { return false }
    let names = Report.Name.allCases.map(\.rawValue).joined(separator: "|")
    return href.wholeMatch(of: /#[a-z-]+/) != nil
      || href.range(
        of: "^((\(names))\\.(html|txt|json|csv)(#[a-z-]+)?|tables/(\(names))\\.[a-z-]+\\.csv)$",
        options: .regularExpression) != nil
  }

  private func acts(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: VisibleText.isReplaced)
  }

  /// No line is wider than 80 columns.
  private func text(_ report: Report) {
    let written = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(!acts(written))
    let widest = written.split(separator: "\n").map { DisplayWidth.of(String($0)) }.max() ?? 0
    #expect(widest <= 80, "\(report.name)")
  }

  /// The text comes back whole, and the file steers no terminal.
  private func json(_ report: Report, _ text: String) throws {
    let bytes = try JSONWriter.bytes(of: report)
    #expect(!acts(String(decoding: bytes, as: UTF8.self)))
    let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let sections = root?["sections"] as? [[String: Any]] ?? []
    let entries = sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
      .flatMap { $0["entries"] as? [[String: Any]] ?? [] }
    #expect(entries.first?["text"] as? String == text)
  }

  /// Every line keeps its five fields, and starts no formula.
  private func csv(_ report: Report) throws {
    let records = try CSVReader.records(of: CSVWriter.bytes(of: report))
    #expect(records.allSatisfy { $0.count == 5 })
    let values = records.compactMap(\.last).filter { Double($0) == nil }
    #expect(values.allSatisfy { !"=+-@".contains($0.first ?? "x") })
    #expect(!values.contains(where: acts))
  }

  @Test(arguments: texts)
  func `comes back whole from a CSV field`(sample: SampleText) throws {
    var sheet = CSVSheet()
    sheet.line([sample.text, "next"])
    let records = try CSVReader.records(of: sheet.bytes)
    #expect(
      records.map { $0.map { Array($0.utf8) } } == [[sample.text, "next"].map { Array($0.utf8) }])
  }

  @Test func `a text that looks like a number is guarded in CSV, a number is not`() throws {
    var sheet = CSVSheet()
    sheet.write(["-1"], "s", "t") { [("c", .text($0)), ("c", .integer(-1))] }
    let records = try CSVReader.records(of: sheet.bytes)
    #expect(records.map(\.last) == ["'-1", "-1"])
  }
}
