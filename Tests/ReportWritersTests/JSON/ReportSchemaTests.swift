import Fixtures
import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct ReportSchemaTests {
  /// The values of every member of a name, anywhere in a schema.
  private static func values(of name: String, in value: Any) -> [Any] {
    if let list = value as? [Any] { return list.flatMap { values(of: name, in: $0) } }
    guard let members = value as? [String: Any] else { return [] }
    return [members[name]].compactMap(\.self)
      + members.values.flatMap { values(of: name, in: $0) }
  }

  @Test(arguments: [ReportSchema.text, ReportSchema.findingsText])
  func `the schemas know every page, level and unit, and the version`(text: String) throws {
    let schema = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let choices = Set(Self.values(of: "enum", in: schema).compactMap { $0 as? [String] })
    let levels = [Level.notice, .warn, .error].map(\.rawValue)
    let units = Evidence.Unit.allCases.map(\.rawValue)
    let verdicts = text == ReportSchema.text ? [["below", "usual", "above"]] : []
    let rules = FindingRule.allCases.map(\.rawValue)
    // The overview is no report of a workspace, and has JSON of its own.
    let names = Report.Name.allCases.filter { $0 != .overview }
    #expect(
      choices == Set([names.map(\.rawValue), levels, units, rules] + verdicts))
    let versions = Self.values(of: "schemaVersion", in: schema)
    #expect(!versions.isEmpty)
    #expect(Set(Self.values(of: "const", in: versions).compactMap { $0 as? Int }) == [1])
    #expect(text.hasSuffix("}\n") && text.contains("https://json-schema.org/draft/2020-12/schema"))
  }

  /// The findings of a past day, with one that is open and one that is acknowledged.
  private static func list(of index: Report) -> FindingList {
    var finding = Finding(
      .error, "Outage.", report: .usage, section: "days", subject: "outage 2026-11-20")
    finding.rule = .outage
    finding.since = "2026-11-20"
    var index = index
    index.attention.append(finding)
    index.acknowledged = [
      AcknowledgedFinding(
        finding: finding,
        acknowledgement: Acknowledgement(id: finding.id, at: index.context.now, until: "2026-12-01")
      )
    ]
    return FindingList(of: index, on: "2026-11-20")
  }

  /// What the schema has to take, and the same with one thing wrong.
  private static func documents() throws -> [SchemaJudge.Document] {
    let sets = [("sample", SampleReports.reports()), ("empty", EmptyReports.reports)]
    var documents: [SchemaJudge.Document] = []
    for (name, reports) in sets {
      for report in reports {
        let text = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
        documents.append(SchemaJudge.Document("\(name) \(report.name)", text, true))
      }
      let together = String(decoding: try JSONWriter.bytes(of: reports), as: UTF8.self)
      documents.append(SchemaJudge.Document("\(name) together", together, true))
      let summary = String(
        decoding: try JSONEncoder().encode(ReportSummary(of: reports)), as: UTF8.self)
      documents.append(SchemaJudge.Document("\(name) summary", summary, true))
      let open = String(decoding: try JSONEncoder().encode(list(of: reports[0])), as: UTF8.self)
      documents.append(SchemaJudge.Document("\(name) findings", open, true))
      for (right, wrong) in [
        ("\"until\":\"2026-12-01\"", "\"until\":\"tomorrow\""),
        ("\"rule\":\"outage\"", "\"rule\":\"outrage\""), ("\"day\"", "\"day\":1,\"days\""),
      ] {
        let text = open.replacing(right, with: wrong)
        #expect(text != open, "\(right) is not in the list")
        documents.append(SchemaJudge.Document("\(name) findings, \(wrong)", text, false))
      }
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
      documents.append(SchemaJudge.Document(wrong, text, false))
    }
    return documents
  }

  /// Python's jsonschema is the judge; a machine without it skips the test.
  @Test(.enabled(if: SchemaJudge.isThere, "python3 has no jsonschema"))
  func `every report, the single file and the summary are as the schema says`() throws {
    let faults = try SchemaJudge.faults(of: Self.documents(), against: ReportSchema.text)
    #expect(faults.isEmpty, "\(faults)")
  }
}

@Suite struct FindingsSchemaTests {
  private static let finding = """
    { "id": "usage-fell-2026-11-05", "level": "warn", "sentence": "Usage fell.", "report": "usage",
      "section": "days", "advice": "Look.", "rule": "day", "since": "2026-11-05", "link": "usage.html#days", "quotes": ["It loads"],
      "evidence": [ { "label": "Taps", "value": 212, "unit": "taps",
        "expected": { "low": 830, "high": 1210.5, "days": 6 } } ] }
    """
  private static let whole = """
    { "schemaVersion": 1, "app": "ChatHub", "writtenAt": "2026-11-06T07:00:00Z",
      "timeZone": "Europe/Berlin", "platform": "ios", "anonymous": false,
      "findings": [ \(finding) ] }
    """

  /// The findings of the samples and one by hand, and the latter with one thing right or wrong.
  private static func documents() throws -> [SchemaJudge.Document] {
    let sets = [("sample", SampleReports.reports()), ("empty", EmptyReports.reports)]
    var documents = [SchemaJudge.Document("by hand", whole, true)]
    for (name, reports) in sets {
      for layout in [
        PageLayout.whole, PageLayout(isSingleFile: true), PageLayout(formats: [.json]),
      ] {
        let index = try #require(reports.first { $0.name == .index })
        let text = String(
          decoding: try FindingsFile.bytes(of: index, in: layout), as: UTF8.self)
        documents.append(SchemaJudge.Document(name, text, true))
      }
    }
    let changes: [(right: String, other: String, isValid: Bool)] = [
      ("\"warn\"", "\"notice\"", true), ("\"warn\"", "\"error\"", true),
      ("\"warn\"", "\"pass\"", false), ("\"warn\"", "\"warning\"", false),
      (", \"days\": 6", "", true), ("\"days\": 6", "\"days\": 6.5", false),
      ("\"low\": 830, ", "", false), ("\"advice\": \"Look.\", ", "", true),
      ("\"advice\"", "\"advise\"", false), ("\"link\": \"usage.html#days\", ", "", true),
      ("usage.html#days", "usage.txt#days", false), ("usage.html#days", "usage.html", false),
      ("\"quotes\": [\"It loads\"],", "", false), ("[\"It loads\"]", "[1]", false),
      ("\"schemaVersion\": 1", "\"schemaVersion\": 2", false),
      ("\"schemaVersion\": 1, ", "", false), ("\"anonymous\": false", "\"anonymous\": 0", false),
      ("\"platform\": \"ios\", ", "", false), ("\"ios\"", "\"all\"", true),
      ("\"ios\"", "null", false),
      ("\"app\"", "\"extra\": 1, \"app\"", false), ("\"id\"", "\"extra\": 1, \"id\"", false),
      ("\"label\"", "\"extra\": 1, \"label\"", false),
      ("\"low\"", "\"extra\": 1, \"low\"", false), ("\"taps\"", "\"clicks\"", false),
      ("\"value\": 212", "\"value\": \"212\"", false), ("usage-fell", "usage fell", false),
      ("\"rule\": \"day\", ", "", true), ("\"rule\": \"day\"", "\"rule\": \"night\"", false),
      ("\"since\": \"2026-11-05\", ", "", true),
      ("\"since\": \"2026-11-05\"", "\"since\": \"5 Nov\"", false),
      ("\"report\": \"usage\"", "\"report\": \"use\"", false), ("[ \(finding) ]", "[]", true),
      ("\"findings\"", "\"finding\"", false),
    ]
    for (right, other, isValid) in changes {
      let text = whole.replacing(right, with: other)
      #expect(text != whole, "\(right) is not in the file")
      documents.append(SchemaJudge.Document("\(right) as \(other)", text, isValid))
    }
    return documents
  }

  @Test(.enabled(if: SchemaJudge.isThere, "python3 has no jsonschema"))
  func `findings.json is as its schema says, and a wrong or unknown member is a fault`() throws {
    let faults = try SchemaJudge.faults(of: Self.documents(), against: ReportSchema.findingsText)
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
