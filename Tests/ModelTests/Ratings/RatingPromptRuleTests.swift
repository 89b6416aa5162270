import Model
import Testing

@Suite("Asking for a rating")
struct RatingPromptRuleTests {
  private func isDue(
    sent: Int64 = 11, received: Int64 = 11, tries: Int64 = 0, threshold: Int = 10, max: Int = 2
  ) -> Bool {
    RatingPromptRule.decide(
      RatingCounters(sent: sent, received: received, tries: tries), threshold: threshold,
      maxPrompts: max
    ).isDue
  }

  @Test(arguments: [(9, false), (10, false), (11, true)])
  func `both counters must exceed the threshold, strictly`(count: Int64, expected: Bool) {
    #expect(isDue(sent: count) == expected)
    #expect(isDue(received: count) == expected)
  }

  @Test(arguments: [(0, true), (1, true), (2, false), (3, false)])
  func `tries must be below the most, strictly`(tries: Int64, expected: Bool) {
    #expect(isDue(tries: tries) == expected)
  }

  @Test func `a threshold of 0 needs one message each way, a most of 0 never asks`() {
    #expect(isDue(sent: 1, received: 1, threshold: 0))
    #expect(!isDue(sent: 0, received: 1, threshold: 0))
    #expect(!isDue(sent: .max, received: .max, max: 0))
  }

  @Test(arguments: [1_000_000, 999_999_998, 999_999_999, 1_000_000_010, Int64.max])
  func `after a high rating nobody is asked again, however many messages follow`(count: Int64) {
    let done = RatingCounters(sent: RatingRule.neverAgain, received: RatingRule.neverAgain)
    let later = RatingPromptRule.record(sent: count, received: count, in: done)
    #expect(later.sent < 0 && later.received < 0)
    #expect(!RatingPromptRule.decide(later, threshold: 10, maxPrompts: 2).isDue)
  }

  @Test func `recording adds to the counters alone and never overflows`() {
    let counters = RatingPromptRule.record(
      sent: 2, received: 3, in: RatingCounters(sent: 5, received: 7, tries: 1))
    #expect(counters == RatingCounters(sent: 7, received: 10, tries: 1))
    #expect(RatingPromptRule.record(sent: .max, received: 1, in: counters).sent == .max)
  }

  @Test func `the reason names the counter that is missing`() {
    let decide = { (counters: RatingCounters) in
      RatingPromptRule.decide(counters, threshold: 10, maxPrompts: 2).reason
    }
    #expect(
      decide(RatingCounters(sent: 11, received: 10)) == "10 messages received, not more than 10.")
    #expect(decide(RatingCounters(sent: 3, received: 11)) == "3 messages sent, not more than 10.")
    #expect(
      decide(RatingCounters(sent: 11, received: 11, tries: 2))
        == "Low ratings so far: 2 of at most 2.")
  }
}
