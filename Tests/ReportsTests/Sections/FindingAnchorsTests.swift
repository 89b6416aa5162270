import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

/// Every link of the index leads to a section that exists.
@Suite struct FindingAnchorsTests {
  /// Data that gives every finding that a report can have.
  private static let troubled: [Report] = {
    var ratings = EmptyReports.ratings
    ratings.outbox = [.rejected: 2, .queued: 1]
    var usage = EmptyReports.usage
    usage.buckets = [
      SampleReports.bucket("2026-02-10T19:00:00Z", .refresh, .buttonTapped, .freeUser, 41)
    ]
    var context = SampleReports.context
    context.timeZone = "Nowhere/Land"
    var limits = EmptyReports.limits
    limits.settings = SampleReports.settings
    return SampleReports.reports(
      context: context, usage: usage, limits: limits, ratings: ratings, users: EmptyReports.users)
  }()

  @Test(arguments: [SampleReports.reports(), EmptyReports.reports, troubled])
  func `every finding of every report names a section of its report`(reports: [Report]) throws {
    let findings = reports.flatMap(\.findings) + Self.shown(in: reports)
    #expect(!findings.isEmpty)
    for finding in findings {
      let report = try #require(reports.first { $0.name == finding.report }, "\(finding)")
      #expect(report.sections.contains { $0.id == finding.section }, "\(finding)")
    }
  }

  @Test
  func `every figure that changed leads from the index to the section that explains it`() throws {
    let reports = SampleReports.reports()
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: reports[0])))
    let links = Set(root.all("dt").flatMap { $0.all("a") }.compactMap { $0.attributes["href"] })
    let compared = reports.dropFirst().flatMap { report in
      report.headline.filter { $0.change != nil }.map { (report, $0) }
    }
    #expect(links.count > 3 && links.allSatisfy { $0.contains(".html#") })
    for (report, figure) in compared {
      #expect(report.sections.contains { $0.id == figure.section }, "\(report.name) \(figure.id)")
    }
  }

  @Test
  func `every link of every page leads to a page that is written and an id that is on it`() throws {
    for reports in [SampleReports.reports(), EmptyReports.reports, Self.troubled] {
      var ids: [String: Set<String>] = [:]
      var links: [(page: String, target: String)] = []
      for report in reports {
        let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
        let page = "\(report.name.rawValue).html"
        ids[page] = Set(root.all.compactMap { $0.attributes["id"] })
        links += root.all("a").compactMap { $0.attributes["href"] }.map { (page, $0) }
      }
      for (page, target) in links where target.contains("#") {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let file = parts[0].isEmpty ? page : parts[0]
        #expect(ids[file]?.contains(parts[1]) == true, "\(page): \(target)")
      }
    }
  }

  /// The findings that the index lists, including its own.
  private static func shown(in reports: [Report]) -> [Finding] {
    reports.flatMap(\.sections).flatMap(\.blocks).flatMap { block -> [Finding] in
      if case .findings(let findings) = block { findings } else { [] }
    }
  }

  @Test func `a troubled workspace has every finding that a report can have`() {
    let findings = Self.shown(in: Self.troubled)
    #expect(Set(findings.map(\.report)) == [.index, .usage, .limits, .ratings, .users, .runs])
  }
}
