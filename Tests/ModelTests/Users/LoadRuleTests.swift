import Fixtures
import Model
import Testing

@Suite("Whether a load goes to the network")
struct LoadRuleTests {
  private let now = Instant.morning

  private func decide(
    wasEmptied: Bool = false, last: Instant?, staleness: Int = 1_800, isForced: Bool = false
  ) -> LoadDecision {
    LoadRule.decide(
      wasEmptied: wasEmptied, lastRefreshedAt: last, stalenessSeconds: staleness, now: now,
      isForced: isForced)
  }

  @Test(arguments: [
    (Duration.seconds(1_800) - .microseconds(1), Run.Trigger.fresh), (.seconds(1_800), .fresh),
    (.seconds(1_800) + .microseconds(1), .stale), (.seconds(-60), .fresh),
    (.seconds(-300), .fresh),
  ])
  func `a copy is stale once it is older than the staleness, strictly`(
    age: Duration, expected: Run.Trigger
  ) {
    let decision = decide(last: now - age)
    #expect(decision.trigger == expected)
    #expect(decision.needsRequest == (expected == .stale))
    #expect(decision.clearsFilter == (expected == .stale))
  }

  @Test(arguments: [
    (Duration.seconds(300) - .microseconds(1), false), (.seconds(300), false),
    (.seconds(300) + .microseconds(1), true), (.seconds(365 * 86_400), true),
  ])
  func `a refresh time more than 300 seconds ahead counts as none, and is told`(
    ahead: Duration, isClockWrong: Bool
  ) {
    let decision = decide(last: now + ahead)
    #expect(decision.isClockWrong == isClockWrong)
    #expect(decision.trigger == (isClockWrong ? .firstLoad : .fresh))
    #expect(!decision.clearsFilter)
    #expect(decision.reason.contains("\(now + ahead) is in the future") == isClockWrong)
  }

  @Test func `without a refresh time it is a first load, which keeps the filter`() {
    for decision in [decide(last: nil), decide(wasEmptied: true, last: nil)] {
      #expect(decision.trigger == .firstLoad)
      #expect(decision.needsRequest)
      #expect(!decision.clearsFilter)
    }
  }

  @Test
  func `a table that somebody emptied is a first load again, however recent or old the refresh`() {
    for last in [now, now - .seconds(1_800), now - .seconds(1_801), now - .seconds(86_400)] {
      let decision = decide(wasEmptied: true, last: last)
      #expect(decision.trigger == .firstLoad)
      #expect(!decision.clearsFilter)
    }
  }

  @Test func `force outranks everything and keeps the filter`() {
    for decision in [
      decide(last: now, isForced: true), decide(wasEmptied: true, last: nil, isForced: true),
    ] {
      #expect(decision.trigger == .forced)
      #expect(decision.needsRequest)
      #expect(!decision.clearsFilter)
    }
  }

  @Test func `a first load says why it is one`() {
    #expect(decide(wasEmptied: true, last: nil).reason == "There are no users yet.")
    #expect(
      decide(last: nil).reason == "The users were never loaded, or the filter was cleared.")
    #expect(
      decide(wasEmptied: true, last: now).reason == "All users were removed since the last load.")
  }

  @Test func `the reason names both ages`() {
    #expect(
      decide(last: now - .seconds(60)).reason
        == "The users were refreshed 60 s ago, not more than 1800 s.")
    #expect(
      decide(last: now + .seconds(120)).reason
        == "The users were refreshed 0 s ago, not more than 1800 s.")
  }
}
