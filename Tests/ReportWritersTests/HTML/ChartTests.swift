import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct ChartTests {
  @Test(arguments: [
    (0, [0, 1]), (1, [0, 1]), (3, [0, 1, 2, 3]), (5, [0, 1, 2, 3, 4, 5]), (6, [0, 2, 4, 6]),
    (10, [0, 2, 4, 6, 8, 10]), (11, [0, 5, 10, 15]), (25, [0, 5, 10, 15, 20, 25]),
    (26, [0, 10, 20, 30]), (51, [0, 20, 40, 60]), (100, [0, 20, 40, 60, 80, 100]),
    (101, [0, 50, 100, 150]), (255, [0, 100, 200, 300]),
    (480, [0, 100, 200, 300, 400, 500]), (1_098, [0, 500, 1_000, 1_500]),
  ])
  func `an axis has round ticks, at most six, and reaches the largest value`(
    most: Int, expected: [Int]
  ) {
    #expect(AxisScale(most: Double(most)).ticks == expected)
  }

  @Test(arguments: [7, 99, 12_345, 999_999_999])
  func `ticks reach any value`(most: Int) {
    let scale = AxisScale(most: Double(most))
    #expect(scale.top >= Double(most))
    #expect(scale.ticks.count <= 6)
  }

  @Test func `long axes write some labels, short ones all`() {
    #expect((0..<8).allSatisfy(AxisLabels(count: 8).isWritten))
    #expect((0..<9).filter(AxisLabels(count: 9).isWritten) == [0, 2, 4, 6, 8])
    #expect((0..<365).filter(AxisLabels(count: 365).isWritten).count <= 8)
    #expect((0..<9).filter(AxisLabels(count: 9).isMinor).contains(2))
    #expect([0, 4, 8].allSatisfy { !AxisLabels(count: 9).isMinor($0) })
  }

  /// The labels of as many days, from 31 January 2026 on.
  private func labels(_ count: Int) -> AxisLabels {
    let calendar = ReportCalendar(timeZone: "UTC")
    let start = Instant(unixSeconds: 1_769_817_600)
    let days = calendar.days(from: start, to: start + .seconds(count * 86_400))
    return AxisLabels(DayColumns(days), of: days)
  }

  @Test
  func `over more than 62 days the first of each month is written, else evenly spaced days`() {
    let few = labels(62)
    #expect((0..<62).filter(few.isWritten) == [0, 8, 16, 24, 32, 40, 48, 56])
    let many = labels(63)
    #expect((0..<63).filter(many.isWritten) == [1, 29])
    #expect((0..<63).filter { many.isWritten($0) && many.isMinor($0) } == [29])
    let more = labels(64)
    #expect((0..<64).filter(more.isWritten) == [1, 29, 60])
    let year = labels(366)
    let rows = (0..<53).compactMap(year.row)
    #expect(rows == [1, 29, 60, 90, 121, 151, 182, 213, 243, 274, 304, 335])
  }

  @Test(arguments: [
    (0, "0"), (1.5, "1.5"), (33.333, "33.33"), (-0.25, "-0.25"), (10.05, "10.05"),
    (99.999, "100"),
  ])
  func `coordinates have at most two decimals`(number: Double, expected: String) {
    #expect(SVGNumber.text(number) == expected)
  }

  @Test func `each series and column that a chart draws is in its table, with one label a row`() {
    for report in SampleReports.reports() + EmptyReports.reports {
      for case .chart(let chart) in report.sections.flatMap(\.blocks) {
        let ids = Set(chart.table.columns.map(\.id))
        #expect(ids.count == chart.table.columns.count)
        #expect(Set(chart.drawnColumns).isSubset(of: ids), "\(chart.title)")
        #expect(chart.table.rows.isEmpty || chart.labels.count == chart.table.rows.count)
      }
    }
  }

  @Test func `every row of every table has a cell for each column`() {
    for report in SampleReports.reports() {
      for block in report.sections.flatMap(\.blocks) {
        guard case .table(let table) = block else { continue }
        #expect(table.rows.allSatisfy { $0.cells.count == table.columns.count }, "\(table.id)")
      }
    }
  }
}

extension Chart {
  fileprivate var drawnColumns: [String] {
    switch form {
    case .columns(let series): series.map(\.column)
    case .line(let series, _): [series.column]
    case .bars(let column, _): [column]
    case .heatMap: []
    }
  }
}

extension AxisLabels {
  fileprivate func isWritten(_ index: Int) -> Bool { row(under: index) != nil }
}
