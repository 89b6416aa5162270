import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct TableCSVTests {
  private let reports = SampleReports.reports()

  /// The head and the rows of a file.
  private func table(_ file: TableCSV.File) throws -> (head: [String], rows: [[String]]) {
    try #require(file.bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    let records = try CSVReader.records(of: Array(file.bytes.dropFirst(3)))
    return (try #require(records.first), Array(records.dropFirst()))
  }

  private func tables(of report: Report) -> [Table] {
    report.sections.flatMap(\.blocks).compactMap { block in
      switch block {
      case .table(let table): table
      case .chart(let chart): chart.table
      default: nil
      }
    }
  }

  @Test func `each file is a rectangle with a head of different names, under a name of its own`()
    throws
  {
    let files = (reports + EmptyReports.reports.prefix(0)).flatMap(TableCSV.files)
    #expect(Set(files.map(\.name)).count == files.count)
    #expect(files.count > 50)
    for file in files {
      #expect(TableCSV.isName(file.name), "\(file.name)")
      let (head, rows) = try table(file)
      #expect(Set(head).count == head.count, "\(file.name): \(head)")
      #expect(rows.allSatisfy { $0.count == head.count }, "\(file.name)")
    }
  }

  @Test func `the file of a query's table says beside it which query, with all columns`() throws {
    var count = 0
    for report in reports {
      let files = Dictionary(
        uniqueKeysWithValues: TableCSV.files(of: report).map { ($0.name, $0) })
      let metadata = Dictionary(
        uniqueKeysWithValues: try TableCSV.metadata(of: report).map { ($0.name, $0) })
      let tables = tables(of: report)
      #expect(metadata.count == tables.count { $0.source != nil })
      for table in tables {
        let name = TableCSV.name(of: table.id, in: report.name)
        guard let source = table.source else { continue }
        let file = try #require(metadata[name + "-metadata.json"])
        #expect(TableCSV.isName(file.name))
        let told = try #require(
          try JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any])
        #expect(told["url"] as? String == name && told["dc:source"] as? String == source.name)
        let note = try #require((told["notes"] as? [[String: Any]])?.first)
        #expect(note["sql"] as? String == source.sql && note["query"] as? String == source.name)
        #expect((note["parameters"] as? [String: Any])?["time_zone"] as? String == "Europe/Berlin")
        let columns = (told["tableSchema"] as? [String: [[String: String]]])?["columns"]
        let csv = try self.table(try #require(files[name]))
        #expect(columns?.map { $0["titles"] } == csv.head)
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test(arguments: [
    (JSONNode.integers([]), "[]"), (.integers([7]), "[7]"),
    (.integers([4, nil, 0]), "[4,null,0]"),
    (.texts([]), "[]"), (.texts(["a b", "c"]), #"["a b","c"]"#),
    (.texts([#"say "no""#, #"back\slash"#, "a,b; c"]), #"["say \"no\"","back\\slash","a,b; c"]"#),
  ])
  func `a list is a JSON list in one cell, which any JSON parser reads`(
    list: JSONNode, expected: String
  ) throws {
    let text = CSVSheet.text(of: list)
    #expect(text == expected)
    #expect(list.equals(try JSONSerialization.jsonObject(with: Data(text.utf8))))
  }

  @Test func `the lists of the sample, trends, themes and benefits, are JSON lists in CSV`() throws
  {
    let records = try reports.flatMap { try CSVReader.records(of: CSVWriter.bytes(of: $0)) }
    for column in ["trend", "themes", "benefits", "buttons"] {
      let lists = records.filter { $0[3].split(separator: ".").last.map(String.init) == column }
      #expect(!lists.isEmpty, "\(column)")
      for list in lists { #expect(list[4].hasPrefix("[") && list[4].hasSuffix("]"), "\(list)") }
    }
  }

  @Test func `each part of each cell stands in its row under its column`() throws {
    for report in reports {
      let files = Dictionary(
        uniqueKeysWithValues: TableCSV.files(of: report).map { ($0.name, $0) })
      for table in tables(of: report) {
        let file = try #require(files[TableCSV.name(of: table.id, in: report.name)])
        let (head, rows) = try self.table(file)
        try #require(rows.count == table.rows.count)
        for (row, values) in zip(table.rows, rows) {
          let named = Dictionary(uniqueKeysWithValues: zip(head, values))
          for (column, cell) in zip(table.columns, row.cells) {
            for part in cell.parts where part.value != .null {
              let name = part.name.map { "\(column.id).\($0)" } ?? column.id
              #expect(named[name] == part.value.csv, "\(file.name): \(name)")
            }
          }
          #expect(named["is_total"] == nil || named["is_total"] == "\(row.isTotal)")
        }
      }
    }
  }

  @Test func `every figure and finding has a row, and no part of a figure is lost`() throws {
    for report in reports {
      let files = TableCSV.files(of: report)
      let (head, rows) = try table(files[0])
      #expect(rows.count == report.figures.count)
      for (figure, row) in zip(report.figures, rows) {
        let named = Dictionary(uniqueKeysWithValues: zip(head, row))
        #expect(named["id"] == figure.id)
        for part in figure.value.parts {
          #expect(named[part.name ?? "value"] == part.value.csv, "\(report.name) \(figure.id)")
        }
      }
      #expect(
        try table(files[1]).rows.map { $0[1] }
          == (report.findings + report.attention).map(\.sentence))
    }
  }

  @Test func `texts that a spreadsheet would run are guarded, and empty tables have a head`() throws
  {
    var ratings = SampleReports.ratings
    ratings.feedback = [SampleReports.feedback("=1+1, \"so\"", stars: 1)]
    let report = RatingsReport.make(ratings, context: SampleReports.context)
    let file = try #require(
      TableCSV.files(of: report).first { $0.name == "ratings.feedback.csv" })
    let (head, rows) = try table(file)
    #expect(head == UserComment.fieldNames)
    #expect(rows[0][3] == "'=1+1, \"so\"")
    for file in EmptyReports.reports.flatMap(TableCSV.files) {
      #expect(try !table(file).head.isEmpty, "\(file.name)")
    }
  }

  @Test(arguments: ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
  func `a formula is guarded in full width, too`(sign: String) throws {
    var ratings = SampleReports.ratings
    ratings.feedback = ["\(sign)1+1", "1\(sign)1"].map { SampleReports.feedback($0, stars: 1) }
    let report = RatingsReport.make(ratings, context: SampleReports.context)
    let file = try #require(
      TableCSV.files(of: report).first { $0.name == "ratings.feedback.csv" })
    #expect(try table(file).rows.map { $0[3] } == ["'\(sign)1+1", "1\(sign)1"])
  }

  @Test(arguments: [
    ("usage.by-day.csv", true), ("index.figures.csv", true), ("usage.csv", false),
    ("usage..csv", false), ("users.a.b.csv", false), ("history.days.csv", false),
    ("notes.a.csv", false), ("usage.by day.csv", false), ("usage.days.txt", false),
  ])
  func `only names of tables are names of tables`(name: String, isName: Bool) {
    #expect(TableCSV.isName(name) == isName)
  }
}
