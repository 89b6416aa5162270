import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct UsageTallyTests {
  private func tally(
    _ buckets: [UsageData.Bucket], context: ReportContext = SampleReports.context
  ) -> UsageTally {
    PeriodTally(buckets, context)
  }

  private func taps(at: Instant, _ count: Int = 1) -> UsageData.Bucket {
    UsageData.Bucket(
      startsAtSeconds: at.unixSeconds, feature: .refresh, kind: .buttonTapped, userType: nil,
      platform: "ios", count: count)
  }

  @Test func `the start of the period is inside, its end is not; the same for the period before`() {
    let context = SampleReports.context
    let second = Duration.seconds(1)
    let quarter = Duration.seconds(900)
    let cases: [(Instant, current: Int, previous: Int)] = [
      (context.previousStart - quarter, 0, 0), (context.previousStart - quarter + second, 0, 1),
      (context.previousStart, 0, 1),
      (context.start - second, 0, 1), (context.start, 1, 0), (context.end - second, 1, 0),
      (context.end, 0, 0),
    ]
    for (at, current, previous) in cases {
      let tally = tally([taps(at: at)])
      #expect(tally.current.taps == current, "\(at)")
      #expect(tally.previous.taps == previous, "\(at)")
    }
  }

  @Test func `a quarter of an hour belongs to the day and hour of the zone`() {
    var context = SampleReports.context
    let at = SampleReports.at("2026-02-20T18:45:00Z")
    let expected = [
      ("UTC", "2026-02-20", 4, 18), ("Asia/Kolkata", "2026-02-21", 5, 0),
      ("Europe/Berlin", "2026-02-20", 4, 19),
    ]
    for (zone, day, weekday, hour) in expected {
      context.timeZone = zone
      let buckets = [taps(at: at, 3)]
      let tally = tally(buckets, context: context)
      #expect(tally.byDay.first?.key.iso8601 == day)
      let hours = UsageHours.taps(buckets, tally)
      #expect(hours[weekday][hour] == 3, "\(zone)")
      #expect(hours.joined().reduce(0, +) == 3)
    }
  }

  @Test func `the sums by day and hour are the sum of the period`() {
    let tally = tally(SampleReports.usage.buckets)
    #expect(tally.current.taps == 1_275)
    #expect(tally.byDay.values.map(\.taps).reduce(0, +) == 1_275)
    #expect(UsageHours.taps(SampleReports.usage.buckets, tally).joined().reduce(0, +) == 1_275)
  }

  @Test func `the order of the buckets changes nothing`() {
    let straight = UsageReport.make(SampleReports.usage, context: SampleReports.context)
    var data = SampleReports.usage
    data.buckets.reverse()
    let reversed = UsageReport.make(data, context: SampleReports.context)
    #expect(TextWriter.bytes(of: straight) == TextWriter.bytes(of: reversed))
  }

  @Test func `each kind is counted in its own column, and no other kind in any`() {
    for kind in EventKind.allCases {
      var counts = UsageTotals()
      counts.add(kind, 2, by: .freeUser)
      let sum =
        counts.taps + counts.popups + counts.performed + counts.blocked + counts.bypassed
        + counts.subscriptionTaps + counts.dismissed
      let uncounted: Set<EventKind> = [
        .pricingDisplayed, .limitReset, .cooldownCompleted, .clockSkew,
      ]
      #expect(sum == (uncounted.contains(kind) ? 0 : 2), "\(kind)")
    }
  }
}
