import Foundation
import Testing

@testable import Reports

/// Weeks against the four before, and slow falls: docs/findings.md#weeks.
@Suite struct TrendRulesTests {
  private let week = WeekRule(days: JudgedApp.days())
  private let drift = DriftRule(days: JudgedApp.days())

  private func change(_ usual: Int, _ now: Int, days: Int = 7) -> WeekRule.Change? {
    week.change(
      of: JudgedApp.series(usual, then: Array(repeating: now, count: days)), on: JudgedApp.last)
  }

  @Test func `a week that falls by a fifth and by 2.6 deviations is told, one more is not`() {
    // Of 350: 2.6 · √(350 · 1.25 + 21²) = 77.06, more than the fifth, 70; 39 a day are 77 fewer.
    for (now, isFall) in [(37, true), (38, true), (39, false), (50, false)] {
      #expect((change(50, now)?.direction == .fell) == isFall, "\(now)")
    }
    // Of 7,000 the deviations are 1,110; the fifth is 1,400: 800 a day.
    for (now, isFall) in [(799, true), (800, true), (801, false)] {
      #expect((change(1_000, now) != nil) == isFall, "\(now)")
    }
  }

  @Test func `a rise needs four deviations`() {
    // Of 7,000: 4 · √(7,000 · 1.25 + 420²) = 1,721.
    for (now, isRise) in [(1_245, false), (1_246, true)] {
      #expect((change(1_000, now)?.direction == .rose) == isRise, "\(now)")
    }
  }

  @Test func `two weeks find what one cannot, and a small count needs a difference of 7`() {
    #expect(change(16, 11) == nil)
    #expect(change(16, 11, days: 14)?.dayCount == 14)
    #expect(change(1, 0) == nil)
  }

  @Test func `four weeks that fall by themselves explain a lower one`() {
    var series = JudgedApp.series(0)
    series.counts = (0...JudgedApp.last).map { 1_000 - 12 * $0 }
    #expect(week.change(of: series, on: JudgedApp.last)?.direction == .fell)
    series.counts = (0...JudgedApp.last).map { $0 < 35 ? 1_000 : $0 < 42 ? 600 : 700 }
    #expect(week.change(of: series, on: JudgedApp.last) == nil)
  }

  @Test func `days that are not known are left out, and too few are no week`() {
    let series = JudgedApp.series(100, then: Array(repeating: 50, count: 7))
    for (unknown, isTold) in [(2, true), (3, false)] {
      var days = JudgedApp.days()
      days.exclude(JudgedApp.last - unknown + 1...JudgedApp.last)
      #expect((WeekRule(days: days).change(of: series, on: JudgedApp.last) != nil) == isTold)
    }
  }

  private func falling(_ slope: Double, from day: Int, of usual: Double = 1_000) -> CountSeries {
    var series = JudgedApp.series(0)
    series.counts = (0...JudgedApp.last).map {
      Int((usual * exp(-slope * Double(max(0, $0 - day)))).rounded())
    }
    return series
  }

  @Test func `two percent a day are found within fourteen days, one and below never`() throws {
    let found = try #require(drift.drift(of: falling(0.02, from: 42), on: JudgedApp.last))
    #expect(found.slope > 0.012 && found.slope < 0.021)
    #expect(drift.drift(of: falling(0.009, from: 20), on: JudgedApp.last) == nil)
    #expect(drift.drift(of: falling(0.011, from: 20), on: JudgedApp.last) != nil)
    #expect(drift.drift(of: falling(-0.02, from: 30), on: JudgedApp.last) == nil)
  }

  @Test func `a single step is no drift, and few things a day are none`() {
    for step in 1...13 {
      let ends = (0..<14).map { $0 < step ? 1_000 : 600 }
      #expect(drift.drift(of: JudgedApp.series(1_000, then: ends), on: JudgedApp.last) == nil)
    }
    #expect(drift.drift(of: falling(0.05, from: 28, of: 9), on: JudgedApp.last) == nil)
  }

  @Test func `the line of exact counts has their slope and no deviation beyond chance`() {
    let line = LinearFit((0..<14).map { (Double($0), 500 * exp(-0.03 * Double($0))) })
    #expect(abs(line.slope + 0.03) < 1e-9 && abs(line.start - log(500)) < 1e-9)
    #expect(line.deviation > 0.003 && line.deviation < 0.004)
  }
}
