import Foundation
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct FileTests {
  @Test func `each report becomes one file a format, in order, and all findings one more`() throws {
    let files = try ReportSet.files(of: Array(SampleReports.reports().prefix(2)))
    #expect(
      files.map(\.name) == [
        "index.html", "index.txt", "index.json", "index.csv", "usage.html", "usage.txt",
        "usage.json", "usage.csv", "findings.json",
      ])
  }

  @Test func `only requested formats are written`() throws {
    let files = try ReportSet.files(of: SampleReports.reports(), formats: [.json])
    #expect(files.count == 10 && files.allSatisfy { $0.name.hasSuffix(".json") })
    #expect(try ReportSet.files(of: [], formats: [.html]).isEmpty)
  }

  @Test func `text, JSON and pages end with a line feed, CSV with CR LF`() throws {
    for file in try ReportSet.files(of: SampleReports.reports()) {
      #expect(file.bytes.last == 0x0A, "\(file.name)")
      #expect((file.bytes.suffix(2).first == 0x0D) == file.name.hasSuffix(".csv"), "\(file.name)")
    }
  }

  @Test func `no line of a text report is wider than 80 columns or ends with a space`() {
    for report in SampleReports.reports() + EmptyReports.reports {
      for line in String(decoding: TextWriter.bytes(of: report), as: UTF8.self).split(
        separator: "\n")
      {
        #expect(DisplayWidth.of(String(line)) <= 80, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  @Test func `a text report has the sections of the page in the same order`() throws {
    for report in SampleReports.reports() {
      var rest = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)[...]
      for section in report.sections {
        let place = try #require(rest.range(of: "\n\(section.title)\n---"), "\(section.title)")
        rest = rest[place.upperBound...]
      }
    }
  }

  @Test func `JSON states its context in UTC and counts what the page leaves out`() throws {
    let report = try #require(SampleReports.reports().first { $0.name == .users })
    let data = Data(try JSONWriter.bytes(of: report))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let context = try #require(root["frame"] as? [String: Any])
    #expect(context["start"] as? String == "2026-02-15T23:00:00Z")
    #expect(context["previousStart"] as? String == "2026-02-01T23:00:00Z")
    #expect(context["timeZone"] as? String == "Europe/Berlin")
    let sections = try #require(root["sections"] as? [[String: Any]])
    let newest = try #require((sections.last?["blocks"] as? [[String: Any]])?.first)
    let table = try #require(newest["table"] as? [String: Any])
    #expect(table["shown"] as? Int == 2 && table["total"] as? Int == 4_862)
  }

  @Test func `a CSV begins with its header and the context`() throws {
    let report = SampleReports.reports()[1]
    let records = try CSVReader.records(of: CSVWriter.bytes(of: report))
    #expect(records[0] == ["section", "table", "row", "column", "value"])
    #expect(records[1] == ["frame", "frame", "1", "report", "usage"])
    #expect(records.contains(["frame", "frame", "1", "end", "2026-03-01T23:00:00Z"]))
  }

  @Test func `errors say which page and what to do`() {
    #expect("\(ReportWriterError.writerFailed(page: "usage"))".contains("'usage'"))
    #expect("\(ReportWriterError.notEncodable(page: "runs", reason: "x"))".contains("'runs'"))
  }
}
