import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

/// Numbers never stand alone: docs/reports.md#percentages.
@Suite struct NumbersTests {
  private let reports = SampleReports.reports(earlier: .absent) + EmptyReports.reports

  /// The text report on one line, so that no sentence is cut.
  private func flat(_ report: Report) -> String {
    String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `every percentage has its whole, or the number that it changed from`() throws {
    for report in reports {
      let text = flat(report)
      let all = text.matches(of: /[0-9]%/).count
      let told = text.matches(of: /[0-9]%( of [0-9]| from [0-9]|†\))/).count
      #expect(all == told, "\(report.name)")
      for match in text.matches(of: /\([0-9.]+%†\)/) {
        #expect(text[..<match.range.lowerBound].suffix(20).contains(" of "), "\(report.name)")
      }
    }
  }

  @Test func `on the page every percentage has its whole in the same cell or figure`() throws {
    for report in reports {
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let cells = root.all("td") + root.all("th").filter { $0.attributes["scope"] == "row" }
      let figures = root.all("dl").filter { $0.attributes["class"] == "figures" }
        .flatMap { $0.children }
      for node in cells + figures where node.text.contains(/[0-9]%/) {
        #expect(
          node.text.contains(/(^|[^a-z])of [0-9]|[0-9] of [0-9]|from [0-9]/),
          "\(report.name): \(node.text)")
      }
    }
  }

  @Test func `a mean states its count, and every small one is marked`() {
    for report in reports {
      for cell in report.shownCells {
        guard case .mean(let mean) = cell, mean.value != nil else { continue }
        let words = CellWords(time: TimeWords(context: report.context)).words(cell)
        #expect(words.hasSuffix("†") == (mean.count < 30), "\(report.name)")
      }
    }
  }

  @Test
  func `every head states period, data time, time of writing, zone and platform, on page and text`()
  {
    for report in reports {
      let text = flat(report)
      for term in ["Period ", "\(report.dataTime.label) ", "Written ", "Time zone ", "Platform "] {
        #expect(text.contains(term), "\(report.name): \(term)")
      }
    }
  }

  @Test(
    arguments: [
      ("ios", "Platform iOS Not counted 2,000 events of web, 1 event of Android in this period;"),
      (nil, "Platform all"),
    ] as [(String?, String)])
  func `every head says which platform's events count, and how many others there are`(
    platform: String?, words: String
  ) throws {
    for var report in reports {
      report.context.platform = platform
      report.context.otherPlatforms = platform == nil ? [:] : ["android": 1, "web": 2_000]
      #expect(flat(report).contains(words), "\(report.name)")
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let head = root.all("dl").first { $0.attributes["class"] == "frame" }?.text ?? ""
      #expect(head.contains(platform == nil ? "Platformall" : "2,000 events of web"))
      let json = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
        .filter { !$0.isWhitespace }
      #expect(json.contains("\"platform\":\"\(platform ?? "all")\""))
      #expect(
        json.contains("\"otherPlatforms\":{\"android\":1,\"web\":2000}") == (platform != nil))
      let csv = String(decoding: CSVWriter.bytes(of: report), as: UTF8.self)
      #expect(csv.contains("platform,\(platform ?? "all")"))
    }
  }

  /// The index compares a day with its weekdays, and with the last report.
  @Test func `a report with changes says which period it compares with, others do not`() throws {
    for report in SampleReports.reports() {
      let hasChanges = [.usage, .ratings, .runs].contains(report.name)
      #expect(flat(report).contains("Compared with 2 Feb – 15 Feb 2026 (14 days)") == hasChanges)
      let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let head = root.all("dl").first { $0.attributes["class"] == "frame" }?.text ?? ""
      #expect(head.contains("Compared with") == hasChanges, "\(report.name)")
    }
  }

  @Test
  func `each list that is cut says so, on the page and in the text, with the file of the rest`()
    throws
  {
    var ratings = SampleReports.ratings
    ratings.feedback = Array(repeating: SampleReports.feedback("Too long.", stars: 1), count: 50)
    let run: [SQLValue] = [
      1_772_404_200_000_000, "online-users", "scheduled", "pass", "ok", 1, 1.25, 250,
    ]
    let queries = SampleResults.sections(
      with: [
        "runs/ledger": Array(repeating: run, count: 100), "users/newest": SampleResults.newest(40),
      ])
    var found = 0
    for report in SampleReports.reports(ratings: ratings, queries: queries) {
      let text = flat(report)
      let page = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report))).text
      for (shown, total) in report.sections.flatMap(\.blocks).compactMap(\.cut) {
        let counts = "\(NumberWords.grouped(shown)) of \(NumberWords.grouped(total)) shown"
        #expect(text.contains(counts) && page.contains(counts), "\(report.name): \(counts)")
        #expect(!text.matches(of: /tables\/[a-z]+\.[a-z-]+\.csv/).isEmpty, "\(report.name)")
        found += 1
      }
    }
    #expect(found >= 4)
  }
}

extension Block {
  /// How many of how many entries a list shows; nil for a whole list and for no list.
  fileprivate var cut: (Int, Int)? {
    switch self {
    case .table(let table): table.shownOf.map { ($0.shown, $0.total) }
    case .chart(let chart): chart.table.shownOf.map { ($0.shown, $0.total) }
    case .feedback(let list): list.shownOf.map { ($0.shown, $0.total) }
    default: nil
    }
  }
}
