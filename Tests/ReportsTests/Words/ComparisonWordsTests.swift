import Model
import ReportsTesting
import Testing

@testable import Reports

@Suite struct ComparisonWordsTests {
  private func context(_ start: String, _ end: String) -> ReportContext {
    ReportContext(
      appName: "ChatHub", now: SampleReports.at("2026-03-02T06:30:00Z"), timeZone: "UTC",
      start: SampleReports.at(start), end: SampleReports.at(end))
  }

  @Test func `a change says what it is told of when that is not the whole period`() {
    let over = context("2026-02-22T00:00:00Z", "2026-03-01T00:00:00Z")
    let running = context("2026-02-24T00:00:00Z", "2026-03-02T06:30:00Z")
    let today = context("2026-03-02T00:00:00Z", "2026-03-02T06:30:00Z")
    let change = PeriodChange(from: 4, to: 7)
    #expect(
      ComparisonWords(over).change(ofEvents: 4, to: 7)
        == Figure.Change(change: change, isOfEvents: true))
    #expect(
      ComparisonWords(running).change(ofEvents: 4, to: 7)
        == Figure.Change(change: change, note: "to 7, without today", isOfEvents: true))
    #expect(ComparisonWords(running).change(ofEvents: 7, to: 7).note == "without today")
    #expect(
      ComparisonWords(today).change(ofEvents: 4, to: 7)
        == Figure.Change(change: change, note: "by this hour a week ago", isOfEvents: true))
  }

  @Test func `without the data of both sides there is no change, and the reason is said`() {
    var context = context("2026-02-24T00:00:00Z", "2026-03-02T06:30:00Z")
    let reasons: [(ComparisonFault, String)] = [
      (.emptyLedger, "the ledger is empty"),
      (.ledgerBegins(SampleReports.at("2026-02-20T11:00:00Z")), "the ledger begins 20 Feb"),
      (
        .missingLines(SampleReports.at("2026-02-26T00:00:00Z")),
        "26 Feb is incomplete"
      ),
    ]
    for (fault, words) in reasons {
      context.comparisonFault = fault
      let comparison = ComparisonWords(context)
      #expect(
        comparison.change(ofEvents: 4, to: 7)
          == Figure.Change(note: "no comparison: \(words)", isOfEvents: true))
      #expect(comparison.sentence == "There is no comparison: \(words).")
      // Runs have a ledger of their own.
      #expect(comparison.change(from: 4, to: 7).change == PeriodChange(from: 4, to: 7))
    }
  }

  @Test func `today is told up to its last full quarter, and why it is not compared`() {
    #expect(
      ComparisonWords(context("2026-02-22T00:00:00Z", "2026-03-01T00:00:00Z")).sentenceOfToday
        == "")
    var running = context("2026-02-24T00:00:00Z", "2026-03-02T06:30:00Z")
    #expect(ComparisonWords(running).sentenceOfToday == "Until 06:30.")
    running.newestLine = SampleReports.at("2026-03-02T06:14:59Z")
    running.todayFault = .emptyLedger
    #expect(
      ComparisonWords(running).sentenceOfToday
        == "Known until 06:00. There is no comparison: the ledger is empty.")
  }

  @Test func `what began to be counted within the earlier side is not compared`() {
    let context = context("2026-02-24T00:00:00Z", "2026-03-02T06:30:00Z")
    let start = context.previousStart
    let words = ComparisonWords(context)
    #expect(words.change(from: 1, to: 2, since: start + .seconds(3_600)).change != nil)
    #expect(
      words.change(from: 1, to: 2, since: start + .seconds(3_601))
        == Figure.Change(note: "no comparison: the ledger begins 17 Feb"))
  }
}
