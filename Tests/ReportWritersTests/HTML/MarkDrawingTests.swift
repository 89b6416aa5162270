import FoundationEssentials
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct MarkDrawingTests {
  private func labels(_ places: Double..., from first: Int = 1) -> [String] {
    let marks = places.enumerated().map { (number: first + $0.offset, place: $0.element) }
    return MarkLabel.all(of: marks).map {
      "\($0.text) at \(($0.middle * 1_000).rounded() / 1_000)"
    }
  }

  @Test func `two digits stand apart from six hundredths of the width on`() {
    #expect(labels(0.1, 0.161) == ["1 at 0.1", "2 at 0.161"])
    #expect(labels(0.1, 0.159) == ["1–2 at 0.13"])
    #expect(labels(0.1, 0.1) == ["1–2 at 0.1"])
  }

  @Test func `longer numbers need more room`() {
    #expect(labels(0.1, 0.174, from: 9) == ["9–10 at 0.137"])
    #expect(labels(0.1, 0.176, from: 9) == ["9 at 0.1", "10 at 0.176"])
  }

  @Test func `a label that grows takes in the one before it`() {
    #expect(labels(0.1, 0.17, 0.19, 0.9) == ["1–3 at 0.145", "4 at 0.9"])
    #expect(labels(0.1, 0.3, 0.32, 0.9) == ["1 at 0.1", "2–3 at 0.31", "4 at 0.9"])
    #expect(labels().isEmpty)
  }
}

/// What was to be expected of days: docs/reports/form.md#charts.
@Suite struct ExpectedDrawingTests {
  /// The page of a chart of whole days, ending with one of which something is expected.
  private func page(days: Int, isCompact: Bool = false) -> String {
    let rows = (0..<days).map { SampleReports.at("2026-01-01T12:00:00Z") + .seconds(86_400 * $0) }
    let calendar = ReportCalendar(timeZone: "UTC")
    var chart = Chart(
      form: .columns([Chart.Series("taps", "Taps", .main)]),
      labels: rows.map { calendar.day(of: $0).short }, unit: "taps a day", weekUnit: "taps a week",
      alternative: "Taps.",
      table: Table(
        id: "month", title: "Taps", of: rows,
        columns: [
          Column("day", "Day", .leading) { .day(calendar.day(of: $0)) },
          Column("taps", "Taps") { _ in .count(50) },
        ]))
    chart.isCompact = isCompact
    chart.expected = [
      Chart.ExpectedDay(
        day: calendar.day(of: rows[days - 1]), range: 100...200, comparedDays: 6)
    ]
    var report = SampleReports.reports()[1]
    report.sections = [Section(id: "s", title: "S", lead: "L.", blocks: [.chart(chart)])]
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(text.contains("from 6 same weekdays: 100 to 200"))
    return (try? String(decoding: HTMLWriter.bytes(of: report), as: UTF8.self)) ?? ""
  }

  @Test func `a pale area with two ends shows it, with words in the key and the description`() {
    let page = page(days: 10)
    #expect(page.contains(#"<rect class="expected""#))
    #expect(page.components(separatedBy: #"class="expected-end""#).count == 3)
    #expect(page.contains("10 Jan: usual 100 to 200"))
    #expect(page.contains(#"<span class="swatch usual">Usual, from six weeks</span>"#))
    #expect(page.contains("Usual on 10 Jan, from 6 same weekdays: 100 to 200."))
    #expect(page.contains(#"data-low="100" data-high="200""#))
  }

  @Test func `columns of a week have none`() {
    let page = page(days: 120)
    #expect(!page.contains(#"class="expected""#) && !page.contains("swatch usual"))
  }

  /// A page with a line of some cells, one a day from 1 January 2026.
  private func page(
    of cells: [Cell], range: ClosedRange<Double>, expected: ClosedRange<Double>? = nil
  ) throws -> (html: String, text: String) {
    let days = cells.indices.map { CivilDay(year: 2026, month: 1, day: $0 + 1) }
    var chart = Chart(
      form: .line(Chart.Series("mean", "Mean", .main), range: range), labels: days.map(\.short),
      unit: "a day", alternative: "A line.",
      table: Table(
        id: "line", title: "Line", of: Array(zip(days, cells)),
        columns: [
          Column("day", "Day", .leading) { .day($0.0) }, Column("mean", "Mean") { $0.1 },
        ]))
    if let expected {
      chart.expected = [Chart.ExpectedDay(day: days[1], range: expected, comparedDays: 5)]
    }
    var report = SampleReports.reports()[1]
    report.sections = [Section(id: "s", title: "S", lead: "L.", blocks: [.chart(chart)])]
    return (
      String(decoding: try HTMLWriter.bytes(of: report), as: UTF8.self),
      String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    )
  }

  @Test func `a line of means has what is usual of a day, with two decimals`() throws {
    let means = (0..<3).map { _ in Cell.mean(Mean(total: 33, count: 8)) }
    let found = try page(of: means, range: 1...5, expected: 3.875...4.5)
    #expect(found.html.components(separatedBy: #"<rect class="expected""#).count == 2)
    #expect(found.html.contains("2 Jan: usual 3.88 to 4.50"))
    #expect(found.html.contains(#"<span class="swatch usual">Usual, from six weeks</span>"#))
    #expect(found.text.contains("Usual on 2 Jan, from 5 same weekdays: 3.88 to 4.50"))
    let without = try page(of: means, range: 1...5).html
    #expect(!without.contains(#"class="expected""#) && !without.contains("swatch usual"))
  }

  @Test func `a line of shares has the range of each that is of anybody`() throws {
    let shares = [Ratio(0, of: 20), Ratio(10, of: 40), Ratio(0, of: 0), Ratio(20, of: 20)]
    let html = try page(of: shares.map(Cell.rate), range: 0...100).html
    #expect(html.components(separatedBy: #"<rect class="expected""#).count == 4)
    #expect(html.contains("2 Jan: 25% of 40, 14–40"))
    #expect(html.contains(#"<span class="swatch usual">Range in 95 of 100 samples</span>"#))
    let plain = try page(of: shares.map(Cell.ratio), range: 0...100).html
    #expect(!plain.contains(#"class="expected""#) && !plain.contains("swatch usual"))
  }
}
