import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The page above all workspaces, and its other forms: docs/overview.md.
@Suite struct OverviewReportTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden/Reports")

  private static let layout = PageLayout(reports: [], formats: [.text])

  private static func bytes(of name: String) throws -> [UInt8] {
    let overview = SampleOverview.overview
    let report = OverviewReport.make(overview)
    switch name {
    case "overview.txt": return TextWriter.bytes(of: report, in: layout)
    case "overview-summary.txt": return Array(OverviewDigest(overview).text.utf8)
    case "overview.json": return try JSONFile.bytes(of: overview, named: name)
    default:
      let page = try HTMLWriter.bytes(
        of: report, in: PageLayout(reports: [], formats: [.html]))
      let text = String(decoding: page, as: UTF8.self)
      return Array(
        text.replacing(">\(StyleSheet.shared.text)</", with: ">[style.css]</")
          .replacing(">\(PageScript.tables.text)</", with: ">[tables.js]</").utf8)
    }
  }

  @Test(arguments: ["overview.txt", "overview-summary.txt", "overview.json", "overview.html"])
  func `the overview of the sample is the recorded one`(name: String) throws {
    let bytes = try Self.bytes(of: name)
    let url = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(bytes).write(to: url)
      Issue.record("recorded \(name); run again without RECORD_GOLDEN")
    } else {
      #expect(Data(bytes) == (try Data(contentsOf: url)), "\(name) differs from its golden file")
    }
  }

  @Test func `every figure is the one on the report that it is taken from`() throws {
    let reports = SampleReports.reports()
    for figure in SampleOverview.app.figures {
      let report = try #require(reports.first { $0.name == figure.report })
      let same = try #require(report.headline.first { $0.id == figure.id }, "\(figure.id)")
      #expect(figure.value == same.value && figure.change == same.change, "\(figure.id)")
    }
    let names = SampleOverview.app.figures.map(\.id)
    #expect(names == AppOverview.FigureName.allCases.map(\.rawValue))
    #expect(SampleOverview.app.findings == reports[0].attention)
  }

  @Test func `a workspace that cannot be read is an error with its reason, and a row`() throws {
    let report = OverviewReport.make(SampleOverview.overview)
    let findings = report.sections.flatMap(\.blocks).compactMap { block -> [Finding]? in
      if case .findings(let findings) = block { findings } else { nil }
    }.joined()
    let told = try #require(findings.first { $0.sentence.contains("cannot be read") })
    #expect(told.level == .error && told.sentence.contains("it has no firetally.yml"))
    let tables = report.sections.flatMap(\.blocks).compactMap(\.table)
    #expect(tables.map(\.rows.count) == [2, 3, 2])
    #expect(tables[1].rows[2].cells[1] == .level(.error, "cannot be read"))
    #expect(tables[1].rows[2].cells[2...].allSatisfy { $0 == .missing })
    #expect(!SampleOverview.overview.isWell)
  }

  @Test func `one finding a workspace, the worst first, and how many more it has`() {
    let worst = SampleOverview.overview.worstFindings
    #expect(worst.map(\.finding.level) == worst.map(\.finding.level).sorted(by: >))
    #expect(Set(worst.map(\.title)).count == worst.count)
    let app = worst.first { $0.title == "ChatHub (chat)" }
    #expect(app?.more == SampleOverview.app.findings.count - 1)
  }

  @Test func `equal names of apps are told apart by their folders`() {
    #expect(
      SampleOverview.named("Chat", in: "/srv/a/prod", "/srv/a/staging").titles
        == ["Chat (prod)", "Chat (staging)"])
    #expect(
      SampleOverview.named("Chat", in: "/srv/a/chat", "/srv/b/chat").titles
        == ["Chat (/srv/a/chat)", "Chat (/srv/b/chat)"])
    #expect(SampleOverview.named("Chat", in: "/srv/a/chat").titles == ["Chat"])
  }

  @Test(arguments: [
    (0, 0, "2 workspaces, none needs you."), (1, 0, "3 workspaces: 1 cannot be read."),
  ])
  func `the summary counts what cannot be read and what needs somebody`(
    unread: Int, needing: Int, words: String
  ) {
    var quiet = EmptyReports.reports
    quiet[0].attention = []
    let app = AppOverview(
      of: quiet, health: SampleOverview.health(EmptyReports.runs), openIncidents: 0)
    let apps = ["/a", "/b"].map { WorkspaceOverview(folder: $0, .app(app)) }
    let gone = Array(repeating: SampleOverview.unread, count: unread)
    #expect(Overview(apps + gone, now: SampleOverview.now).summary == words)
    #expect(
      SampleOverview.overview.summary == "3 workspaces: 1 cannot be read, 2 need you.")
  }

  @Test func `costs of one currency are added up, those of two are not`() throws {
    func cost(_ overview: Overview) -> Cell? {
      OverviewReport.make(overview).headline.first { $0.id == "cost" }?.value
    }
    func app(_ currency: String) -> WorkspaceOverview {
      var reports = EmptyReports.reports
      let runs = reports.firstIndex { $0.name == .runs } ?? 0
      reports[runs].headline = [
        Figure(id: "cost", label: "Cost", value: .money(1.25, currency: currency))
      ]
      return WorkspaceOverview(
        folder: "/\(currency)",
        .app(
          AppOverview(
            of: reports, health: SampleOverview.health(EmptyReports.runs), openIncidents: 0)))
    }
    let now = SampleOverview.now
    #expect(cost(Overview([app("USD"), app("USD")], now: now)) == .money(2.5, currency: "USD"))
    #expect(cost(Overview([app("USD"), app("EUR")], now: now)) == nil)
    #expect(cost(Overview([SampleOverview.unread], now: now)) == nil)
  }

  @Test(arguments: [1, 2, 3, 9, 10, 11, 60])
  func `a message has at most 30 lines of 80 columns, and counts what it leaves out`(count: Int) {
    let folders = (0..<count).map { "/srv/\($0)" }
    let long = Overview(
      folders.map {
        WorkspaceOverview(folder: $0, .unread(String(repeating: "word ", count: 90)))
      }, now: SampleOverview.now)
    let lines = OverviewDigest(long).text.split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    #expect(lines.count <= 30)
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 80 })
    let shown = lines.count { $0.hasPrefix("■") }
    let left = lines.last?.contains("more workspace") == true
    #expect(left == (shown < count) && shown > 0)
    if left { #expect(lines.last?.hasPrefix("\(count - shown) more") == true) }
  }

  @Test func `the page links to the reports of each app, and loads nothing`() throws {
    let page = try #require(
      HTMLNode(
        parsing: try HTMLWriter.bytes(
          of: OverviewReport.make(SampleOverview.overview),
          in: PageLayout(reports: [], formats: [.html]))))
    let links = page.all("a").compactMap { $0.attributes["href"] }.filter { !$0.hasPrefix("#") }
    #expect(links == Array(repeating: "../chat/output/index.html", count: 3))
    #expect(page.all("img").isEmpty && page.all("link").isEmpty && page.all("nav").count == 1)
  }

  @Test func `several time zones make it UTC`() {
    var reports = EmptyReports.reports
    reports[0].context.timeZone = "America/New_York"
    let other = AppOverview(
      of: reports, health: SampleOverview.health(EmptyReports.runs), openIncidents: 0)
    func zone(_ apps: AppOverview...) -> String {
      Overview(
        apps.map { WorkspaceOverview(folder: "/\($0.name)", .app($0)) }, now: SampleOverview.now
      ).timeZone
    }
    #expect(zone(SampleOverview.app, SampleOverview.empty) == "Europe/Berlin")
    #expect(zone(SampleOverview.app, other) == "UTC")
    #expect(zone() == "UTC")
  }
}
