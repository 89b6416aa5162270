import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// Links only lead to files that are written.
@Suite struct PageLayoutTests {
  private func addresses(_ layout: PageLayout) -> [String?] {
    [
      layout.address(of: .report(.usage, .html, anchor: nil)),
      layout.address(of: .report(.usage, .html, anchor: "days")),
      layout.address(of: .report(.usage, .csv, anchor: nil)),
      layout.address(of: .report(.history, .html, anchor: nil)),
    ]
  }

  @Test func `links lead from every folder to separate files, and to anchors of a single file`() {
    var layout = PageLayout(hasHistory: true)
    #expect(
      addresses(layout) == ["usage.html", "usage.html#days", "usage.csv", "history/index.html"])
    #expect(
      addresses(layout.at(.pastDay)) == [
        "usage.html", "usage.html#days", "usage.csv", "../index.html",
      ])
    #expect(
      addresses(layout.at(.history)) == [
        "../usage.html", "../usage.html#days", "../usage.csv", "index.html",
      ])
    layout.isSingleFile = true
    #expect(addresses(layout) == ["#usage", "#usage-days", "report.csv", "history/index.html"])
    #expect(
      addresses(layout.at(.history)) == [
        "../report.html#usage", "../report.html#usage-days", "../report.csv", "index.html",
      ])
  }

  @Test func `a file that is not written has no address`() {
    let layout = PageLayout(reports: [.index, .runs], formats: [.html])
    #expect(addresses(layout) == [nil, nil, nil, nil])
    #expect(layout.address(of: .report(.runs, .html, anchor: nil)) == "runs.html")
    #expect(layout.address(of: .report(.runs, .csv, anchor: nil)) == nil)
    #expect(layout.at(.pastDay).address(of: .newest) == "../../index.html")
    #expect(PageLayout(reports: [.runs]).at(.pastDay).address(of: .newest) == nil)
  }

  @Test func `a past day is a folder beside the list`() {
    let day = CivilDay(year: 2026, month: 11, day: 7)
    let layout = PageLayout(folder: .history, hasHistory: true)
    #expect(layout.address(of: .pastDay(day, .index)) == "2026-11-07/index.html")
    #expect(layout.address(of: .pastDay(day, .report)) == "2026-11-07/report.html")
  }

  @Test
  func `a table has a CSV of its own beside the newest pages only, and never with one file`() {
    func rest(_ layout: PageLayout) -> String? {
      let file = layout.restFile(of: "newest", in: .users)
      #expect(file?.name == file.flatMap { layout.address(of: $0.address) })
      return file?.name
    }
    #expect(rest(.whole) == "tables/users.newest.csv")
    #expect(rest(PageLayout.whole.at(.pastDay)) == "users.csv")
    #expect(rest(PageLayout(isSingleFile: true)) == "report.csv")
    #expect(rest(PageLayout(reports: [.index])) == nil)
    #expect(PageLayout.whole.at(.pastDay).address(of: .table("newest", .users)) == nil)
  }

  @Test func `a page written alone names no other page and links to none`() throws {
    let report = try #require(SampleReports.reports().first)
    let layout = PageLayout(reports: [.index], formats: [.html, .text])
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report, in: layout)))
    let hrefs = Set(root.all("a").compactMap { $0.attributes["href"] })
    #expect(Set(hrefs.filter { !$0.hasPrefix("#") }) == ["index.html", "index.txt"])
    let text = String(decoding: TextWriter.bytes(of: report, in: layout), as: UTF8.self)
    #expect(text.matches(of: /\w+\.txt/).isEmpty)
  }

  @Test func `the rest of a list is in the CSV, else in the JSON, else nowhere`() {
    func sentence(_ formats: [ReportFormat]) -> String {
      ShownWords.sentence(
        shown: 25, total: 4_862, held: 40, of: "newest", in: .users, PageLayout(formats: formats))
    }
    #expect(
      sentence([.html, .json, .csv]) == "25 of 4,862 shown; 40 are in tables/users.newest.csv.")
    #expect(sentence([.html, .json]) == "25 of 4,862 shown; 40 are in users.json.")
    #expect(sentence([.html]) == "25 of 4,862 shown.")
  }
}
