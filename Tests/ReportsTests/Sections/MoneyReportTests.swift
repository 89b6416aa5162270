import Model
import ReportsTesting
import Testing

@testable import Reports

/// What stands above the other figures of the money page: docs/money.md.
@Suite struct MoneyReportTests {
  /// A row of a table: people at least and at most, and what they pay in a month.
  private func row(
    _ people: Int, _ most: Int, _ monthly: Cell = .missing, isTotal: Bool = false
  ) -> Table.Row {
    Table.Row(
      cells: [.count(people), .count(most), monthly, monthly], isTotal: isTotal)
  }

  private func told(_ id: String, _ rows: [Table.Row]) -> Report {
    let columns = ["people", "people_most", "monthly", "monthly_most"].map {
      Table.ColumnHead(id: $0, title: $0)
    }
    let table = Table(id: id, title: "", columns: columns, rows: rows)
    return MoneyReport.toldAbove(
      Report(
        name: .money, title: "Money", context: SampleReports.context,
        dataTime: Report.DataTime(label: "Newest event", at: nil), summary: "4 new.",
        sections: [Section(.money, "base", [.table(table)])]))
  }

  private func total(_ people: Int, _ most: Int, _ amount: Double = 9) -> Table.Row {
    row(people, most, .money(amount, currency: "$"), isTotal: true)
  }

  @Test(arguments: [
    (49, 50, 119, 120, "49 to 50 of 119 to 120 people", "49 to 50 people"),
    (5, 5, 7, 7, "5 of 7 people", "5 people"), (5, 5, 5, 5, "5 people", "5 people"),
    (1, 1, 1, 1, "1 person", "1 person"), (1, 1, 2, 2, "1 of 2 people", "1 person"),
  ])
  func `who has a price is a part of who pays`(
    people: Int, most: Int, all: Int, allMost: Int, note: String, words: String
  ) throws {
    let report = told(
      "base", [row(people, most), row(all - people, allMost - most), total(people, most)])
    let figure = try #require(report.headline.first)
    #expect(figure.id == "monthly" && figure.note == note)
    #expect(report.summary == "$9.00 a month from \(words). 4 new.")
  }

  @Test func `an amount that may be more has both ends, and the least as its value`() {
    var most = total(5, 5)
    most.cells[3] = .money(12.5, currency: "$")
    let report = told("base", [row(5, 5), most])
    #expect(report.summary == "$9.00 to $12.50 a month from 5 people. 4 new.")
    #expect(report.headline.map(\.label) == ["Paid a month, at least"])
    #expect(report.headline.map(\.note) == ["at most $12.50, 5 people"])
    #expect(report.headline.map(\.value) == [.money(9, currency: "$")])
  }

  @Test func `each currency has its amount and its people, and the first is the figure`() {
    var euros = total(1, 1)
    (euros.cells[2], euros.cells[3]) = (.money(20, currency: "€"), .money(20, currency: "€"))
    let report = told("base", [row(5, 5), row(1, 1), total(5, 5), euros])
    #expect(
      report.summary
        == "$9.00 a month from 5 people and €20.00 a month from 1 person. 4 new.")
    #expect(report.headline.map(\.note) == ["5 of 6 people"])
  }

  @Test func `who pays for two products is one person`() {
    let report = told("paying", [row(2, 2), row(2, 2), total(3, 3)])
    #expect(report.headline.map(\.note) == ["3 people"])
  }

  @Test func `without a total the page stays`() {
    #expect(told("base", [row(2, 2)]).summary == "4 new.")
    #expect(told("other", [total(2, 2)]).headline == [])
  }
}
