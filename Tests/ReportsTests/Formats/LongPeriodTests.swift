import Model
import Testing

@testable import Reports

/// Reports over a whole year.
@Suite struct LongPeriodTests {
  private let reports: [Report] = {
    let end = SampleFacts.frame.end
    let frame = ReportFrame(
      appName: "ChatHub", now: SampleFacts.frame.now, timeZone: "Europe/Berlin",
      start: end + .seconds(-366 * 86_400), end: end)
    return SampleFacts.reports(frame: frame)
  }()

  private var usage: Report? { reports.first { $0.name == .usage } }

  @Test("no line of the text is wider than 80 columns, and its courses are drawn in sums")
  func text() throws {
    for report in reports {
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      for line in text.split(separator: "\n") {
        #expect(DisplayWidth.of(String(line)) <= 80, "\(report.name): \(line)")
      }
    }
    let text = String(decoding: TextWriter.bytes(of: try #require(usage)), as: UTF8.self)
    #expect(text.contains("One mark is 6 rows of the table together."))
  }

  @Test("the page names months, and draws every day")
  func page() throws {
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
