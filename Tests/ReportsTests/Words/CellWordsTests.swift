import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

@Suite struct CellWordsTests {
  private let words = CellWords(time: TimeWords(context: SampleReports.context))

  @Test func `a percentage states its whole; a small one has a mark and its part, too`() {
    #expect(words.words(.ratio(Ratio(458, of: 1_204))) == "38% of 1,204")
    #expect(words.words(.ratio(Ratio(3, of: 8))) == "3 of 8 (38%†)")
    #expect(words.words(.ratio(Ratio(0, of: 0))) == "– of 0")
  }

  @Test func `a rate has its range behind it, a difference of rates too`() {
    #expect(words.words(.rate(Ratio(458, of: 1_204))) == "38% of 1,204, 35–41")
    #expect(words.words(.rate(Ratio(15, of: 148))) == "10% of 148, 6.2–16.0")
    #expect(words.words(.rate(Ratio(3, of: 8))) == "3 of 8 (38%†), 14–69")
    #expect(words.words(.rate(Ratio(0, of: 20))) == "0 of 20 (0%†), 0–16")
    #expect(words.words(.rate(Ratio(0, of: 0))) == "– of 0")
    let (before, after) = (Ratio(48, of: 80), Ratio(56, of: 70))
    #expect(words.words(.points(from: before, to: after)) == "+20.0 points, +5.2 to +33.4")
    #expect(words.words(.points(from: after, to: before)) == "−20.0 points, −33.4 to −5.2")
    #expect(words.words(.points(from: Ratio(0, of: 0), to: after)) == "–")
    #expect(
      Cell.points(from: before, to: after).parts.map(\.value)
        == [.decimal(20), .decimal(5.2), .decimal(33.4)])
    #expect(
      Cell.rate(Ratio(0, of: 0)).parts.map(\.value)
        == [.integer(0), .integer(0), .null, .null, .null])
  }

  @Test func `a change states the number before it`() {
    #expect(words.words(PeriodChange(from: 1_000, to: 1_120)) == "+12% from 1,000")
    #expect(words.words(PeriodChange(from: 1_000, to: 880)) == "−12% from 1,000")
    #expect(words.words(PeriodChange(from: 12, to: 17)) == "+5 from 12")
    #expect(words.words(PeriodChange(from: 1_000, to: 1_001)) == "+1 from 1,000")
    #expect(words.words(PeriodChange(from: 7, to: 7)) == "same as before (7)")
  }

  @Test func `cells of small counts are marked, cells of 0 are not`() {
    #expect(CellWords.isMarked(.ratio(Ratio(1, of: 29))))
    #expect(
      CellWords.isMarked(.rate(Ratio(1, of: 29))) && !CellWords.isMarked(.rate(Ratio(1, of: 30))))
    #expect(CellWords.isMarked(.mean(Mean(total: 4, count: 1))))
    #expect(!CellWords.isMarked(.ratio(Ratio(1, of: 30))))
    #expect(!CellWords.isMarked(.ratio(Ratio(0, of: 0))))
    #expect(!CellWords.isMarked(.count(3)))
  }

  @Test(arguments: [-1, 0, 3, 5, 9])
  func `any number of stars has five signs`(number: Int) {
    #expect(CellWords.stars(number).count == 5)
    #expect(CellWords.stars(number).filter { $0 == "★" }.count == min(max(number, 0), 5))
  }

  @Test func `an instant is written in the report's time zone`() {
    #expect(words.words(.instant(SampleReports.at("2026-03-01T23:30:00Z"))) == "2 Mar 2026, 00:30")
  }
}
