import Fixtures
import Testing

@testable import Model

/// Held against `docs/running.md#outages`.
@Suite struct OutageRuleTests {
  private let start = Instant.morning

  /// Ends of runs a minute apart, with what is told of each.
  private func notices(
    _ runs: [(Run.Outcome, String?)], after outage: Outage? = nil
  ) -> (outage: Outage?, notices: [OutageRule.Notice]) {
    var outage = outage
    let notices = runs.enumerated().map { index, run in
      let (next, notice) = OutageRule.judge(
        run.0, problem: run.1, startedAt: start + .seconds(60 * index), after: outage)
      outage = next
      return notice
    }
    return (outage, notices)
  }

  @Test func `an outage is told at its start and at its end, and not in between`() {
    let over = Outage(since: start, failures: 3, reasons: ["No network."])
    #expect(
      notices([
        (.failed, "No network."), (.failed, "No network."), (.failed, "No network."), (.ok, nil),
        (.ok, nil), (.failed, "No network."),
      ]).notices == [
        .failed(isNew: true), .failed(isNew: false), .failed(isNew: false), .recovered(over), .none,
        .failed(isNew: true),
      ])
  }

  @Test func `another reason is told, once, and numbers make no other reason`() {
    #expect(
      notices([
        (.failed, "Waited 10 s."), (.failed, "Waited 9 s."), (.failed, "Refused."),
        (.blocked, "Waited 1234 s."), (.failed, "Refused."),
      ]).notices == [
        .failed(isNew: true), .failed(isNew: false), .failed(isNew: true), .failed(isNew: false),
        .failed(isNew: false),
      ])
  }

  @Test func `a locked run leaves the outage as it was, and is told when it is a problem`() {
    let outage = Outage(since: start, failures: 1, reasons: ["x"])
    for before in [nil, outage] {
      for (problem, told) in [
        (nil, .none), ("Not run.", .failed(isNew: true)),
      ] as [(String?, OutageRule.Notice)] {
        let (after, notices) = notices([(.locked, problem), (.locked, problem)], after: before)
        #expect(after == before && notices == [told, told])
      }
    }
    #expect(notices([(.locked, "Not run."), (.ok, nil)]).notices.last == OutageRule.Notice.none)
  }

  @Test(arguments: [(Duration.seconds(300), true), (.seconds(300) + .microseconds(1), false)])
  func `an outage that begins more than 300 seconds ahead counts as none`(
    ahead: Duration, counts: Bool
  ) {
    let outage = Outage(since: start + ahead, failures: 4, reasons: ["x"])
    #expect(notices([(.ok, nil)], after: outage).notices == [counts ? .recovered(outage) : .none])
    let (after, told) = notices([(.failed, "x")], after: outage)
    #expect(after?.since == (counts ? start + ahead : start))
    #expect(after?.failures == (counts ? 5 : 1) && told == [.failed(isNew: !counts)])
  }

  @Test(arguments: [Run.Outcome.ok, .partial, .fresh])
  func `what did well ends an outage, partial and fresh too`(outcome: Run.Outcome) {
    let outage = Outage(since: start, failures: 1, reasons: ["x"])
    let (after, told) = notices([(outcome, nil)], after: outage)
    #expect(after == nil && told == [.recovered(outage)])
    #expect(notices([(outcome, nil)]).notices == [.none])
  }

  @Test(arguments: [Run.Outcome.blocked, .locked])
  func `what neither failed nor did well changes nothing`(outcome: Run.Outcome) {
    let outage = Outage(since: start, failures: 1, reasons: ["x"])
    let (after, told) = notices([(outcome, nil)], after: outage)
    #expect(after == outage && told == [.none])
    #expect(notices([(outcome, nil)]).outage == nil)
  }

  @Test func `an interruption is told each time and is no failure of the job`() {
    let (after, told) = notices([(.interrupted, "Interrupted."), (.interrupted, "Interrupted.")])
    #expect(after == nil && told == [.failed(isNew: true), .failed(isNew: true)])
  }

  @Test func `an outage remembers the newest reasons, as many as its limit`() {
    func reasons(_ count: Int) -> [String] {
      let names = (0..<count).map { String(repeating: "x", count: $0 + 1) }
      return notices(names.map { (.failed, $0) }).outage?.reasons ?? []
    }
    #expect(reasons(OutageRule.mostReasons).count == OutageRule.mostReasons)
    #expect(reasons(OutageRule.mostReasons).first == "x")
    #expect(reasons(OutageRule.mostReasons + 1).count == OutageRule.mostReasons)
    #expect(reasons(OutageRule.mostReasons + 1).first == "xx")
  }
}
