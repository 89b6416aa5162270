import Foundation
import ReportsTesting
import Testing

@testable import Reports

/// The page that says which table answers which question: docs/reports/questions.md.
@Suite struct OwnerQuestionsTests {
  /// The cells of each row that asks a question.
  private let rows: [[String]]

  init() throws {
    let path = "\(#filePath.split(separator: "/Tests/")[0])/docs/reports/questions.md"
    rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { line in
        line.split(separator: " | ").map {
          $0.trimmingCharacters(in: CharacterSet(charactersIn: "| "))
        }
      }
      .filter { $0.count == 3 && $0[0].hasSuffix("?") }
  }

  @Test func `each question names tables or sections that its page has`() {
    #expect(rows.count == 29)
    let reports = SampleReports.reports()
    for row in rows {
      let places = row[1].split(separator: "; ")
      #expect(!places.isEmpty)
      for place in places {
        let name = place.prefix { $0 != ":" }
        let page = reports.first { $0.title == name }
        let titles = place.split(separator: "\"").enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        #expect(page != nil && !titles.isEmpty, "\(place)")
        let has = page.map(Self.titles) ?? []
        for title in titles { #expect(has.contains(title), "\(name): \(title)") }
      }
    }
  }

  @Test func `the page of all sections asks the same, and leads to tables of the same answers`()
    throws
  {
    #expect(SearchReport.questions.map(\.question) == rows.map { $0[0] })
    let reports = SampleReports.reports()
    for (asked, row) in zip(SearchReport.questions, rows) {
      let titles = try asked.answers.map { answer in
        let page = try #require(reports.first { $0.name.rawValue == answer.page }, "\(answer)")
        let section = try #require(page.sections.first { $0.id == answer.section }, "\(answer)")
        let table = section.blocks.compactMap(\.table).first { $0.id == answer.table }
        #expect(row[1].contains("\(page.title): "), "\(asked.question)")
        #expect((table == nil) == (answer.table == nil), "\(answer)")
        return table?.title ?? section.title
      }
      let named = row[1].split(separator: "\"").map(String.init)
      #expect(titles.first == named[1], "\(asked.question)")
      #expect(Set(named).isSuperset(of: titles), "\(asked.question)")
    }
  }

  /// The titles of a page's sections and tables.
  private static func titles(of report: Report) -> Set<String> {
    Set(
      report.sections.flatMap { section in
        [section.title] + section.blocks.compactMap { $0.table?.title }
      })
  }
}
