import ReportsTesting
import Testing

@testable import Model
@testable import Reports
@testable import Store

@Suite struct ReadForecastTests {
  private let calendar = ReportCalendar(timeZone: "UTC")

  /// Up to and with a running 15 April 2026, a Wednesday; Sundays read nothing.
  private func history(reads: Int = 1_000, today: Int = 300, weeks: Int = 6) -> DayHistory {
    let now = SampleReports.at("2026-04-15T00:00:00Z")
    let days = stride(from: -weeks * 7, through: 0, by: 1).map { day -> DayFacts in
      let begin = now + .seconds(86_400 * day)
      var facts = DayFacts(
        start: begin, end: begin + .seconds(86_400), coverage: day == 0 ? .running : .whole)
      facts.reads = day == 0 ? today : calendar.day(of: begin).weekday == 7 ? 0 : reads
      return facts
    }
    return DayHistory(days: days)
  }

  @Test func `the month is what was read and the same weekdays to come`() throws {
    let forecast = try #require(ReadForecast(history(), calendar: calendar))
    // 14 days with 2 Sundays, today, 15 days with 2 Sundays.
    #expect(forecast.soFar == 12_300 && forecast.daysInMonth == 30)
    #expect(forecast.middle == 12_000 + 1_000 + 13_000)
    #expect(forecast.total == 26_000...26_000)
    let more = try #require(ReadForecast(history(today: 5_000), calendar: calendar))
    #expect(more.middle == 12_000 + 5_000 + 13_000)
  }

  @Test func `two weeks of reads suffice, one is too little`() {
    #expect(ReadForecast(history(weeks: 2), calendar: calendar) != nil)
    #expect(ReadForecast(history(weeks: 1), calendar: calendar) == nil)
    #expect(ReadForecast(DayHistory(), calendar: calendar) == nil)
    #expect(ReadForecast(history(reads: 0, today: 0), calendar: calendar) == nil)
  }

  @Test func `a budget that the month exceeds is a finding, one that it keeps is none`() throws {
    // 26,010 reads of 30 days at 867 a day.
    let forecast = try #require(ReadForecast(history(today: 1_010), calendar: calendar))
    for (maxPerDay, level) in [(866, Level.warn), (867, nil), (868, nil)] as [(Int, Level?)] {
      let found = forecast.findings(maxPerDay: maxPerDay, price: nil)
      #expect(found.first?.level == level && found.count == (level == nil ? 0 : 1), "\(maxPerDay)")
    }
    #expect(forecast.findings(maxPerDay: nil, price: nil).isEmpty)
  }

  @Test func `no price of the workspace, no figure of money`() throws {
    let forecast = try #require(ReadForecast(history(), calendar: calendar))
    let units = forecast.findings(maxPerDay: 10, price: nil).flatMap(\.evidence).map(\.unit)
    #expect(!units.isEmpty && !units.contains(.money))
    let price = ReadPrice(per100kReads: 0.5, currency: "EUR")
    let money = forecast.findings(maxPerDay: 10, price: price).flatMap(\.evidence)
      .first { $0.unit == .money }
    #expect(money?.value == 0.13 && money?.label == "Cost of the whole month in EUR")
    #expect(money?.currency == "EUR")
    #expect(
      forecast.findings(maxPerDay: 10, price: price).flatMap(\.evidence)
        .allSatisfy { ($0.currency != nil) == ($0.unit == .money) })
  }
}
