import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct SizeTests {
  @Test
  func `100,000 users in 250 countries, long lists and a month of runs stay under 1 MB a page`()
    throws
  {
    var users = SampleReports.users
    users.total = 100_000
    let countries: [[SQLValue]] = (0..<250).map { [.text("Country \($0)"), 400, 400, 100_000] }
    let heaviest: [[SQLValue]] = (0..<1_000).map {
      [.text("user-\($0)"), nil, 2, 2, 5, 5, 3, 100_000]
    }
    var ratings = SampleReports.ratings
    let text = String(repeating: "word ", count: 100)
    ratings.feedback = Array(repeating: SampleReports.feedback(text, stars: 1), count: 2_000)
    let run: [SQLValue] = [
      1_772_404_200_000_000, "online-users", "scheduled", "pass", "ok", 1, 1.25, 250,
    ]
    let reports = SampleReports.reports(
      usage: SampleReports.usage, ratings: ratings, users: users,
      queries: SampleResults.sections(
        with: [
          "usage/heaviest-users": heaviest, "users/by-country": countries,
          "users/newest": SampleResults.newest(1_000, of: 100_000),
          "runs/ledger": Array(repeating: run, count: 1_000),
        ]))
    for file in try ReportSet.files(of: reports, formats: [.html, .text]) {
      #expect(file.bytes.count < 205_000, "\(file.name): \(file.bytes.count)")
    }
  }

  @Test func `what the page leaves out is counted, and all of it is in the CSV`() throws {
    let queries = SampleResults.sections(with: ["users/newest": SampleResults.newest(40)])
    let report = try #require(
      SampleReports.reports(queries: queries).first { $0.name == .users })
    let page = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report))).text
    #expect(page.contains("25 of 4,862 shown; 40 are in tables/users.newest.csv."))
    #expect(page.contains("user-24") && !page.contains("user-25"))
    let csv = String(decoding: CSVWriter.bytes(of: report), as: UTF8.self)
    #expect(csv.contains("user-39"))
    let json = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
    #expect(json.contains("user-39"))
    #expect(!String(decoding: TextWriter.bytes(of: report), as: UTF8.self).contains("user-25"))
  }
}

/// Reports over a whole year.
@Suite struct LongPeriodTests {
  private let reports: [Report] = {
    let end = SampleReports.context.end
    let context = ReportContext(
      appName: "ChatHub", now: SampleReports.context.now, timeZone: "Europe/Berlin",
      start: end + .seconds(-366 * 86_400), end: end)
    return SampleReports.reports(context: context)
  }()

  private var usage: Report? { reports.first { $0.name == .usage } }

  @Test
  func `no line of the text is wider than 80 columns, and its courses are drawn as sums`() throws {
    for report in reports {
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      for line in text.split(separator: "\n") {
        #expect(DisplayWidth.of(String(line)) <= 80, "\(report.name): \(line)")
      }
    }
    let text = String(decoding: TextWriter.bytes(of: try #require(usage)), as: UTF8.self)
    #expect(text.contains("One mark is 6 rows of the table together."))
  }

  @Test func `the page names months, and draws every day`() throws {
    let report = try #require(usage)
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let svg = try #require(
      root.all("svg").first { ($0.attributes["class"] ?? "").contains("columns") })
    let labels = svg.all("text").filter {
      ($0.attributes["class"] ?? "").hasPrefix("tick x")
    }.map(\.text)
    #expect(labels.prefix(3) == ["1 Mar", "1 Apr", "1 May"] && labels.count == 12)
  }
}

@Suite struct EmptyReportsTests {
  @Test func `a workspace in which nothing happened gets every file, well-formed`() throws {
    let files = try ReportSet.files(of: EmptyReports.reports)
    #expect(files.count == 37)
    for file in files where file.name.hasSuffix(".html") {
      #expect(HTMLNode(parsing: file.bytes) != nil, "\(file.name)")
    }
  }

  @Test func `no page draws an empty chart or table; each says so in words`() throws {
    for report in EmptyReports.reports where ![.index, .popups, .search].contains(report.name) {
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      #expect(root.all("svg").isEmpty, "\(report.name)")
      #expect(root.all("tr").allSatisfy { !$0.children.isEmpty })
      #expect(root.all.contains { $0.attributes["class"] == "empty" }, "\(report.name)")
    }
  }

  @Test func `a whole of 0 has no percentage: no 0%, no NaN, no division by 0`() throws {
    for file in try ReportSet.files(of: EmptyReports.reports, formats: [.text, .json, .csv]) {
      // A query may have a remainder, and formats.
      let text = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
        .filter { !$0.contains("\"query\" :") }.joined(separator: "\n")
      #expect(!text.contains("%") && !text.lowercased().contains("nan"), "\(file.name)")
    }
  }

  @Test func `the index says that settings and users were never read`() {
    let sentences = EmptyReports.reports.flatMap(\.findings).map(\.sentence)
    #expect(sentences.contains { $0.contains("No settings of the app have been read") })
    #expect(sentences.contains { $0.contains("No load of the users has succeeded yet") })
  }
}
