import Model
import Rules
import Testing

@Suite("Whether a load goes to the network")
struct LoadRuleTests {
  private let now = Instant(unixSeconds: 1_769_846_400)

  private func decide(
    rows: Int = 1, last: Instant?, staleness: Int = 1_800, isForced: Bool = false
  ) -> LoadDecision {
    LoadRule.decide(
      rowCount: rows, lastRefreshedAt: last, stalenessSeconds: staleness, now: now,
      isForced: isForced)
  }

  @Test(
    "a copy is stale once it is older than the staleness, strictly",
    arguments: [
      (Duration.seconds(1_800) - .microseconds(1), Run.Trigger.fresh), (.seconds(1_800), .fresh),
      (.seconds(1_800) + .microseconds(1), .stale), (.seconds(-60), .fresh),
      (.seconds(-300), .fresh), (.seconds(-300) - .microseconds(1), .stale),
    ])
  func boundary(age: Duration, expected: Run.Trigger) {
    let decision = decide(last: now - age)
    #expect(decision.trigger == expected)
    #expect(decision.needsRequest == (expected == .stale))
    #expect(decision.clearsFilter == (expected == .stale))
  }

  @Test("an empty table is a first load, however recent the refresh")
  func firstLoad() {
    #expect(decide(rows: 0, last: now).trigger == .firstLoad)
    #expect(decide(rows: 0, last: nil).trigger == .firstLoad)
    #expect(!decide(rows: 0, last: nil).clearsFilter)
  }

  @Test("an unknown refresh time is stale")
  func unknownRefresh() {
    #expect(decide(last: nil).trigger == .stale)
  }

  @Test("force outranks everything and keeps the filter")
  func forced() {
    for decision in [decide(last: now, isForced: true), decide(rows: 0, last: nil, isForced: true)]
    {
      #expect(decision.trigger == .forced)
      #expect(decision.needsRequest)
      #expect(!decision.clearsFilter)
    }
  }

  @Test("the reason names both ages")
  func reason() {
    #expect(
      decide(last: now - .seconds(60)).reason
        == "The users were refreshed 60 s ago, not more than 1800 s.")
  }
}
