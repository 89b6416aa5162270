import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The list of all sections: docs/reports/form.md#find.
@Suite struct SearchReportTests {
  private let reports = SampleReports.reports()

  private func table(_ section: String = "sections") throws -> Table {
    let report = try #require(reports.first { $0.name == .search })
    let found = report.sections.first { $0.id == section }
    guard case .table(let table)? = found?.blocks.first else { throw SampleFault.noTable }
    return table
  }

  private enum SampleFault: Error { case noTable }

  @Test func `every section of every other page is a row that leads to it`() throws {
    let places = try table().rows.map { $0.cells[1] }
    let expected = reports.filter { $0.name != .search }.flatMap { report in
      report.sections.map { Cell.place($0.title, report.name, section: $0.id) }
    }
    #expect(places == expected && !expected.isEmpty)
  }

  @Test func `every question is asked of the reports of all sections`() throws {
    let rows = try table("questions").rows
    #expect(
      Set(rows.map { $0.cells[0] }) == Set(SearchReport.questions.map { Cell.text($0.question) }))
    // One place a row: a table, or the chart or section that shows it.
    let links = rows.filter { $0.cells[0] == .text("Is the limit right?") }.map { $0.cells[1] }
    #expect(
      links == [
        .place(
          "Usage: How often people use a feature on a day", .usage, section: "uses-a-day-table"),
        .place("Limits: Other limits, by feature", .limits, section: "what-if-table"),
      ])
    #expect(
      rows.first?.cells[1]
        == .place("Users: Users online by day", .users, section: "online-chart"))
  }

  @Test func `a question whose section is missing is left out`() throws {
    let some = reports.filter { $0.name == .users }
    let report = try #require(SearchReport.make(of: some))
    let rows = report.sections.first?.blocks.first?.table?.rows ?? []
    let asked = Set(rows.map { $0.cells[0] })
    #expect(asked.isSuperset(of: [Cell.text("Who is online?")]))
    #expect(asked.isDisjoint(with: [Cell.text("Did last night's jobs work?")]))
  }

  @Test func `what people wrote, names of settings and states of popups are found`() throws {
    let text = try table().rows.map {
      CellWords(time: TimeWords(context: SampleReports.context)).words($0.cells[2])
    }
    .joined(separator: "\n")
    for word in ["The wait is too long for me.", "freeRefreshLimit", "One left", "Sofía"] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test func `the words of a section are bounded`() throws {
    let long = Report(
      name: .usage, title: "Usage", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "S",
      sections: [
        Section(
          id: "s", title: "S", lead: "L.",
          blocks: (0..<2_000).map { .text("word number \($0)") })
      ])
    let bytes = try HTMLWriter.bytes(of: try #require(SearchReport.make(of: [long])))
    #expect(bytes.count < 40_000)
    #expect(SearchReport.make(of: [])?.name == nil)
  }
}
