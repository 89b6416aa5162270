import ReportsTesting
import Testing

@testable import Model
@testable import Reports

/// Outages and lost exports in eight weeks of an app in which every day is the same.
@Suite struct IncidentsTests {
  private static let last = 55

  private static func history(_ change: (inout [DayFacts]) -> Void) -> [DayFacts] {
    let start = SampleReports.at("2026-01-05T00:00:00Z")
    var days = (0...last).map { day -> DayFacts in
      let begin = start + .seconds(86_400 * day)
      var facts = DayFacts(start: begin, end: begin + .seconds(86_400))
      facts.activeUsers = 100
      facts.taps = 1_000
      facts.exportLines = 4_000
      facts.onlineNow = 30
      return facts
    }
    change(&days)
    return days
  }

  private func found(
    gaps: [ExportGap] = [], _ change: (inout [DayFacts]) -> Void
  ) -> [Incident] {
    let anomalies = DayAnomalies(
      DayHistory(days: Self.history(change)).complete, calendar: ReportCalendar(timeZone: "UTC"))
    return Incidents(anomalies: anomalies, gaps: gaps).found()
  }

  private func silence(_ days: ClosedRange<Int>, online: Int? = 30) -> (inout [DayFacts]) -> Void {
    { all in
      for day in days {
        all[day] = DayFacts(start: all[day].start, end: all[day].end, coverage: .none)
        all[day].onlineNow = online
      }
    }
  }

  private func gap(from start: Int, hours: Int) -> ExportGap {
    let begin = Self.history { _ in }[Self.last].start + .seconds(3_600 * start)
    return ExportGap(start: begin, end: begin + .seconds(3_600 * hours), expected: 900)
  }

  @Test func `nothing happens: nothing is found, also before the ledger begins`() {
    #expect(found { _ in }.isEmpty)
    #expect(found(silence(0...20)).isEmpty)
    #expect(found(silence(0...Self.last)).isEmpty)
  }

  @Test func `half of people and taps is an outage, a little more than half is none`() {
    for (part, isOutage) in [(0.49, true), (0.5, true), (0.51, false)] {
      let incidents = found { days in
        days[Self.last].activeUsers = Int(100 * part)
        days[Self.last].taps = Int(1_000 * part)
      }
      let outage = Incident(kind: .outage, days: Self.last...Self.last)
      #expect(incidents == (isOutage ? [outage] : []), "\(part)")
    }
  }

  @Test(arguments: [
    (30, 13, 40, 20, true), (30, 14, 40, 20, false), (20, 6, 40, 20, true),
    (20, 7, 40, 20, false), (20, 10, 40, 13, true), (20, 10, 40, 14, false),
  ])
  func `of few people a third of one is left, or three deviations of both are missing`(
    usualPeople: Int, people: Int, usualTaps: Int, taps: Int, isOutage: Bool
  ) {
    let incidents = found { days in
      for day in days.indices { (days[day].activeUsers, days[day].taps) = (usualPeople, usualTaps) }
      (days[Self.last].activeUsers, days[Self.last].taps) = (people, taps)
    }
    #expect(incidents.isEmpty != isOutage)
  }

  @Test func `one series alone is no outage, and an outage that is over is no news`() {
    #expect(found { $0[Self.last].taps = 100 }.isEmpty)
    #expect(
      found { days in
        days[Self.last - 1].taps = 100
        days[Self.last - 1].activeUsers = 10
      }.isEmpty)
  }

  @Test func `missing lines of whole days are a lost export for seven days, in one line`() {
    for (days, isNews) in [(55...55, true), (47...49, true), (48...48, false)] {
      let incidents = found(silence(days))
      #expect(
        incidents == (isNews ? [Incident(kind: .lostExport, days: days)] : []), "\(days)")
    }
  }

  @Test func `when nobody was online either, lines are missing because of an outage`() {
    for (online, kind) in [
      (nil, Incident.Kind.lostExport), (10, .lostExport), (9, .outage), (0, .outage),
    ] as [(Int?, Incident.Kind)] {
      let incidents = found(silence(Self.last...Self.last, online: online))
      #expect(incidents.map(\.kind) == [kind], "\(online ?? -1)")
    }
  }

  @Test func `silent hours are an outage, a day of them is a lost export`() {
    for (hours, kind) in [(6, Incident.Kind.outage), (19, .outage), (20, .lostExport)] {
      let incidents = found(gaps: [gap(from: 2, hours: hours)]) { days in
        days[Self.last].coverage = .partial
      }
      #expect(incidents.map(\.kind) == [kind], "\(hours)")
    }
  }

  @Test
  func `a silent hour that had a tenth of the lines is an outage, one that had fewer is none`() {
    // 900 lines are missing.
    for (lines, isOutage) in [(8_099, true), (8_100, true), (8_101, false)] {
      let incidents = found(gaps: [gap(from: 2, hours: 1)]) { days in
        days[Self.last].coverage = .partial
        days[Self.last].exportLines = lines
      }
      #expect(incidents.map(\.kind) == (isOutage ? [.outage] : []), "\(lines)")
    }
  }

  @Test func `a tenth of the usual lines is a lost export`() {
    for (lines, isLost) in [(0, true), (400, true), (401, false)] {
      let incidents = found { $0[Self.last].exportLines = lines }
      #expect(incidents.map(\.kind) == (isLost ? [.lostExport] : []), "\(lines)")
    }
  }

  @Test func `an outage that goes on after lost lines is one incident`() {
    let incidents = found { days in
      silence(53...54)(&days)
      days[55].taps = 100
      days[55].activeUsers = 10
    }
    #expect(incidents == [Incident(kind: .outage, days: 53...55)])
  }
}
