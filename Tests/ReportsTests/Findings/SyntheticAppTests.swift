import Model
import Testing

@testable import Reports

/// What the findings are held to, on apps of 74 days whose truth is known.
@Suite struct SyntheticAppTests {
  private static let seeds: ClosedRange<UInt64> = 1...20
  /// The first morning with six same weekdays for every day.
  private static let firstMorning = 43

  @Test
  func `twenty apps to which nothing happens have at most one false alarm a month together`() {
    var alarms: [String] = []
    var mornings = 0
    for seed in Self.seeds {
      let app = SyntheticApp(seed: seed)
      var before: Set<String> = []
      for day in Self.firstMorning..<SyntheticApp.dayCount {
        let found = app.findings(after: day)
        alarms += found.filter { !before.contains($0.id) }.map { "\(seed): \($0.sentence)" }
        before = Set(found.map(\.id))
        mornings += 1
      }
    }
    let monthly = 30 * Double(alarms.count) / Double(mornings)
    print("False alarms: \(alarms.count) on \(mornings) mornings, \(monthly) a month")
    #expect(monthly <= 1, "\(alarms)")
  }

  @Test(arguments: [DaySeries.people, .taps, .subscriptionTaps, .online])
  func `eight of ten days end within what is shown as usual of them`(series: DaySeries) {
    var (within, all) = (0, 0)
    for seed in Self.seeds {
      let anomalies = DayAnomalies(
        SyntheticApp(seed: seed).days, calendar: ReportCalendar(timeZone: "UTC"))
      for day in Self.firstMorning..<SyntheticApp.dayCount {
        guard let band = anomalies.band(of: series, on: day) else { continue }
        all += 1
        if band.usual.contains(band.value) { within += 1 }
        #expect(band.expected.contains(band.usual.lowerBound))
        #expect(band.expected.contains(band.usual.upperBound))
      }
    }
    print("Usual \(series.name): \(within) of \(all)")
    #expect((0.73...0.85).contains(Double(within) / Double(all)), "\(within) of \(all)")
  }

  @Test(arguments: seeds)
  func `an outage is one error the next morning, and one line while it lasts`(seed: UInt64) throws {
    var app = SyntheticApp(seed: seed)
    for day in 60...61 { app.suffer(day, part: 0.1) }
    for day in 60...61 {
      let usage = app.findings(after: day).filter { $0.report == .usage }
      #expect(usage.map(\.id) == ["usage-outage-2026-11-06"], "\(seed), \(day)")
      #expect(usage.first?.level == .error && usage.first?.evidence.isEmpty == false)
    }
    #expect(!app.findings(after: 62).contains { $0.id.contains("outage") }, "\(seed)")
  }

  @Test(arguments: seeds)
  func `a lost export is one warning the next morning, which explains all it lacks`(seed: UInt64) {
    var app = SyntheticApp(seed: seed)
    app.loseExport(60)
    for day in 60...66 {
      let lost = app.findings(after: day).filter { $0.id == "usage-lost-export-2026-11-06" }
      #expect(lost.map(\.level) == [.warn], "\(seed), \(day)")
    }
    let found = app.findings(after: 60).filter { $0.report == .usage }
    #expect(found.count == 1, "\(seed): \(found.map(\.sentence))")
  }

  @Test(arguments: seeds)
  func `a bad release is found within four days, and the stars are no second finding`(seed: UInt64)
  {
    let app = SyntheticApp(seed: seed, badRelease: 60)
    let found = (60..<64).map { app.findings(after: $0) }
    let first = found.firstIndex { $0.contains { $0.subject?.hasPrefix("release 3.99.0") == true } }
    #expect(first != nil, "\(seed)")
    let ratings = found[3].filter { $0.report == .ratings }
    #expect(ratings.count == 1, "\(seed): \(ratings.map(\.sentence))")
  }
}
