import Foundation
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// All reports as one file of each format: docs/reports.md#options.
@Suite struct SingleFileTests {
  private let reports = SampleReports.reports()
  private let layout = PageLayout(isSingleFile: true)

  private func file(_ format: ReportFormat) throws -> [UInt8] {
    let plan = ReportSet.plan(of: reports, in: layout)
    #expect(
      plan.map(\.name) == [
        "report.html", "report.txt", "report.json", "report.csv", "findings.json",
      ])
    return try #require(plan.first { $0.format == format }).bytes(in: layout)
  }

  @Test func `the page holds every report with the words of its own page`() throws {
    let root = try #require(HTMLNode(parsing: try file(.html)))
    let articles = root.all("article")
    #expect(articles.map { $0.attributes["id"] } == Report.Name.shipped.map(\.rawValue))
    for (article, report) in zip(articles, reports) {
      let own = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let main = try #require(own.all("main").first).text
        .replacing(/tables\/[a-z]+\.[a-z-]+\.csv/, with: "report.csv")
      #expect(article.text.hasSuffix(main), "\(report.name)")
    }
  }

  @Test func `each id is used once, and every link to a page leads to one of them`() throws {
    let root = try #require(HTMLNode(parsing: try file(.html)))
    let ids = root.all.compactMap { $0.attributes["id"] }
    #expect(ids.count == Set(ids).count)
    let labels = root.all.compactMap { $0.attributes["aria-labelledby"] }
      .flatMap { $0.split(separator: " ").map(String.init) }
    #expect(Set(labels).isSubset(of: Set(ids)))
    let hrefs = Set(root.all("a").compactMap { $0.attributes["href"] })
    let files: Set = ["report.txt", "report.json", "report.csv"]
    #expect(hrefs.filter { !$0.hasPrefix("#") } == files)
    let anchors = hrefs.filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
    #expect(Set(anchors).isSubset(of: Set(ids)))
    #expect(anchors.contains("runs-jobs") && anchors.contains("usage"))
  }

  @Test
  func `no two sections have one accessible name: each begins with its report's title`() throws {
    let root = try #require(HTMLNode(parsing: try file(.html)))
    let texts = Dictionary(
      root.all.compactMap { node in node.attributes["id"].map { ($0, node.text) } },
      uniquingKeysWith: { first, _ in first })
    let names = root.all("section").map { section in
      section.attributes["aria-label"]
        ?? (section.attributes["aria-labelledby"] ?? "").split(separator: " ")
        .map { texts[String($0)] ?? "" }.joined(separator: " ")
    }
    #expect(names.count > 20)
    #expect(Set(names).count == names.count)
    for (report, article) in zip(reports, root.all("article")) {
      let first = names.filter { $0.hasPrefix(report.title) }
      #expect(first.count == article.all("section").count, "\(report.name)")
    }
  }

  @Test func `loads nothing, like every page, and stays under 1 MB`() throws {
    let bytes = try file(.html)
    #expect(bytes.count < 1_000_000)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("http://") && !text.contains("https://"))
    #expect(!text.replacing("url(#hatch-", with: "").contains("url("))
  }

  @Test func `the text has the texts of all reports, and names no file that is missing`() throws {
    let text = String(decoding: try file(.text), as: UTF8.self)
    for report in reports {
      #expect(text.contains("\(report.title) · ChatHub\n==="), "\(report.name)")
    }
    #expect(text.matches(of: /\w+\.(txt|csv|json|html)/).allSatisfy { $0.output.0 == "report.csv" })
  }

  @Test func `JSON and CSV hold the same as the files of the reports`() throws {
    let root = try JSONSerialization.jsonObject(with: Data(try file(.json))) as? [String: Any]
    let found = try #require(root?["reports"] as? [NSDictionary])
    for (object, report) in zip(found, reports) {
      let own = try JSONSerialization.jsonObject(with: Data(try JSONWriter.bytes(of: report)))
      #expect(object == own as? NSDictionary, "\(report.name)")
    }
    let records = try CSVReader.records(of: try file(.csv))
    #expect(records[0] == ["report", "section", "table", "row", "column", "value"])
    for report in reports {
      let own = try CSVReader.records(of: CSVWriter.bytes(of: report)).dropFirst()
      let here = records.filter { $0[0] == report.name.rawValue }.map { Array($0.dropFirst()) }
      #expect(here == Array(own), "\(report.name)")
    }
  }
}
