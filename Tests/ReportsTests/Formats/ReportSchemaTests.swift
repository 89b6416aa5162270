import Fixtures
import Foundation
import Model
import Testing

@testable import Reports

@Suite struct ReportSchemaTests {
  private static let manual = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/report.schema.json")

  @Test func `the schema of the manual is the program's`() throws {
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(ReportSchema.text.utf8).write(to: Self.manual)
      Issue.record("recorded report.schema.json; run again without RECORD_GOLDEN")
    }
    #expect(try String(contentsOf: Self.manual, encoding: .utf8) == ReportSchema.text)
  }

  /// What the schema has to take, and the same with one thing wrong.
  private static func documents() throws -> [(name: String, text: String, isValid: Bool)] {
    let sets = [("sample", SampleReports.reports()), ("empty", EmptyReports.reports)]
    var documents: [(String, String, Bool)] = []
    for (name, reports) in sets {
      for report in reports {
        let text = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
        documents.append(("\(name) \(report.name)", text, true))
      }
      let together = String(decoding: try JSONWriter.bytes(of: reports), as: UTF8.self)
      documents.append(("\(name) together", together, true))
      let summary = String(
        decoding: try JSONEncoder().encode(ReportSummary(of: reports)), as: UTF8.self)
      documents.append(("\(name) summary", summary, true))
    }
    let ratings = try #require(SampleReports.reports().first { $0.name == .ratings })
    let whole = String(decoding: try JSONWriter.bytes(of: ratings), as: UTF8.self)
    for (wrong, right) in [
      ("\"schemaVersion\" : 2", "\"schemaVersion\" : 1"),
      ("\"kind\" : \"tabel\"", "\"kind\" : \"table\""),
      ("\"figure\" :", "\"figures\" :"), ("\"stars\" : \"1\"", "\"stars\" : 1"),
      ("\"id\" : \"By Week\"", "\"id\" : \"ratings-by-week\""),
      ("\"pervious\" :", "\"previous\" :"),
    ] {
      let text = whole.replacing(right, with: wrong)
      #expect(text != whole, "\(right) is not in the report")
      // Parts of cells are free; those of figures are not.
      documents.append((wrong, text, false))
    }
    return documents
  }

  private static let judge = """
    import json, jsonschema
    schema = json.load(open('schema.json'))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for entry in json.load(open('documents.json')):
        errors = [error.message[:200] for error in validator.iter_errors(json.loads(entry['text']))]
        if (not errors) != entry['isValid']: print(entry['name'], errors[:2])
    """

  private struct Entry: Encodable {
    let name: String
    let text: String
    let isValid: Bool
  }

  /// Python's jsonschema is the judge; a machine without it skips the test.
  @Test(.enabled(if: PythonProgram.isThere(modules: "jsonschema"), "python3 has no jsonschema"))
  func `every report, the single file and the summary are as the schema says`() throws {
    let folder = try TemporaryFolder()
    try folder.write(ReportSchema.text, to: "schema.json")
    let entries = try Self.documents().map {
      Entry(name: $0.name, text: $0.text, isValid: $0.isValid)
    }
    try folder.write(
      String(decoding: try JSONEncoder().encode(entries), as: UTF8.self), to: "documents.json")
    let faults = try PythonProgram.output(of: Self.judge, in: folder.path)
    #expect(faults.isEmpty, "\(faults)")
  }
}

/// Links that someone kept lead to the same thing on another day.
@Suite struct StableLinkTests {
  private func ids(_ reports: [Report]) throws -> Set<String> {
    let root = try #require(
      HTMLNode(parsing: try HTMLWriter.bytes(of: reports, in: PageLayout(isSingleFile: true))))
    return Set(root.all.compactMap { $0.attributes["id"] })
  }

  @Test func `the pages of two days have the same ids, whatever the numbers`() throws {
    let first = SampleReports.reports()
    var context = SampleReports.context
    context.now = context.now + .seconds(86_400)
    context.start = context.start + .seconds(86_400)
    context.end = context.end + .seconds(86_400)
    var usage = SampleReports.usageOfAll
    usage.buckets.reverse()
    usage.activeUsers = 12
    var ratings = SampleReports.ratings
    ratings.ratings.removeLast()
    ratings.feedback.insert(SampleReports.feedback("Another one", stars: 2), at: 0)
    let second = SampleReports.reports(context: context, usage: usage, ratings: ratings)
    let (before, after) = (try ids(first), try ids(second))
    #expect(before.count > 100)
    #expect(before.subtracting(after).isEmpty, "\(before.subtracting(after))")
    #expect(after.subtracting(before).isEmpty, "\(after.subtracting(before))")
  }

  @Test
  func `ids of sections, tables and columns are in the machine formats what they are on pages`()
    throws
  {
    for report in SampleReports.reports() {
      let page = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
      let ids = Set(page.all.compactMap { $0.attributes["id"] })
      for section in report.sections {
        #expect(ids.contains(section.id), "\(report.name) \(section.id)")
        for case .table(let table) in section.blocks {
          #expect(ids.contains("\(table.id)-table"), "\(report.name) \(table.id)")
        }
      }
    }
  }

  @Test func `a text of feedback has the same place on every page that shows it`() throws {
    var ratings = SampleReports.ratings
    ratings.feedback[0].key = "Feedback/x/Rating_Feedback/1772107200"
    ratings.feedback[0].origin = .foreign
    let report = RatingsReport.make(ratings, context: SampleReports.context)
    let page = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let entry = page.all("li").first { $0.attributes["id"] == "feedback-1772107200" }
    #expect(entry?.text.contains("The wait is too long for me.") == true)
  }
}
