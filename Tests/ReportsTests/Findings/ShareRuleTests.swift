import Model
import Testing

@testable import Reports

/// When a share is out: docs/shares.md.
@Suite struct ShareRuleTests {
  private static let last = JudgedApp.last
  private static let india = [ShareCounts.Part(.country, "India")]

  /// So many of 100 on each day, and on the last ones what is given.
  private func series(
    _ usual: Int, of whole: Int = 100, then ends: [Int],
    _ subject: ShareSeries.Subject = .part(india)
  ) -> ShareSeries {
    let days = Self.last + 1
    return ShareSeries(
      subject: subject, counts: Array(repeating: usual, count: days - ends.count) + ends,
      wholes: Array(repeating: whole, count: days))
  }

  private func found(
    _ series: [ShareSeries], _ change: (inout [DayFacts]) -> Void = { _ in }
  ) -> [ShareRule.Judged] {
    ShareRule(days: JudgedApp.days(change)).found(series, on: Self.last)
  }

  @Test(
    arguments: [
      (0.5, 2, 3, 0.6875), (0.2, 5, 10, 0.129_839_6), (0.01, 3, 50, 0.015_352_6),
      (0.9, 0.5, 8, 0.999_999_998), (0.3, 13.5, 0.5, 1.565_358e-8), (0, 2, 3, 0), (1, 2, 3, 1),
    ] as [(Double, Double, Double, Double)])
  func `the incomplete beta function is that of tables`(
    x: Double, a: Double, b: Double, expected: Double
  ) {
    #expect(abs(ShareChance.beta(x, a, b) - expected) <= 1e-4 * expected)
  }

  @Test(arguments: [(5, false), (6, false), (7, true)])
  func `six of a new value more than usual, and a hundredth, are out`(count: Int, isOut: Bool) {
    // 0.02 are expected, so six are a little less than six more.
    #expect(found([series(0, then: [count])]).isEmpty == !isOut)
  }

  @Test(arguments: [(24, false), (25, true)])
  func `a share that hardly varies must differ by five points`(count: Int, isOut: Bool) {
    // Of 100,000 taps chance does next to nothing.
    let share = series(20_000, of: 100_000, then: [count * 1_000 + 50])
    #expect(found([share]).isEmpty == !isOut)
  }

  @Test(arguments: [(33, false), (34, true), (7, false), (6, true)])
  func `chance must hardly do as much`(count: Int, isOut: Bool) {
    #expect(found([series(20, then: [count])]).contains { $0.dayCount == 1 } == isOut, "\(count)")
  }

  @Test(arguments: [(11, false), (12, true)])
  func `a whole of twelve is judged`(whole: Int, isOut: Bool) {
    var share = series(0, then: [whole])
    share = ShareSeries(
      subject: share.subject, counts: share.counts, wholes: share.wholes.dropLast() + [whole])
    #expect(found([share]).contains { $0.dayCount == 1 } == isOut)
  }

  @Test func `the past ends a week before, so what lasts is still compared with the days before`() {
    for length in [1, 3, 7] {
      let judged = found([series(0, then: Array(repeating: 40, count: length))])
      #expect(judged.contains { $0.dayCount == 1 && $0.expected < 0.01 }, "\(length)")
    }
    // After three weeks it is the new normal.
    #expect(found([series(0, then: Array(repeating: 40, count: 35))]).isEmpty)
  }

  @Test func `days that vary by more than chance let a share vary`() {
    var share = series(20, then: [50])
    #expect(!found([share]).isEmpty)
    share = ShareSeries(
      subject: share.subject,
      counts: share.counts.indices.map { $0 == Self.last ? 50 : $0.isMultiple(of: 2) ? 5 : 35 },
      wholes: share.wholes)
    #expect(found([share]).isEmpty)
  }

  @Test func `unusual days are not compared with`() {
    let share = series(0, then: [30])
    #expect(!found([share]).isEmpty)
    let few = found([share]) { days in for day in 0..<45 { days[day].coverage = .none } }
    #expect(few.isEmpty, "\(few)")
  }

  @Test func `one rate of false discoveries holds for all shares`() {
    // One in ten thousand alone is out of one share, and not out of five hundred.
    let alone = series(20, then: [42])
    #expect(!found([alone]).isEmpty)
    let many = (0..<500).map { number in
      series(20, then: [20], .text("\(number)"))
    }
    #expect(found([alone] + many).isEmpty)
    // A sure one is.
    #expect(!found([series(20, then: [70])] + many).isEmpty)
  }

  /// A part and all others, both with a share of 20 in 100 before.
  private func compared(_ ends: (own: Int, others: Int)) -> ShareSeries {
    var own = series(20, then: [ends.own], .measure(.failed, Self.india))
    let others = series(80, of: 400, then: [ends.others])
    (own.otherCounts, own.otherWholes) = (others.counts, others.wholes)
    return own
  }

  @Test func `what moves everywhere is not out in a part`() {
    #expect(!found([compared((60, 80))]).isEmpty)
    #expect(found([compared((60, 240))]).isEmpty)
    // Half of it is excused.
    #expect(found([compared((60, 160))]).allSatisfy { abs($0.expected - 0.4) < 0.01 })
    // What moves elsewhere alone does not accuse a part that stayed.
    #expect(found([compared((20, 300))]).isEmpty)
  }

  @Test(arguments: [(60, true), (15, false)])
  func `a new version is compared with the others of the same days`(count: Int, isOut: Bool) {
    let zeros = [Int](repeating: 0, count: Self.last)
    var version = ShareSeries(
      subject: .measure(.failed, [ShareCounts.Part(.version, "9.0")]), counts: zeros + [count],
      wholes: zeros + [100])
    let others = series(20, of: 400, then: [20])
    (version.otherCounts, version.otherWholes) = (others.counts, others.wholes)
    let judged = found([version])
    #expect(judged.isEmpty == !isOut)
    #expect(judged.allSatisfy { $0.comparedDays == 0 })
    // Another country is not.
    let country = ShareSeries(
      subject: .measure(.failed, Self.india), counts: version.counts, wholes: version.wholes,
      otherCounts: others.counts, otherWholes: others.wholes)
    #expect(found([country]).isEmpty)
  }
}
