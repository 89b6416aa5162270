import Model
import Testing

@testable import Jobs
@testable import Store

/// The days of a period of which the ledger knows nothing: docs/reports/days.md#coverage.
struct UnknownDaysTests {
  private static func day(_ number: Double) -> Instant {
    Instant(unixSeconds: 1_767_571_200) + .seconds(number * 86_400)
  }

  private static let usage = UsageData(
    buckets: [], activeUsers: 0, previousActiveUsers: 0, newestEventAt: nil)

  /// The unknown days of a period from day 0 to day 10, of which the history has days 6 to 9.
  private func unknown(
    ledgerBegins: Double?, coverage: DayFacts.Coverage = .whole
  ) -> [Instant] {
    var usage = Self.usage
    usage.ledgerBeginsAt = ledgerBegins.map(Self.day)
    usage.history.days = (6..<10).map {
      DayFacts(start: Self.day(Double($0)), end: Self.day(Double($0 + 1)), coverage: coverage)
    }
    var context = ReportContext(
      appName: "A", now: Self.day(10), timeZone: "UTC", start: Self.day(0), end: Self.day(10))
    context.judgeComparisons(by: usage)
    return context.unknownDays.filter { $0 >= context.start }
  }

  @Test(arguments: [(2.0, 2), (1.999, 1), (2.5, 2), (0.0, 0), (6.0, 6), (7.0, 6)])
  func `days before the history are unknown when they end before the ledger begins`(
    begins: Double, count: Int
  ) {
    #expect(unknown(ledgerBegins: begins) == (0..<count).map { Self.day(Double($0)) })
  }

  @Test func `of an empty ledger no day is known`() {
    #expect(unknown(ledgerBegins: nil, coverage: .none) == (0..<10).map { Self.day(Double($0)) })
  }

  @Test(arguments: [(0, true), (1, false)])
  func `today is awaited until a line of its export comes, also with events of the program`(
    lines: Int, isAwaited: Bool
  ) {
    var usage = Self.usage
    usage.history.days = (2..<11).map {
      DayFacts(
        start: Self.day(Double($0)), end: Self.day(Double($0 + 1)),
        coverage: $0 == 10 ? .running : .whole)
    }
    for day in 0..<8 { usage.history.days[day].exportLines = 40 }
    usage.history.days[8].exportLines = lines
    usage.history.days[8].taps = 3
    usage.newestLine = Self.day(lines == 0 ? 9.9 : 10.1)
    var context = ReportContext(
      appName: "A", now: Self.day(10.5), timeZone: "UTC", start: Self.day(4), end: Self.day(10.5))
    context.judgeComparisons(by: usage)
    #expect(context.awaitedToday == (isAwaited ? Self.day(10) : nil))
  }

  @Test func `days of the period before count as well`() {
    var usage = Self.usage
    usage.ledgerBeginsAt = Self.day(7)
    usage.history.days = [DayFacts(start: Self.day(7), end: Self.day(8))]
    var context = ReportContext(
      appName: "A", now: Self.day(8), timeZone: "UTC", start: Self.day(7), end: Self.day(8))
    context.judgeComparisons(by: usage)
    #expect(context.unknownDays == (0..<7).map { Self.day(Double($0)) })
  }
}
